// Ports in groups that share a link each way.
#include "tests/models/slices_bench.h"

using namespace fermata;
using namespace fermata::test::slices;

BOOST_AUTO_TEST_SUITE(interconnect_groups)

// Ports 0 and 1 share a link of 34 bytes per cycle, 4 cycles for a write of 136 bytes: it has the
// first write from cycle 4 on, whose last byte comes in cycle 8, and then the second. Port 2 is
// alone.
BOOST_AUTO_TEST_CASE(a_group_shares_a_link_for_requests) {
  Interconnect::Parameters p = net(8);
  p.groupBytesUp = 34;
  Bench writes(p, 3, {1, 1, 1}, {{0, 0, true, 0}, {1, 0, true, 1}, {2, 0, true, 2}}, "", {0, 0, 1});
  writes.run();
  checkAre(writes.cameTo(0), {4 + 4});
  checkAre(writes.cameTo(1), {4 + 4 + 3});
  checkAre(writes.cameTo(2), {4 + 4});
}

// Three reads of 8 bytes pass a link of 24 in a cycle, in order of their ports; the fourth waits.
BOOST_AUTO_TEST_CASE(messages_share_a_cycle_of_a_groups_link) {
  Interconnect::Parameters p = net(8);
  p.groupBytesUp = 24;
  Bench reads(p, 4, {1, 1, 1, 1},
              {{3, 0, false, 0}, {2, 0, false, 1}, {1, 0, false, 2}, {0, 0, false, 3}}, "",
              {0, 0, 0, 0});
  reads.run();
  checkAre(reads.cameTo(0), {5});
  for (const unsigned slice : {1U, 2U, 3U}) checkAre(reads.cameTo(slice), {4});
}

// Both answers are ready in cycle 5 and take 4 cycles of the group's link each, 5 of the port's.
BOOST_AUTO_TEST_CASE(a_group_shares_a_link_for_answers) {
  Interconnect::Parameters p = net(8);
  p.groupBytesDown = 34;
  Bench reads(p, 3, {1, 1, 1}, {{0, 0, false, 0}, {1, 0, false, 1}, {2, 0, false, 2}}, "",
              {0, 0, 1});
  reads.run();
  checkAre(reads.answersTo(0), {5 + 4 + 4});
  checkAre(reads.answersTo(1), {5 + 4 + 4 + 4});
  checkAre(reads.answersTo(2), {5 + 4 + 4});
}

// The way to the other half lies behind the group's link.
BOOST_AUTO_TEST_CASE(a_far_slice_is_behind_the_groups_link) {
  Interconnect::Parameters p = net(8);
  p.partitions = 2;
  p.farLatency = 30;
  p.groupBytesUp = p.groupBytesDown = 8;
  Bench reads(p, 1, {1, 1}, {{0, 0, false, 0}, {0, 0, false, 1}}, "", {0});
  reads.run();
  checkAre(reads.cameTo(0), {4});
  checkAre(reads.cameTo(1), {5 + 30});
  checkAre(reads.answersTo(0), {5 + 17 - 1 + 4, 5 + 30 + 1 + 17 - 1 + 30 + 4});
}

// A write takes 17 cycles of the group's link. Ten writes of port 0 come there in cycles 8, 13 and
// so on. A write that port 1 sends in cycle 20 comes in cycle 28, as port 0's fifth.
BOOST_AUTO_TEST_CASE(requests_pass_a_groups_link_in_the_order_of_their_times) {
  Interconnect::Parameters p = net(8);
  p.groupBytesUp = 8;
  std::vector<Request> requests{{1, 20, true, 100}};
  for (unsigned i = 0; i < 10; ++i) requests.push_back({0, 0, true, i});
  Bench bench(p, 2, {1}, requests, "", {0, 0});
  bench.run();
  Cycle wanted = 20;
  for (const Came& came : bench.memories[0]->came) {
    BOOST_TEST(came.at == wanted);
    wanted += 17;
  }
  BOOST_TEST(bench.memories[0]->came[4].line == 4U);
  BOOST_TEST(bench.memories[0]->came[5].line == 100U);
}

BOOST_AUTO_TEST_SUITE_END()
