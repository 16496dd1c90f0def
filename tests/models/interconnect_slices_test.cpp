// N ports by M slices: which slice a request goes to, what holds what, order, bandwidth, distance.
#include "tests/models/slices_bench.h"

using namespace fermata;
using namespace fermata::test::slices;

BOOST_AUTO_TEST_SUITE(interconnect_slices)

// A read has 1 flit: sent in cycle 0, 1, 2 it is there in 4, 5, 6.
BOOST_AUTO_TEST_CASE(each_line_goes_to_its_slice) {
  Bench bench(net(8), 1, {1, 1, 1}, {{0, 0, false, 0}, {0, 0, false, 1}, {0, 0, false, 5}});
  bench.run();
  checkAre(bench.cameTo(0), {4});
  checkAre(bench.cameTo(1), {5});
  checkAre(bench.cameTo(2), {6});
}

// Slice 0 takes the next request 49 cycles after one. Its queue has two more; slice 1 and port 1 go
// on.
BOOST_AUTO_TEST_CASE(a_slice_that_waits_holds_its_own_requests_alone) {
  Bench bench(net(2), 2, {50, 1},
              {{0, 0, false, 0},
               {0, 0, false, 2},
               {0, 0, false, 4},
               {0, 0, false, 1},
               {1, 20, false, 3},
               {1, 20, false, 6}});
  bench.run();
  checkAre(bench.cameTo(0), {4, 53, 102, 151});
  checkAre(bench.cameTo(1), {7, 24});
}

// A third request for slice 0 holds port 0 until its queue of one has room: that is when the second
// request leaves it, in cycle 53. Port 1 goes on.
BOOST_AUTO_TEST_CASE(a_port_is_held_when_its_places_at_a_slice_are_full) {
  Bench bench(net(1), 2, {50, 1},
              {{0, 0, false, 0},
               {0, 10, false, 2},
               {0, 10, false, 4},
               {0, 10, false, 1},
               {1, 20, false, 3}});
  bench.run();
  checkAre(bench.cameTo(0), {4, 53, 102});
  BOOST_TEST(bench.memories[1]->came[0].line == 3U);
  BOOST_TEST(bench.memories[1]->came[0].at == 24U);
  BOOST_TEST(bench.memories[1]->came[1].line == 1U);
  BOOST_TEST(bench.memories[1]->came[1].at > 53U);
}

BOOST_AUTO_TEST_CASE(at_one_time_the_lower_port_enters_first) {
  Bench bench(net(8), 3, {1, 1},
              {{2, 10, false, 20}, {1, 10, false, 10}, {0, 10, false, 1}, {0, 11, false, 0}});
  bench.run();
  BOOST_TEST(bench.memories[0]->came[0].line == 10U);
  BOOST_TEST(bench.memories[0]->came[1].line == 20U);
  checkAre(bench.cameTo(0), {14, 15, 16});
  checkAre(bench.cameTo(1), {14});
}

// Writes of 128 bytes have 136 bytes with their header: 5 cycles of a port's link of 32 bytes, 9 of
// a slice's link of 16. The answers to reads come back over the slice's link, too.
BOOST_AUTO_TEST_CASE(a_slice_has_links_of_its_own) {
  Interconnect::Parameters p = net(8);
  p.sliceBytesPerCycle = 16;
  Bench writes(p, 3, {1, 1}, {{0, 0, true, 0}, {1, 0, true, 2}, {2, 0, true, 1}});
  writes.run();
  checkAre(writes.cameTo(0), {4 + 8, 4 + 8 + 9});
  checkAre(writes.cameTo(1), {4 + 8});
}

BOOST_AUTO_TEST_CASE(answers_of_a_slice_share_its_link) {
  Interconnect::Parameters p = net(8);
  p.sliceBytesPerCycle = 16;
  Bench reads(p, 3, {1, 1}, {{0, 0, false, 0}, {1, 0, false, 2}, {2, 0, false, 1}});
  reads.run();
  checkAre(reads.cameTo(0), {4, 5});
  checkAre(reads.answersTo(0), {5 + 8 + 4});
  checkAre(reads.answersTo(1), {5 + 9 + 8 + 4});
  checkAre(reads.answersTo(2), {5 + 8 + 4});
}

// A message does not wait for the gap behind it. An answer of 128 bytes is four messages of 40, of
// 3 cycles each.
BOOST_AUTO_TEST_CASE(a_slices_link_stands_still_behind_each_message) {
  Interconnect::Parameters p = net(8);
  p.sliceBytesPerCycle = 16;
  p.messageGap = 3;
  Bench writes(p, 2, {1}, {{0, 0, true, 0}, {1, 0, true, 1}});
  writes.run();
  checkAre(writes.cameTo(0), {4 + 8, 4 + 8 + 9 + 3});
}

BOOST_AUTO_TEST_CASE(answers_have_gaps_between_their_messages) {
  Interconnect::Parameters p = net(8);
  p.sliceBytesPerCycle = 16;
  p.messageGap = 3;
  Bench whole(p, 2, {1}, {{0, 0, false, 0}, {1, 0, false, 1}});
  whole.run();
  checkAre(whole.answersTo(0), {5 + 8 + 4});
  checkAre(whole.answersTo(1), {5 + 9 + 3 + 8 + 4});
}

BOOST_AUTO_TEST_CASE(an_answer_in_parts_has_gaps_within) {
  Interconnect::Parameters p = net(8);
  p.sliceBytesPerCycle = 16;
  p.messageGap = 3;
  p.answerBytes = 32;
  Bench parts(p, 2, {1}, {{0, 0, false, 0}, {1, 0, false, 1}});
  parts.run();
  checkAre(parts.answersTo(0), {5 + 4 * 3 + 3 * 3 - 1 + 4});
  checkAre(parts.answersTo(1), {5 + 2 * (4 * 3 + 3 * 3) + 3 - 1 + 4});
}

// Both ports begin with slice 0. Port 1's write to slice 1 stands behind the one that waits.
BOOST_AUTO_TEST_CASE(with_input_queues_a_head_holds_those_behind_it) {
  Interconnect::Parameters p = net(8);
  p.bytesPerCycle = 17;  // a write of 128 bytes takes 8 cycles of each link
  p.inputQueues = true;
  Bench bench(p, 2, {1, 1}, {{0, 0, true, 0}, {1, 0, true, 2}, {1, 0, true, 1}});
  bench.run();
  checkAre(bench.cameTo(0), {7 + 4, 7 + 4 + 8});
  checkAre(bench.cameTo(1), {7 + 4 + 8 + 8});
}

// Two slices answer port 0 in cycle 5: its link takes one read of 9 cycles after the other.
BOOST_AUTO_TEST_CASE(with_input_queues_answers_wait_before_a_port) {
  Interconnect::Parameters p = net(8);
  p.bytesPerCycle = 16;
  p.inputQueues = true;
  Bench bench(p, 2, {1, 2}, {{0, 0, false, 0}, {0, 0, false, 1}});
  bench.run();
  checkAre(bench.answersTo(0), {5 + 8 + 4, 5 + 9 + 8 + 4});
}

// Slices 0 and 1 answer a write and a read of port 0 by four messages each, which take turns at its
// link. A write that nobody waits for is answered by none: the read is over 4 cycles sooner.
BOOST_DATA_TEST_CASE(a_silent_write_takes_no_link_back, bdata::make({false, true}), silent) {
  Interconnect::Parameters p = net(64);
  p.answerBytes = 32;
  p.inputQueues = true;
  p.routerSteps = 2;
  Bench bench(p, 2, {1, 1}, {{0, 0, true, 0, silent}, {0, 1, false, 1}});
  bench.run();
  BOOST_TEST(bench.answersTo(0).size() == 2U);
  checkAre(bench.answersTo(0), silent ? Cycles{16, 27} : Cycles{25, 31});
}

// Writes of ports 1 and 2 hold slice 0, five cycles each, and a read of port 0 waits with its two
// others behind it. The crossbar lets the three pass at once. The router has the second write in
// three cycles, in front of the slice's link, and lets one read pass per cycle.
BOOST_DATA_TEST_CASE(a_router_lets_one_message_of_a_port_pass_per_cycle, bdata::make({0U, 2U}),
                     steps) {
  Interconnect::Parameters p = net(64);
  p.inputQueues = true;
  p.routerSteps = steps;
  Bench bench(
      p, 3, {1, 1, 1},
      {{1, 0, true, 0}, {2, 0, true, 3}, {0, 5, false, 0}, {0, 6, false, 1}, {0, 7, false, 2}});
  bench.run();
  checkAre(bench.cameTo(0), steps == 0 ? Cycles{8, 13, 18} : Cycles{8, 13, 14});
  checkAre(bench.cameTo(1), steps == 0 ? Cycles{18} : Cycles{13});
  checkAre(bench.cameTo(2), steps == 0 ? Cycles{18} : Cycles{14});
}

// Slice 0 takes a request in 50 cycles. Two wait behind the router for it, and two before it, of
// which one holds the port: so the request to slice 1 waits, too, and that of port 1 does not.
BOOST_DATA_TEST_CASE(a_slow_slice_fills_the_router, bdata::make({2U, 64U}), queue) {
  Interconnect::Parameters p = net(queue);
  p.inputQueues = true;
  p.routerSteps = 2;
  std::vector<test::slices::Request> requests;
  for (std::uint64_t i = 0; i < 6; ++i) requests.push_back({0, 0, false, 2 * i});
  requests.push_back({0, 0, false, 1});
  requests.push_back({1, 20, false, 3});
  Bench bench(p, 2, {50, 1}, requests);
  bench.run();
  const std::vector<Came>& came = bench.memories[1]->came;
  BOOST_TEST(came[queue == 2 ? 0 : 1].line == 3U);
  BOOST_TEST(came[queue == 2 ? 1 : 0].at == (queue == 2 ? 152U : 10U));
}

// Ports 0, 1 and slices 0, 1 lie in the first half. A read takes 4 cycles there and 1 + 4 + 4 back,
// between the halves 2 x 30 more.
BOOST_AUTO_TEST_CASE(the_other_partition_is_far) {
  Interconnect::Parameters p = net(8);
  p.partitions = 2;
  p.farLatency = 30;
  std::vector<Request> requests;
  for (unsigned port = 0; port < 4; ++port) {
    for (unsigned slice = 0; slice < 4; ++slice)
      requests.push_back({port, 1000 * port + 200 * slice, false, slice});
  }
  Bench bench(p, 4, {1, 1, 1, 1}, requests);
  bench.run();
  for (unsigned port = 0; port < 4; ++port) {
    Cycles expected;
    for (unsigned slice = 0; slice < 4; ++slice)
      expected.push_back(1000 * port + 200 * slice + 4 + 1 + 4 + 4 +
                         (port / 2 == slice / 2 ? 0 : 60));
    checkAre(bench.answersTo(port), expected);
  }
  sc_core::sc_time delay;
  tlm::tlm_generic_payload payload;
  payload.set_address(2 * kLine);
  bench.net.in(0).get_base_export()->b_transport(payload, delay);
  BOOST_TEST(kClock.cycles(delay) == 2U * 34 + 1);
}

// A write takes 5 cycles of the link. Where the near half answers for it, it is as one to there.
BOOST_AUTO_TEST_CASE(a_write_to_the_far_half) {
  Interconnect::Parameters p = net(8);
  p.partitions = 2;
  p.farLatency = 30;
  Bench far(p, 1, {1, 1}, {{0, 0, true, 0}, {0, 100, true, 1}, {0, 200, false, 1}});
  far.run();
  checkAre(far.answersTo(0), {8 + 1 + 4, 108 + 30 + 1 + 30 + 4, 204 + 30 + 1 + 30 + 4 + 4});
}

BOOST_AUTO_TEST_CASE(a_near_half_answers_for_writes) {
  Interconnect::Parameters p = net(8);
  p.partitions = 2;
  p.farLatency = 30;
  p.nearWrites = true;
  Bench near(p, 1, {1, 1}, {{0, 0, true, 0}, {0, 100, true, 1}, {0, 200, false, 1}});
  near.run();
  checkAre(near.answersTo(0), {8 + 1 + 4, 108 + 1 + 4, 204 + 30 + 1 + 30 + 4 + 4});
}

// A far request and a near one of the same port, to two slices, arrive in their own time.
BOOST_AUTO_TEST_CASE(a_near_request_overtakes_a_far_one) {
  Interconnect::Parameters p = net(8);
  p.partitions = 2;
  p.farLatency = 30;
  Bench bench(p, 2, {1, 1}, {{0, 0, false, 1}, {0, 0, false, 0}});
  bench.run();
  checkAre(bench.cameTo(1), {34});
  checkAre(bench.cameTo(0), {5});
}

BOOST_AUTO_TEST_CASE(a_debug_access_is_split_by_slices) {
  Bench bench(net(8), 1, {1, 1, 1}, {});
  std::vector<std::uint8_t> data(300);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(100);
  payload.set_data_ptr(data.data());
  payload.set_data_length(300);
  BOOST_TEST(bench.net.in().get_base_export()->transport_dbg(payload) == 300U);
  BOOST_TEST(bench.memories[0]->debugged == std::vector<std::uint64_t>({100, 384}),
             boost::test_tools::per_element());
  BOOST_TEST(bench.memories[1]->debugged.size() == 1U);
  BOOST_TEST(bench.memories[2]->debugged.size() == 1U);
}

namespace {

struct Mapping {
  unsigned slices;
  const char* text;
};
std::ostream& operator<<(std::ostream& out, const Mapping& mapping) {
  return out << mapping.slices << " slices, '" << mapping.text << "'";
}
const Mapping kMappings[] = {
    {10, ""}, {12, "ami 12"}, {8, "xor k1=0 k2=3 mask=7"}, {80, "ami 80"}, {1, ""}};

}  // namespace

// Requests of a port to a slice keep their order, and each comes to its slice.
BOOST_DATA_TEST_CASE(nothing_is_lost,
                     bdata::make(kMappings) * bdata::make({1U, 5U}) * bdata::make({1U, 8U}) *
                         bdata::make({0U, 16U}),
                     mapping, ports, queue, sliceBytes) {
  std::mt19937 random(ports + queue);
  std::vector<Request> requests;
  std::vector<Cycle> at(ports, 0);
  for (unsigned i = 0; i < 600; ++i) {
    const auto port = static_cast<unsigned>(random() % ports);
    at[port] += random() % 8;
    const std::uint64_t line = (std::uint64_t{i} * 4096 + random() % 4096) * 8 + port;
    requests.push_back({port, at[port], random() % 3 == 0, line});
  }
  std::vector<Cycle> intervals;
  for (unsigned i = 0; i < mapping.slices; ++i) intervals.push_back(i % 3 == 0 ? 9 : 1);
  Interconnect::Parameters p = net(queue);
  p.sliceBytesPerCycle = sliceBytes;
  p.partitions = 2;
  p.farLatency = 7;
  Bench bench(p, ports, intervals, requests, mapping.text);
  bench.run();
  for (unsigned slice = 0; slice < mapping.slices; ++slice) {
    std::vector<std::uint64_t> last(8, 0);
    for (const Came& came : bench.memories[slice]->came) {
      BOOST_TEST(bench.map.of(came.line) == slice);
      BOOST_TEST(came.line > last[came.line % 8]);
      last[came.line % 8] = came.line;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
