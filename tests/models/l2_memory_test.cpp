// Requests of an L2 to a memory that takes no byte enables and waits for every END_RESP: whole
// sectors, with unwritten bytes unchanged.

#include "tests/support/foreign_memory.h"
#include "tests/support/l2_bench.h"
#include "tests/support/report_log.h"
#include "tests/support/test.h"

using namespace fermata;
using test::Bytes;
using test::sectorOf;

namespace {

L2Cache::Parameters strict(WritePolicy policy) {
  L2Cache::Parameters p = test::L2Bench::parametersOf(policy);
  p.fourPhase = true;
  p.wholeSectors = true;
  return p;
}

struct Bench : test::L2Bench {
  foreign::Memory memory{"memory", foreign::Kind::Strict};

  explicit Bench(WritePolicy policy = WritePolicy::Back) : L2Bench(strict(policy)) {
    l2.out.bind(memory.socket);
  }
  /// Reads another line of the same frame, so that the present one leaves.
  void evict(std::uint64_t address) { ask(address + kSet); }
  /// Accesses the memory itself, untimed.
  Bytes inMemory(std::uint64_t address, Bytes bytes = sectorOf(0),
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
    inMemory(address, sectorOf(value), tlm::TLM_WRITE_COMMAND);
  }
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
  bench.write(0x260, sectorOf(9));
  bench.pass(100);
  bench.evict(0x200);
  bench.pass(1000);
  BOOST_TEST(bench.memory.writes().requests == 2U);
  BOOST_TEST(bench.memory.writes().bytes == 2U * kSectorBytes);
  BOOST_TEST(bench.memory.open() == 0U);
  BOOST_TEST(bench.inMemory(0x200) == with(sectorOf(1), 0, 5, 7));
  BOOST_TEST(bench.inMemory(0x220) == sectorOf(2));
  BOOST_TEST(bench.inMemory(0x240) == sectorOf(3));
  BOOST_TEST(bench.inMemory(0x260) == sectorOf(9));
}

// The memory takes 90 cycles to accept the line of 0x180. So the line that leaves first has not
// arrived when the rest of the second write is filled in.
BOOST_AUTO_TEST_CASE(what_is_on_its_way_is_not_undone) {
  Bench bench;
  bench.fill(0x180, 1);
  bench.write(0x180, Bytes(5, 7));
  bench.pass(100);
  bench.evict(0x180);
  bench.pass(30);
  bench.write(0x188, Bytes(2, 9));
  bench.evict(0x180 + Bench::kSet);
  bench.pass(1000);
  BOOST_TEST(bench.memory.writes().requests == 2U);
  BOOST_TEST(bench.inMemory(0x180) == with(with(sectorOf(1), 0, 5, 7), 8, 2, 9));
}

BOOST_AUTO_TEST_CASE(a_write_through_is_rounded_to_its_sectors) {
  Bench bench(WritePolicy::Through);
  bench.fill(0x200, 1);
  bench.fill(0x220, 2);
  bench.write(0x21e, Bytes(5, 7));
  bench.pass(1000);
  BOOST_TEST(bench.memory.writes().requests == 1U);
  BOOST_TEST(bench.memory.writes().bytes == 2U * kSectorBytes);
  BOOST_TEST(bench.inMemory(0x200) == with(sectorOf(1), 30, 2, 7));
  BOOST_TEST(bench.inMemory(0x220) == with(sectorOf(2), 0, 3, 7));
}

// Taken after one cycle, carried out at once, answered 40 + 4 * 37 % 98 cycles later.
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
