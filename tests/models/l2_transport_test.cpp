// Blocking and debug transport through an L2 see the results of timed requests, and vice versa.
#include <fermata/models/memory/dram.h>

#include "tests/support/l2_bench.h"
#include "tests/support/test.h"

using namespace fermata;
using test::Bytes;
using test::sectorOf;

namespace {

Dram::Parameters keepsBytes() {
  Dram::Parameters p;
  p.verify = true;
  return p;
}

struct Bench : test::L2Bench {
  Dram dram{"dram", clock, keepsBytes()};

  explicit Bench(WritePolicy policy = WritePolicy::Back) : L2Bench(parametersOf(policy)) {
    l2.out.bind(dram.in);
  }
};

enum class Call { Blocking, Debug };
std::ostream& operator<<(std::ostream& out, Call call) {
  return out << (call == Call::Blocking ? "blocking" : "debug");
}
const Call kCalls[] = {Call::Blocking, Call::Debug};
const WritePolicy kPolicies[] = {WritePolicy::Back, WritePolicy::Through};

/// Returns what the call returns, or has written.
Bytes transport(Bench& bench, Call call, tlm::tlm_command command, std::uint64_t address,
                Bytes bytes = Bytes(kSectorBytes), Bytes enables = {}) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(static_cast<unsigned>(bytes.size()));
  payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
  payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
  payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
  if (call == Call::Debug) {
    BOOST_TEST(bench.asker.out->transport_dbg(payload) == bytes.size());
  } else {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bench.asker.out->b_transport(payload, delay);
    BOOST_TEST(payload.is_response_ok());
    BOOST_TEST(delay >= bench.clock.time(10));
  }
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(l2_transport)

BOOST_DATA_TEST_CASE(reads_what_a_timed_store_has_left, bdata::make(kCalls) * bdata::make({0, 1}),
                     call, policy) {
  Bench bench(kPolicies[policy]);
  bench.write(0x200, sectorOf(7));
  bench.pass(1000);
  BOOST_TEST(transport(bench, call, tlm::TLM_READ_COMMAND, 0x200) == sectorOf(7));
}

// Some bytes of a sector are here; memory has the others.
BOOST_DATA_TEST_CASE(reads_part_here_and_part_in_memory, bdata::make(kCalls), call) {
  Bench bench;
  transport(bench, Call::Blocking, tlm::TLM_WRITE_COMMAND, 0x200, sectorOf(3));
  bench.write(0x200, Bytes(5, 7));
  bench.pass(1000);
  Bytes expected = sectorOf(3);
  std::fill_n(expected.begin(), 5, std::uint8_t{7});
  BOOST_TEST(transport(bench, call, tlm::TLM_READ_COMMAND, 0x200) == expected);
}

BOOST_DATA_TEST_CASE(a_timed_load_finds_what_it_wrote, bdata::make(kCalls) * bdata::make({0, 1}),
                     call, policy) {
  Bench bench(kPolicies[policy]);
  bench.write(0x200, sectorOf(7));  // dirty if the policy is write-back
  bench.timed(0x220);
  bench.timed(0x200);
  transport(bench, call, tlm::TLM_WRITE_COMMAND, 0x200, sectorOf(9));
  BOOST_TEST(bench.timed(0x200) == sectorOf(9));
  // The line leaves and takes the new bytes to memory.
  bench.timed(0x200 + Bench::kSet);
  BOOST_TEST(bench.timed(0x200) == sectorOf(9));
}

// Until the old line has reached memory, it must be found and written here.
BOOST_DATA_TEST_CASE(meets_a_line_on_its_way_to_memory, bdata::make(kCalls), call) {
  Bench bench;
  bench.write(0x200, sectorOf(7));
  bench.pass(1000);
  bench.ask(0x200 + Bench::kSet);
  bench.pass(3);
  BOOST_TEST(transport(bench, call, tlm::TLM_READ_COMMAND, 0x200) == sectorOf(7));
  transport(bench, call, tlm::TLM_WRITE_COMMAND, 0x200, sectorOf(9));
  bench.pass(1000);
  BOOST_TEST(bench.timed(0x200) == sectorOf(9));
}

// One sector of the line is dirty, another is being fetched.
BOOST_DATA_TEST_CASE(meets_a_line_that_is_being_fetched, bdata::make(kCalls) * bdata::xrange(1, 40),
                     call, after) {
  Bench bench;
  bench.write(0x200, sectorOf(7));
  bench.pass(1000);
  bench.ask(0x220);
  bench.pass(after);
  BOOST_TEST(transport(bench, call, tlm::TLM_READ_COMMAND, 0x200) == sectorOf(7));
  transport(bench, call, tlm::TLM_WRITE_COMMAND, 0x200, sectorOf(8));
  transport(bench, call, tlm::TLM_WRITE_COMMAND, 0x220, sectorOf(9));
  bench.pass(1000);
  BOOST_TEST(bench.timed(0x200) == sectorOf(8));
  BOOST_TEST(bench.timed(0x220) == sectorOf(9));
}

BOOST_AUTO_TEST_CASE(byte_enables_count) {
  Bench bench;
  bench.write(0x200, sectorOf(7));
  bench.pass(1000);
  Bytes enables = sectorOf(TLM_BYTE_DISABLED);
  enables[4] = TLM_BYTE_ENABLED;
  transport(bench, Call::Blocking, tlm::TLM_WRITE_COMMAND, 0x200, sectorOf(9), enables);
  Bytes expected = sectorOf(7);
  expected[4] = 9;
  BOOST_TEST(bench.timed(0x200) == expected);
  Bytes one = sectorOf(0);
  one[4] = 9;
  BOOST_TEST(transport(bench, Call::Blocking, tlm::TLM_READ_COMMAND, 0x200, sectorOf(0), enables) ==
             one);
}

BOOST_AUTO_TEST_SUITE_END()
