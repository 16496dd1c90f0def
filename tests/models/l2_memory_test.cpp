// What an L2 asks of a memory that takes no byte enables and waits for every END_RESP: whole
// sectors, with the bytes beside those that were written as they are.
#include <fermata/models/memory/l2_cache.h>

#include <boost/test/unit_test.hpp>

#include "tests/support/foreign_memory.h"
#include "tests/support/report_log.h"

using namespace fermata;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));
constexpr std::uint32_t kSet = 1024;  ///< bytes from a line to the next one of its set
using Bytes = std::vector<std::uint8_t>;

L2Cache::Parameters shape(WritePolicy policy) {
  L2Cache::Parameters p;
  p.shape = {kSet, 128, 1};
  p.writePolicy = policy;
  p.latency = 10;
  p.verify = true;
  p.fourPhase = true;
  p.wholeSectors = true;
  return p;
}

Bytes all(std::uint8_t value) {
  return Bytes(kSectorBytes, value);
}

struct Bench : LineRequester::Client {
  LineRequester asker{"asker", kClock, *this, 128, 100};
  L2Cache l2;
  foreign::Memory memory{"memory", foreign::Kind::Strict};

  explicit Bench(WritePolicy policy = WritePolicy::Back)
      : l2("l2", kClock, shape(policy), SetIndex(shape(policy).shape, ""), nullptr) {
    asker.out.bind(l2.in);
    l2.out.bind(memory.socket);
  }
  void pass(unsigned cycles) { sc_core::sc_start(kClock.time(cycles)); }
  void write(std::uint64_t address, const Bytes& bytes) {
    auto& payload =
        asker.open(tlm::TLM_WRITE_COMMAND, address, static_cast<std::uint32_t>(bytes.size()));
    for (std::uint32_t i = 0; i < bytes.size(); ++i) asker.enable(payload, i, bytes[i]);
    LineRequester::of(payload).whole = bytes.size() == kSectorBytes ? 1 : 0;
    asker.send(payload, 0);
  }
  /// The line of the same frame comes, and the one that is there leaves.
  void evict(std::uint64_t address) {
    asker.send(asker.open(tlm::TLM_READ_COMMAND, address + kSet, kSectorBytes), 0);
  }
  /// Untimed, of the memory itself.
  Bytes inMemory(std::uint64_t address, Bytes bytes = all(0),
                 tlm::tlm_command command = tlm::TLM_READ_COMMAND) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    static_cast<LineForward&>(memory).transport_dbg(payload);
    return bytes;
  }
  void fill(std::uint64_t address, std::uint8_t value) {
    inMemory(address, all(value), tlm::TLM_WRITE_COMMAND);
  }
  void answered(tlm::tlm_generic_payload&, Cycle) override {}
  void roomFreed(Cycle) override {}
};

Bytes with(Bytes bytes, std::size_t from, std::size_t count, std::uint8_t value) {
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), count, value);
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(l2_memory)

BOOST_AUTO_TEST_CASE(sectors_that_are_not_written_are_left_alone) {
  Bench bench;
  for (unsigned s = 0; s < 4; ++s)
    bench.fill(0x200 + s * kSectorBytes, static_cast<std::uint8_t>(s + 1));
  bench.write(0x200, Bytes(5, 7));
  bench.write(0x260, all(9));
  bench.pass(100);
  bench.evict(0x200);
  bench.pass(1000);
  BOOST_TEST(bench.memory.writes().requests == 2U);
  BOOST_TEST(bench.memory.writes().bytes == 2U * kSectorBytes);
  BOOST_TEST(bench.memory.open() == 0U);
  BOOST_TEST(bench.inMemory(0x200) == with(all(1), 0, 5, 7));
  BOOST_TEST(bench.inMemory(0x220) == all(2));
  BOOST_TEST(bench.inMemory(0x240) == all(3));
  BOOST_TEST(bench.inMemory(0x260) == all(9));
}

// The memory takes 90 cycles to accept the line of 0x180, so what leaves first is not there yet
// when the rest of the second write is filled in.
BOOST_AUTO_TEST_CASE(what_is_on_its_way_is_not_undone) {
  Bench bench;
  bench.fill(0x180, 1);
  bench.write(0x180, Bytes(5, 7));
  bench.pass(100);
  bench.evict(0x180);
  bench.pass(30);
  bench.write(0x188, Bytes(2, 9));
  bench.evict(0x180 + kSet);
  bench.pass(1000);
  BOOST_TEST(bench.memory.writes().requests == 2U);
  BOOST_TEST(bench.inMemory(0x180) == with(with(all(1), 0, 5, 7), 8, 2, 9));
}

BOOST_AUTO_TEST_CASE(a_write_through_is_rounded_to_its_sectors) {
  Bench bench(WritePolicy::Through);
  bench.fill(0x200, 1);
  bench.fill(0x220, 2);
  bench.write(0x21e, Bytes(5, 7));
  bench.pass(1000);
  BOOST_TEST(bench.memory.writes().requests == 1U);
  BOOST_TEST(bench.memory.writes().bytes == 2U * kSectorBytes);
  BOOST_TEST(bench.inMemory(0x200) == with(all(1), 30, 2, 7));
  BOOST_TEST(bench.inMemory(0x220) == with(all(2), 0, 3, 7));
}

// Taken after a cycle, carried out then, answered 40 + 4 * 37 % 98 cycles later.
BOOST_AUTO_TEST_CASE(a_failed_request_says_where_and_when) {
  Bench bench;
  test::ReportLog log;
  bench.memory.fail();
  auto& payload = bench.asker.open(tlm::TLM_READ_COMMAND, 0x220, kSectorBytes);
  LineRequester::of(payload).program = 3;
  LineRequester::of(payload).pc = 17;
  bench.asker.send(payload, 0);
  bench.pass(1000);
  const auto said = log.take();
  BOOST_TEST_REQUIRE(said.size() == 1U);
  BOOST_TEST(said[0] == test::ReportLog::error(
                            "fermata/memory",
                            "a request failed: TLM_ADDRESS_ERROR_RESPONSE in cycle 101, a read of "
                            "32 bytes at address 0x220 (line 4), for pc 17 of program 3"));
}

BOOST_AUTO_TEST_SUITE_END()
