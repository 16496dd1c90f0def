// The DRAM at its socket: a timing table in cycles of its command clock, full queues, data, bad
// payloads and parameters.
#include <fermata/models/memory/dram.h>

#include "tests/support/line_master.h"
#include "tests/support/test.h"

using namespace fermata;
using test::LineMaster;
using test::LineRequest;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));
constexpr Cycle kLatency = 100;

/// Returns the parameters of the GTX 480, with a round latency.
Dram::Parameters plain() {
  Dram::Parameters p;
  p.latency = kLatency;
  return p;
}

/// Returns parameters of one channel. Rows of 4 KiB follow each other in a bank: bank b, row r is
/// at (r * 16 + b) * 4096.
Dram::Parameters oneChannel() {
  Dram::Parameters p = plain();
  p.channels = 1;
  p.bankBytes = p.rowBytes;
  p.sideBySide = 1;
  return p;
}
constexpr std::uint64_t at(std::uint64_t bank, std::uint64_t row, std::uint64_t column = 0) {
  return (row * 16 + bank) * 4096 + column;
}

struct Bench {
  explicit Bench(const Dram::Parameters& p, const char* name = "dram", const Clock& clock = kClock)
      : clock_(clock),
        dram(name, clock, p),
        master((std::string(name) + "_master").c_str()),
        checker((std::string(name) + "_checker").c_str()) {
    master.out.bind(checker.in);
    checker.out.bind(dram.in);
  }
  LineRequest& add(Cycle cycle, bool write, std::uint64_t address, unsigned length = 64) {
    return master.add(clock_.time(cycle), write, address, length);
  }
  void run() {
    sc_core::sc_start();
    check();
  }
  /// Checks that each request was answered once.
  void check() const {
    for (const LineRequest& r : master.requests) {
      BOOST_TEST(r.answers == 1U);
      BOOST_TEST(r.status == tlm::TLM_OK_RESPONSE);
    }
    BOOST_TEST(checker.inFlight() == 0U);
    BOOST_TEST(dram.counts().reads + dram.counts().writes == master.requests.size());
    BOOST_TEST(dram.counts().rowHits <= master.requests.size());
  }
  Cycle answered(std::size_t i) const { return clock_.cycles(master.requests[i].answered); }
  Cycle accepted(std::size_t i) const { return clock_.cycles(master.requests[i].accepted); }

  Clock clock_;
  Dram dram;
  LineMaster master;
  LineProtocolChecker checker;
};

struct Row {
  const char* what;
  /// Cycle, kind ('r' or 'w') and place of a request, and the cycle of its answer without the
  /// latency.
  struct Request {
    Cycle cycle;
    char kind;
    std::uint64_t address;
    unsigned length;
    Cycle end;
  };
  std::vector<Request> requests;
};

// RCD 12, RP 12, RAS 28, RC 40, RRD 6, CL 12, WL 4, CDLR 5, WR 12, RTP 2, CCD 2 (3 in a group); a
// burst ends CL + 2 after a read, WL + 2 after a write.
const Row kTable[] = {
    {"a row that is closed: ACT 10, RD 22", {{10, 'r', at(0, 0), 64, 36}}},
    {"two bursts, CCDL apart: RD 22, 25", {{10, 'r', at(0, 0), 128, 39}}},
    {"less than a burst takes one", {{10, 'r', at(0, 0, 32), 32, 36}}},
    {"what crosses a burst takes two", {{10, 'r', at(0, 0, 60), 8, 39}}},
    {"a write: WR 22, answered when its data are in", {{10, 'w', at(0, 0), 64, 28}}},
    {"the row is open: RD 200", {{10, 'r', at(0, 0), 64, 36}, {200, 'r', at(0, 0, 512), 64, 214}}},
    {"another row: PRE 200, ACT 212, RD 224",
     {{10, 'r', at(0, 0), 64, 36}, {200, 'r', at(0, 1), 64, 238}}},
    {"another row at once: PRE when RAS is over, 38, ACT 50, RD 62",
     {{10, 'r', at(0, 0), 64, 36}, {11, 'r', at(0, 1), 64, 76}}},
    {"another row after a write: PRE when WR is over, 40, ACT 52, RD 64",
     {{10, 'w', at(0, 0), 64, 28}, {11, 'r', at(0, 1), 64, 78}}},
    {"two banks overlap: ACT 10, 16, RD 22, 28",
     {{10, 'r', at(0, 0), 64, 36}, {10, 'r', at(1, 0), 64, 42}}},
    {"banks of two groups: their bursts take turns, RD 22 25 28 32 and 30 34 37",
     {{4, 'r', at(1, 0), 64, 30},
      {10, 'r', at(0, 0), 64 * 4, 46},
      {28, 'r', at(1, 0), 64 * 3, 51}}},
    {"write to read: RD 22 + 4 + 2 + 5",
     {{10, 'w', at(0, 0), 64, 28}, {11, 'r', at(0, 0), 64, 47}}},
    {"read to write: WR 22 + 12 + 2 + 2 - 4",
     {{10, 'r', at(0, 0), 64, 36}, {11, 'w', at(0, 0), 64, 40}}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(dram)

BOOST_DATA_TEST_CASE(timing_table, bdata::xrange(std::size(kTable)), index) {
  const Row& row = kTable[index];
  BOOST_TEST_CONTEXT(row.what) {
    Bench bench(oneChannel());
    for (const Row::Request& r : row.requests)
      bench.add(r.cycle, r.kind == 'w', r.address, r.length);
    bench.run();
    for (std::size_t i = 0; i < row.requests.size(); ++i) {
      const Cycle latency = row.requests[i].kind == 'w' ? 0 : kLatency;
      BOOST_TEST(bench.answered(i) == row.requests[i].end + latency);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_refresh_closes_the_rows_and_lets_none_open) {
  Dram::Parameters p = oneChannel();
  p.timing.refi = 1000;
  p.timing.rfc = 300;
  Bench bench(p);
  bench.add(10, false, at(0, 0));
  bench.add(999, false, at(0, 0));
  bench.add(1000, false, at(0, 0));
  bench.add(1400, false, at(1, 0));
  bench.run();
  BOOST_TEST(bench.answered(0) == 36 + kLatency);
  BOOST_TEST(bench.answered(1) == 999 + 14 + kLatency);
  // PRE when RTP is over, 1001, REF 1013, ACT 1313, RD 1325.
  BOOST_TEST(bench.answered(2) == 1325 + 14 + kLatency);
  BOOST_TEST(bench.answered(3) == 1412 + 14 + kLatency);
  BOOST_TEST(bench.dram.counts().rowHits == 1U);
}

// 10 % of the time goes to refreshes.
BOOST_AUTO_TEST_CASE(refreshes_take_their_share_of_the_bandwidth) {
  Dram::Parameters p = plain();
  p.timing.refi = 4000;
  p.timing.rfc = 400;
  Bench bench(p);
  for (unsigned i = 0; i < 12288; ++i) bench.add(10, false, i * 128ULL, 128);
  bench.run();
  const Cycle bus = 12288 / 6 * 4;
  BOOST_TEST(bench.answered(12287) >= bus + bus / 4000 * 400);
  BOOST_TEST(bench.answered(12287) <= bus * 115 / 100 + 400);
}

BOOST_AUTO_TEST_CASE(channels_work_side_by_side) {
  Bench bench(plain());
  for (unsigned i = 0; i < 6; ++i) bench.add(10, false, i * 256);
  bench.run();
  for (unsigned i = 0; i < 6; ++i) BOOST_TEST(bench.answered(i) == 36 + kLatency);
}

// 16 parts of 256 bytes, three for channel 0. ACT of banks 0 and 1 in 10 and 16. Their columns are
// in 22 25 28 32 (bank 0), 30 34 38 42 (bank 1) and 36 40 44 47 (bank 0 again).
BOOST_AUTO_TEST_CASE(a_line_longer_than_a_channel_is_split) {
  Bench bench(plain());
  bench.add(10, false, 0, 4096);
  bench.add(500, false, 0, 4096);
  bench.run();
  BOOST_TEST(bench.answered(0) == 47 + 14 + kLatency);
  BOOST_TEST(bench.dram.counts().reads == 2U);
  BOOST_TEST(bench.dram.counts().rowHits == 1U);  // no row was open for the first
}

BOOST_AUTO_TEST_CASE(a_request_that_opens_a_row_is_no_row_hit_whatever_its_other_parts_are) {
  Dram::Parameters p = oneChannel();
  p.bankBytes = 256;
  Bench bench(p);
  bench.add(10, false, 0, 512);  // two parts of one row
  bench.add(500, false, 0, 512);
  bench.run();
  BOOST_TEST(bench.dram.counts().rowHits == 1U);
}

// Answers of one instant come in the order of the channels. The order must not depend on which
// channel is asked first in the instant in which they become known.
BOOST_AUTO_TEST_CASE(answers_of_one_time_come_in_one_order) {
  Bench waited(plain(), "waited");
  Bench annotated(plain(), "annotated");
  for (Bench* bench : {&waited, &annotated}) {
    bench->add(10, false, 0);
    bench->add(10, false, 5 * 256);
    LineRequest& third = bench->add(10 + 14 + kLatency, false, 5 * 256 + 64);
    if (bench == &annotated) third.lead = kClock.time(100);
  }
  waited.run();
  annotated.check();
  const std::vector<std::size_t> order{0, 1, 2};
  BOOST_TEST(waited.master.order == order, tt::per_element());
  BOOST_TEST(annotated.master.order == order, tt::per_element());
}

// The clock of the GTX 480's memory: 1082 ps. A request between two edges waits for the next edge.
BOOST_AUTO_TEST_CASE(requests_between_edges_wait_for_the_next) {
  Bench bench(oneChannel(), "dram", Clock::fromMegahertz(924));
  bench.add(10, false, at(0, 0));
  bench.master.add(sc_core::sc_time(1082 * 300 - 1, sc_core::SC_PS), false, at(0, 0), 64);
  bench.master.add(sc_core::sc_time(1082 * 600 + 1, sc_core::SC_PS), false, at(0, 0), 64);
  bench.run();
  const auto picoseconds = [&](std::size_t i) { return bench.master.requests[i].answered.value(); };
  BOOST_TEST(picoseconds(0) == 1082 * (36 + kLatency));
  BOOST_TEST(picoseconds(1) == 1082 * (314 + kLatency));
  BOOST_TEST(picoseconds(2) == 1082 * (615 + kLatency));
}

BOOST_AUTO_TEST_CASE(a_younger_row_hit_overtakes) {
  Bench bench(oneChannel());
  bench.add(10, false, at(0, 0));
  bench.add(10, false, at(0, 1));
  bench.add(10, false, at(0, 0, 64));
  bench.run();
  BOOST_TEST(bench.answered(2) == 39 + kLatency);
  BOOST_TEST(bench.answered(1) == 76 + kLatency);
  BOOST_TEST(bench.dram.counts().rowHits == 1U);
}

// PRE of the older one is due in 38: an access that comes before still finds the row open.
BOOST_DATA_TEST_CASE(commands_are_chosen_as_late_as_possible, bdata::make({37U, 38U, 39U}), comes) {
  Bench bench(oneChannel());
  bench.add(10, false, at(0, 0));
  bench.add(10, false, at(0, 1));
  bench.add(comes, false, at(0, 0, 64));
  bench.run();
  const bool hit = comes <= 38;
  BOOST_TEST(bench.dram.counts().rowHits == (hit ? 1U : 0U));
  if (hit) {
    BOOST_TEST(bench.answered(2) == comes + 14 + kLatency);
  } else {
    BOOST_TEST(bench.answered(1) == 76 + kLatency);
  }
}

BOOST_AUTO_TEST_CASE(the_oldest_does_not_starve_behind_row_hits) {
  Dram::Parameters p = oneChannel();
  p.patience = 300;
  Bench bench(p);
  bench.add(10, false, at(0, 0));
  bench.add(11, false, at(0, 1));
  for (unsigned i = 0; i < 1000; ++i) bench.add(12 + 2 * i, false, at(0, 0, 64 * (i % 64)));
  bench.run();
  // It must wait no longer in 311: PRE, RP, RCD, its burst.
  BOOST_TEST(bench.answered(1) >= 311 + 24 + 14 + kLatency);
  BOOST_TEST(bench.answered(1) <= 311 + 2 + 24 + 14 + kLatency);
}

BOOST_AUTO_TEST_CASE(a_write_does_not_starve_behind_reads) {
  Dram::Parameters p = oneChannel();
  p.patience = 300;
  Bench bench(p);
  bench.add(10, false, at(0, 0));
  bench.add(10, true, at(1, 0));
  for (unsigned i = 0; i < 1000; ++i) bench.add(12 + 2 * i, false, at(0, 0, 64 * (i % 64)));
  bench.run();
  BOOST_TEST(bench.answered(1) >= 310U);
  BOOST_TEST(bench.answered(1) <= 310 + 12 + 6U);  // last read, turnaround of the bus, its burst
}

BOOST_AUTO_TEST_CASE(a_full_queue_holds_the_request_and_loses_none) {
  Dram::Parameters p = oneChannel();
  p.queue = 4;
  Bench bench(p);
  for (unsigned i = 0; i < 40; ++i) bench.add(10, i % 3 == 0, at(0, i));
  bench.run();
  for (unsigned i = 0; i < 4; ++i) BOOST_TEST(bench.accepted(i) == 10U);
  BOOST_TEST(bench.accepted(4) == 23U);  // the first column, in 22, frees a place
  for (unsigned i = 5; i < 40; ++i) BOOST_TEST(bench.accepted(i) >= bench.accepted(i - 1) + 40);
}

// A held request waits for the queue of one channel; other channels still serve its other parts.
BOOST_AUTO_TEST_CASE(a_held_request_of_several_channels_is_taken_in_parts) {
  Dram::Parameters p = plain();
  p.queue = 1;
  p.verify = true;
  Bench bench(p);
  LineRequest& write = bench.add(10, true, 100, 4096);
  for (unsigned i = 0; i < 4096; ++i) write.data[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  bench.add(10, false, 100, 4096);
  bench.run();
  BOOST_TEST(bench.master.requests[1].data == bench.master.requests[0].data, tt::per_element());
}

// From the second burst on, one per CCD; one per CCDL if all are of one bank group.
BOOST_DATA_TEST_CASE(row_hits_reach_the_bandwidth_of_the_bus, bdata::make({1U, 4U}), groups) {
  Dram::Parameters p = oneChannel();
  p.bankGroups = groups;
  p.timing.ccdl = groups == 1 ? p.timing.ccd : 3;
  Bench bench(p);
  const unsigned lines = 4000;
  for (unsigned i = 0; i < lines; ++i) bench.add(10, false, at(0, 0, 128 * (i % 32)), 128);
  bench.run();
  const Cycle apart = groups == 1 ? 2 : 3;
  BOOST_TEST(bench.answered(lines - 1) == 22 + (2 * lines - 1) * apart + 14 + kLatency);
  BOOST_TEST(bench.dram.counts().rowHits == lines - 1U);
}

// The GTX 480's map alternates between banks of two groups: one burst per CCD. 64 KiB of a channel
// open 16 rows.
BOOST_AUTO_TEST_CASE(lines_one_after_the_other_keep_all_channels_busy) {
  Bench bench(plain());
  const unsigned lines = 12288;  // 256 KiB per channel
  for (unsigned i = 0; i < lines; ++i) bench.add(10, false, i * 128ULL, 128);
  bench.run();
  const Cycle bus = lines / 6 * 2 * 2;
  BOOST_TEST(bench.answered(lines - 1) >= bus);
  BOOST_TEST(bench.answered(lines - 1) <= bus * 102 / 100 + kLatency + 100);
  BOOST_TEST(bench.dram.counts().rowHits == lines - 6 * 4 * 16U);
}

namespace {

/// Reads and writes of any length over a few rows, some with byte enables; each read holds the data
/// that it must return.
struct RandomTraffic {
  RandomTraffic(unsigned seed, Bench& bench, unsigned requests) : random(seed) {
    Cycle cycle = 0;
    for (unsigned i = 0; i < requests; ++i) {
      if (below(20) == 0) cycle += below(300);
      if (below(2) == 0) cycle += below(4);
      const unsigned length = 1 + (below(4) == 0 ? below(4096) : below(128));
      const std::uint64_t address = kBase + below(kBytes - length);
      LineRequest& r = bench.add(cycle, below(3) == 0, address, length);
      if (below(4) == 0) r.enabled.resize(1 + below(2 * length));
      for (auto& e : r.enabled) e = below(3) == 0 ? TLM_BYTE_DISABLED : TLM_BYTE_ENABLED;
      for (auto& d : r.data) d = static_cast<std::uint8_t>(random());
    }
    bench.master.sending = [this](LineRequest& r) { apply(r); };
  }
  unsigned below(std::uint64_t end) { return static_cast<unsigned>(random() % end); }
  /// Applies a request: stores the data of a write, fills in those of a read.
  void apply(const LineRequest& r) {
    std::vector<std::uint8_t> bytes = r.data;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (!r.enabled.empty() && r.enabled[i % r.enabled.size()] == TLM_BYTE_DISABLED) continue;
      std::uint8_t& kept = memory[r.address - kBase + i];
      (r.write ? kept : bytes[i]) = r.write ? bytes[i] : kept;
    }
    expected.push_back(std::move(bytes));
  }

  static constexpr std::uint64_t kBase = 0xfedcba9876543000ULL;
  static constexpr std::uint64_t kBytes = 1 << 18;
  std::mt19937_64 random;
  std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(kBytes, 0);
  std::vector<std::vector<std::uint8_t>> expected;
};

Dram::Parameters small(unsigned seed) {
  Dram::Parameters p;
  p.verify = true;
  p.channels = 1 + seed % 7;
  p.queue = seed % 3 == 0 ? 1 : 1 + seed * 5 % 64;
  p.rowBytes = 512;
  p.patience = 50 + 100 * (seed % 5);
  if (seed % 2 == 0) p.channelBytes = 1024;
  return p;
}

}  // namespace

// Both twins get the same traffic: the timing of one must not depend on other events in the kernel.
BOOST_DATA_TEST_CASE(random_traffic_is_answered_once_with_what_was_written_last,
                     bdata::xrange(1, 9), seed) {
  const auto s = static_cast<unsigned>(seed);
  Bench bench(small(s));
  Bench twin(small(s), "twin");
  RandomTraffic traffic(s, bench, 3000);
  RandomTraffic same(s, twin, 3000);
  bench.run();
  twin.check();
  for (std::size_t i = 0; i < bench.master.requests.size(); ++i) {
    BOOST_TEST_CONTEXT("request " << i) {
      BOOST_REQUIRE(bench.master.requests[i].data == traffic.expected[i]);
      BOOST_REQUIRE_EQUAL(bench.answered(i), twin.answered(i));
      BOOST_REQUIRE_EQUAL(bench.accepted(i), twin.accepted(i));
    }
  }
  BOOST_TEST(bench.master.order == twin.master.order);
  BOOST_TEST(bench.dram.counts().rowHits > 0U);
  bench.dram.resetCounts();
  BOOST_TEST(bench.dram.counts().reads == 0U);
  BOOST_TEST(bench.dram.counts().rowHits == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
