// A replay gives each warp the recorded instructions, in any order and at a bounded cost.
#include <fermata/stimuli/patterns/patterns.h>
#include "tests/traces/fake_workload.h"
#include "tests/traces/trace_files.h"

using namespace fermata;
using namespace fermata::test;

namespace {

const std::vector<Order> kOrders{Order::RoundRobin, Order::Greedy, Order::Reverse, Order::Random};

void checkEqual(const RunResult& replayed, const RunResult& recorded) {
  BOOST_TEST(replayed.instructions == recorded.instructions);
  BOOST_TEST(replayed.grids == recorded.grids, tt::per_element());
  BOOST_REQUIRE_EQUAL(replayed.streams.size(), recorded.streams.size());
  BOOST_TEST((replayed.streams == recorded.streams));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(replay, InScratch)

BOOST_AUTO_TEST_CASE(any_order_replays_any_recording) {
  for (const Order recordedIn : kOrders) {
    for (const unsigned residents : {1U, 3U, 8U}) {
      FakeWorkload fake;
      const std::string path = scratch.file("trace.csv");
      const RunResult recorded = recordTo(fake, path, options(recordedIn, residents));
      BOOST_TEST(recorded.instructions > 500U);
      for (const Order replayedIn : kOrders) {
        for (const unsigned others : {1U, 2U, 8U}) {
          const auto trace = traces::openTrace(path);
          checkEqual(record(*trace, options(replayedIn, others)), recorded);
          BOOST_TEST(trace->pool().bufferedRows() == 0U);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(many_seeds_and_shapes) {
  const std::string path = scratch.file("trace.csv");
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    FakeWorkload fake({1 + seed % 9, static_cast<std::uint32_t>(1 + seed * 97 % 1024),
                       static_cast<unsigned>(seed % 30), seed});
    const RunResult recorded = recordTo(fake, path, options(Order::Random, 4));
    const auto trace = traces::openTrace(path);
    checkEqual(record(*trace, options(Order::Greedy, 2)), recorded);
  }
}

BOOST_AUTO_TEST_CASE(programs_and_their_texts_are_kept) {
  FakeWorkload fake;
  recordTo(fake, scratch.file("trace.csv"), options(Order::Greedy, 1));
  const auto trace = traces::openTrace(scratch.file("trace.csv"));
  record(*trace, options(Order::Greedy, 1));
  BOOST_TEST(trace->programCount() == fake.programCount());
  BOOST_TEST(describePrograms(*trace) == describePrograms(fake));
}

BOOST_AUTO_TEST_CASE(the_recorder_changes_nothing) {
  FakeWorkload alone;
  FakeWorkload recorded;
  const RunOptions run = options(Order::Random, 3);
  const RunResult expected = record(alone, run);
  checkEqual(recordTo(recorded, scratch.file("trace.csv"), run), expected);
}

BOOST_AUTO_TEST_CASE(a_replay_can_be_recorded_to_the_same_bytes) {
  FakeWorkload fake;
  const RunOptions run = options(Order::Random, 3);
  recordTo(fake, scratch.file("first.csv"), run);
  const auto trace = traces::openTrace(scratch.file("first.csv"));
  recordTo(*trace, scratch.file("second.csv"), run);
  // A program's text is known when a recording begins; the rows of a replayed trace keep their
  // order.
  BOOST_TEST(bytesOf(scratch.file("first.csv")) == bytesOf(scratch.file("second.csv")));
}

BOOST_AUTO_TEST_CASE(zstd_is_the_same_trace) {
  FakeWorkload plain;
  FakeWorkload packed;
  const RunOptions run = options(Order::RoundRobin, 4);
  const RunResult recorded = recordTo(plain, scratch.file("trace.csv"), run);
  recordTo(packed, scratch.file("trace.csv.zst"), run);
  BOOST_TEST(bytesOf(scratch.file("trace.csv.zst")).size() * 2 <
             bytesOf(scratch.file("trace.csv")).size());
  const auto trace = traces::openTrace(scratch.file("trace.csv.zst"));
  checkEqual(record(*trace, options(Order::Reverse, 2)), recorded);
}

BOOST_AUTO_TEST_CASE(zstd_is_known_by_its_bytes_not_its_name) {
  FakeWorkload fake;
  const RunOptions run = options(Order::RoundRobin, 4);
  const RunResult recorded = recordTo(fake, scratch.file("trace.csv.zst"), run);
  fs::rename(scratch.file("trace.csv.zst"), scratch.file("trace.csv"));
  checkEqual(record(*traces::openTrace(scratch.file("trace.csv")), run), recorded);
}

BOOST_AUTO_TEST_CASE(the_recorded_order_buffers_a_row_a_warp_however_long) {
  for (const unsigned ctas : {20U, 200U}) {
    for (const Order order : kOrders) {
      const auto pattern = patterns::openPattern(
          "pattern-random", {{"ctas", std::to_string(ctas)}, {"repeat", "50"}, {"threads", "128"}});
      RunOptions run = options(order, 4);
      run.honourBarriers = true;
      recordTo(*pattern, scratch.file("trace.csv"), run);
      const auto trace = traces::openTrace(scratch.file("trace.csv"));
      record(*trace, run);
      BOOST_TEST(trace->pool().spilledBytes() == 0U);
      if (order == Order::RoundRobin || order == Order::Reverse) {
        BOOST_TEST(trace->pool().peakBufferedRows() <= 16U * 2);
      }
      // Peeking reads up to each warp's next row and buffers the rows in between: fewer than those
      // of the resident CTAs (4 CTAs of 4 warps, each at most 50 accesses and 40 more), at any
      // length.
      BOOST_TEST(trace->pool().peakBufferedRows() <= 4U * 4 * 90);
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_beyond_the_window_go_to_the_temporary_file_and_back) {
  const auto pattern = patterns::openPattern(
      "pattern-random", {{"ctas", "8"}, {"repeat", "2000"}, {"threads", "64"}, {"fill", "0"}});
  const RunResult recorded =
      recordTo(*pattern, scratch.file("trace.csv"), options(Order::RoundRobin, 8));
  for (const std::size_t window : {std::size_t{0}, std::size_t{1} << 16}) {
    traces::TraceOptions small;
    small.windowBytes = window;
    const auto trace = traces::openTrace(scratch.file("trace.csv"), small);
    checkEqual(record(*trace, options(Order::Greedy, 1)), recorded);
    BOOST_TEST(trace->pool().spilledBytes() > 1'000'000U);
    // The window, a first and a last block for each of the 16 warps, and one block in the making.
    BOOST_TEST(trace->pool().peakBytes() <= window + (2 * 16 + 1) * traces::RowPool::kBlockBytes);
  }
  const auto trace = traces::openTrace(scratch.file("trace.csv"));
  checkEqual(record(*trace, options(Order::Greedy, 1)), recorded);
  BOOST_TEST(trace->pool().spilledBytes() == 0U);
}

BOOST_AUTO_TEST_CASE(the_example_of_the_readme_is_a_trace) {
  std::ifstream readme(FERMATA_SOURCE_DIR "/stimuli/traces/README.md");
  std::string text;
  for (std::string line; std::getline(readme, line);) {
    if (line.substr(0, 4) == "    ") text += line.substr(4) + "\n";
  }
  const auto trace = fromText(text);
  const RunResult result = record(*trace, RunOptions());
  BOOST_TEST(result.instructions == 11U);
  const std::vector<std::string>& warp = result.streams.at({0, 0, 1});
  BOOST_TEST(has(warp.at(0), "at 268435968"));
  BOOST_TEST(has(warp.at(0), "at 512 528 544 560"));
  BOOST_TEST(has(warp.at(1), "groups 1"));
  BOOST_TEST(has(warp.at(2), "leaves 0"));
  BOOST_TEST(has(warp.at(3), "at 128 132 512 448"));
  BOOST_TEST(trace->instructionText(0, 1).line == 12U);
  BOOST_REQUIRE(trace->deviceMemory().size() == 1U);
  BOOST_TEST(trace->deviceMemory()[0].address == 268435456U);
  BOOST_TEST(trace->deviceMemory()[0].bytes == 1024U);
  BOOST_TEST(trace->deviceMemory()[0].copied);
}

BOOST_AUTO_TEST_CASE(lane_data_is_not_recorded) {
  const auto pattern = patterns::openPattern("pattern-stride", {{"repeat", "3"}, {"ctas", "1"}});
  traces::TraceRecorder recorder(*pattern, scratch.file("trace.csv"));
  recorder.setCarriesData(true);
  unsigned withData = 0;
  runInterleaved(recorder, RunOptions(),
                 [&](const auto&, const auto& out, auto, auto) { withData += out.hasData; });
  recorder.finish();
  BOOST_TEST(withData > 0U);
  const auto trace = traces::openTrace(scratch.file("trace.csv"));
  trace->setCarriesData(true);
  runInterleaved(*trace, RunOptions(),
                 [](const auto&, const auto& out, auto, auto) { BOOST_TEST(!out.hasData); });
}

BOOST_AUTO_TEST_SUITE_END()
