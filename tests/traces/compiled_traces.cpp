// The compiled form of a trace: it gives the same replay, appears whole or not at all, and never
// disturbs.
#include <sys/stat.h>

#include <fermata/stimuli/patterns/patterns.h>
#include "tests/traces/compiled_files.h"

using namespace fermata;
using namespace fermata::test;

namespace {

std::unique_ptr<Workload> scattered(unsigned repeat = 40) {
  return patterns::openPattern("pattern-random", {{"ctas", "3"},
                                                  {"threads", "80"},
                                                  {"repeat", std::to_string(repeat)},
                                                  {"compute", "1"},
                                                  {"fill", "0"}});
}

/// Returns workloads with all shapes of addresses: any mask and run (fake workloads), and scattered
/// lanes (pattern).
std::vector<std::unique_ptr<Workload>> workloads() {
  std::vector<std::unique_ptr<Workload>> all;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto threads = static_cast<std::uint32_t>(seed * 119);
    all.push_back(std::make_unique<FakeWorkload>(FakeWorkload::Shape{1 + seed, threads, 40, seed}));
  }
  all.push_back(scattered());
  return all;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(compiled_traces, InScratch)

BOOST_AUTO_TEST_CASE(replays_what_the_text_says_in_any_order) {
  for (const char* const name : {"trace.csv", "trace.csv.zst"}) {
    const std::string path = scratch.file(name);
    for (const auto& workload : workloads()) {
      const RunResult recorded = recordTo(*workload, path, anyOrder());
      BOOST_TEST((replay(path).streams == recorded.streams));
      BOOST_TEST(isReplayedCompiled(path));
      for (const Order order : {Order::RoundRobin, Order::Greedy, Order::Reverse, Order::Random}) {
        RunOptions other = anyOrder();
        other.order = order;
        const auto trace = traces::openTrace(path, always());
        const RunResult replayed = record(*trace, other);
        BOOST_TEST((replayed.streams == recorded.streams));
        BOOST_TEST(replayed.grids == recorded.grids, tt::per_element());
        BOOST_TEST(describePrograms(*trace) == describePrograms(*workload));
      }
    }
  }
}

// Opening the FIFO would wait for its other end, and replacing it would remove a user's file.
BOOST_AUTO_TEST_CASE(a_fifo_in_its_place_stays) {
  const std::string path = scratch.file("trace.csv");
  const RunResult recorded = recordTo(*scattered(), path, anyOrder());
  const std::string fifo = path + traces::kCompiledSuffix;
  BOOST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  BOOST_TEST((replay(path).streams == recorded.streams));
  BOOST_TEST(fs::is_fifo(fifo));
  BOOST_TEST(scratch.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(is_recorded_again_to_the_same_text) {
  const std::string path = scratch.file("trace.csv");
  for (const auto& workload : workloads()) {
    recordTo(*workload, path, anyOrder());
    replay(path);
    recordTo(*traces::openTrace(path, always()), scratch.file("again.csv"), anyOrder());
    BOOST_TEST(bytesOf(scratch.file("again.csv")) == bytesOf(path));
  }
}

BOOST_AUTO_TEST_CASE(is_the_same_bytes_whatever_the_order_of_the_replay) {
  const std::string path = scratch.file("trace.csv");
  FakeWorkload fake;
  recordTo(fake, path, anyOrder());
  replay(path);
  const std::string compiled = bytesOf(path + ".compiled");
  BOOST_TEST(compiled.size() > 1000U);
  for (const Order order : {Order::Greedy, Order::Random}) {
    fs::remove(path + ".compiled");
    RunOptions other = anyOrder();
    other.order = order;
    other.residentCtas = 5;
    record(*traces::openTrace(path, always()), other);
    BOOST_TEST(bytesOf(path + ".compiled") == compiled);
  }
  BOOST_TEST(scratch.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(holds_scattered_addresses_in_half_the_bytes_of_the_text) {
  const std::string path = scratch.file("trace.csv");
  const auto pattern = patterns::openPattern("pattern-random", {{"ctas", "2"}, {"fill", "0"}});
  recordTo(*pattern, path, anyOrder());
  replay(path);
  BOOST_TEST(bytesOf(path + ".compiled").size() * 2 < bytesOf(path).size());
}

BOOST_AUTO_TEST_CASE(belongs_to_one_text) {
  const std::string path = scratch.file("trace.csv");
  FakeWorkload first({3, 80, 40, 1});
  FakeWorkload second({3, 80, 40, 2});
  recordTo(first, path, anyOrder());
  replay(path);
  const RunResult recorded = recordTo(second, path, anyOrder());
  BOOST_TEST(!isReplayedCompiled(path));
  BOOST_TEST((replay(path).streams == recorded.streams));
  BOOST_TEST(isReplayedCompiled(path));  // compiled anew
  put(path, bytesOf(path) + "\n");       // equal contents in another file
  BOOST_TEST(!isReplayedCompiled(path));
  BOOST_TEST((replay(path).streams == recorded.streams));
}

BOOST_AUTO_TEST_CASE(a_trace_that_changes_while_it_is_read_is_not_compiled) {
  const std::string path = scratch.file("trace.csv");
  FakeWorkload first({3, 80, 40, 1});
  FakeWorkload second({3, 80, 40, 2});
  const RunResult recorded = recordTo(first, path, anyOrder());
  recordTo(second, scratch.file("other.csv"), anyOrder());
  const auto trace = traces::openTrace(path, always());
  fs::rename(scratch.file("other.csv"), path);
  BOOST_TEST((record(*trace, anyOrder()).streams == recorded.streams));
  BOOST_TEST(scratch.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(a_bad_trace_leaves_nothing_and_its_error_stays) {
  FakeWorkload fake({2, 40, 8, 3});
  recordTo(fake, scratch.file("whole.csv"), anyOrder());
  const std::string whole = bytesOf(scratch.file("whole.csv"));
  const std::string path = scratch.file("bad.csv");
  for (std::size_t size = 0; size < whole.size() - 1; size += 7) {
    put(path, whole.substr(0, size));
    const std::string wrong = errorOf(path, never());
    BOOST_TEST(wrong.find(path) == 0U);
    BOOST_TEST(errorOf(path, always()) == wrong);
    BOOST_TEST(errorOf(path, always()) == wrong);
  }
  BOOST_TEST(scratch.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(a_replay_that_is_given_up_leaves_nothing) {
  const std::string path = scratch.file("trace.csv");
  FakeWorkload fake;
  recordTo(fake, path, anyOrder());
  {
    const auto trace = traces::openTrace(path, always());
    trace->setWarpSlots(64);
    BOOST_TEST((trace->nextGrid() != nullptr));
  }
  BOOST_TEST(scratch.entries() == 1U);
}

BOOST_AUTO_TEST_CASE(two_replays_at_a_time_do_not_meet) {
  const std::string path = scratch.file("trace.csv");
  FakeWorkload fake;
  const RunResult recorded = recordTo(fake, path, anyOrder());
  const auto first = traces::openTrace(path, always());
  const auto second = traces::openTrace(path, always());
  BOOST_TEST((record(*second, anyOrder()).streams == recorded.streams));
  const std::string compiled = bytesOf(path + ".compiled");
  BOOST_TEST((record(*first, anyOrder()).streams == recorded.streams));
  BOOST_TEST(bytesOf(path + ".compiled") == compiled);
  BOOST_TEST(scratch.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(where_it_cannot_be_written_the_text_is_replayed) {
  FakeWorkload fake;
  const std::string path = scratch.file(std::string(250, 'x') + ".csv");  // no room for a suffix
  RunResult recorded;
  {
    const std::string recordedTo = scratch.file("trace.csv");
    recorded = recordTo(fake, recordedTo, anyOrder());
    fs::rename(recordedTo, path);
  }
  BOOST_TEST((replay(path).streams == recorded.streams));
  BOOST_TEST(scratch.entries() == 1U);
  const std::string blocked = scratch.file("blocked.csv");
  fs::rename(path, blocked);
  fs::create_directories(blocked + ".compiled/not_empty");
  BOOST_TEST((replay(blocked).streams == recorded.streams));
  BOOST_TEST((replay(blocked).streams == recorded.streams));
  BOOST_TEST(scratch.entries() == 2U);
}

BOOST_AUTO_TEST_CASE(small_traces_have_none_and_who_wants_none_has_none) {
  const std::string path = scratch.file("trace.csv");
  recordTo(*scattered(4), path, anyOrder());
  record(*traces::openTrace(path), anyOrder());
  BOOST_TEST(scratch.entries() == 1U);
  recordTo(*scattered(2000), path, anyOrder());
  BOOST_TEST(fs::file_size(path) > traces::TraceOptions().compileFrom);
  record(*traces::openTrace(path, never()), anyOrder());
  BOOST_TEST(scratch.entries() == 1U);
  const RunResult fromText = record(*traces::openTrace(path), anyOrder());
  BOOST_TEST(scratch.entries() == 2U);
  BOOST_TEST((record(*traces::openTrace(path), anyOrder()).streams == fromText.streams));
  put(path + ".compiled", "not one");
  BOOST_TEST((record(*traces::openTrace(path, never()), anyOrder()).streams == fromText.streams));
  BOOST_TEST(bytesOf(path + ".compiled") == "not one");
}

BOOST_AUTO_TEST_CASE(one_out_of_proportion_to_a_compressed_trace_is_not_kept) {
  const std::string path = scratch.file("trace.csv.zst");
  const auto stride = patterns::openPattern("pattern-stride", {{"ctas", "4"}, {"compute", "2"}});
  recordTo(*stride, path, anyOrder());
  replay(path);
  BOOST_TEST(scratch.entries() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
