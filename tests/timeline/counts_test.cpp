// A timeline of a whole run adds up to the figures of the run.
#include "tests/energy/result_files.h"
#include "tests/timeline/trace.h"

namespace fermata::test {
namespace {

struct Case {
  std::string platform;
  std::string arguments;
  bool barriers = false;  ///< warps wait at barriers
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.platform << " " << one.arguments;
}

const Case kCases[] = {
    {"gtx480", "transpose --param tile=32 --param n=64", true},
    {"gtx480", "transpose --param tile=32 --param n=64 --set core.memory_queue=4"},
    {"gtx480", "reduction --param n=1024", true},
    {"gtx480", "scan --param n=1000 --set scheduler.issue_width=2", true},
    {"gtx480",
     "stride --param stride=32 --param iterations=1 --param blocks=2 --set "
     "scratchpad.conflict_policy=replay"},
    {"gtx480",
     "transpose --param n=64 --set scratchpad.conflict_policy=replay --set replay.capacity=4"},
    {"gtx480", "transpose --param n=64 --set scratchpad.conflict_policy=ideal"},
    {"gtx480",
     "hist256 --param n=2048 --param blocks=1 --param threads=256 --set scratchpad.atomics=native"},
    {"gtx580-atomics", "histogram --param bins=64 --param width=32 --param height=32"},
    {"gtx480-caches", "hist64 --param n=2048"},
    {"fermi-ami", "nw --param n=32"},
    {"fermi-ami", "srad --param n=16 --set l1.write_policy=through"},
    {"fermi-chip", "scan --param n=600 --set chip.sms=3", true},
    {"elastic-gt200", "dct --param width=32 --param height=32"},
    {"elastic-gt200", "reduction --param n=512 --set pipeline.organisation=unified", true},
    {"elastic-gt200", "reduction --param n=512 --set pipeline.organisation=split", true},
    {"k20", "transpose --param n=64"},
    {"gtx280", "matmul --param n=16"},
};

/// A run, its timeline and its files.
struct Run : Folder {
  explicit Run(const Case& one, const std::string& more = "") {
    const Outcome outcome = runProgram("run " + one.platform + " " + one.arguments +
                                           " --quiet --out o --timeline t.pftrace "
                                           "--timeline-window 0:1000000000 " +
                                           more,
                                       path)
                                .ok();
    BOOST_TEST(outcome.text == "");  // no event was late or overlapped
    trace = readTrace(path / "t.pftrace");
  }
  ResultTable table(const std::string& name) const { return ResultTable(path / "o" / name); }
  Trace trace;
};

/// Returns a figure of runs.csv; 0 if the platform does not count it.
std::uint64_t figure(const ResultTable& runs, const std::string& column) {
  return runs.cell(0, column).empty() ? 0 : runs.integer(0, column);
}

bool isWait(const std::string& name) {
  return name.rfind("wait ", 0) == 0 || name.rfind("barrier ", 0) == 0;
}

/// Returns the key of instructions with one place and opcode. Instructions without a line, which
/// timelines place near another, get their opcode alone.
std::string placed(const std::string& source, const std::string& opcode) {
  const bool lineless = source.rfind("about ", 0) == 0 || source.empty() || source.back() == ':';
  return (lineless ? "" : source) + " " + opcode;
}

void checkIssues(const Run& run) {
  std::map<std::string, std::uint64_t> issues;
  std::uint64_t all = 0;
  run.trace.eachSlice("/warps/", [&](const Slice& slice) {
    if (isWait(slice.name)) return;
    BOOST_TEST(slice.cycles() == 1U);
    ++issues[placed(slice.source, slice.name)];
    ++all;
  });
  const ResultTable runs = run.table("runs.csv");
  BOOST_TEST(all == runs.integer(0, "warp_instructions"));
  std::map<std::string, std::uint64_t> expected;
  const ResultTable instructions = run.table("instructions.csv");
  for (std::size_t row = 0; row < instructions.size(); ++row) {
    const std::string place =
        instructions.cell(row, "source_file") + ":" + instructions.cell(row, "line");
    expected[placed(place, instructions.cell(row, "opcode"))] +=
        instructions.integer(row, "executions");
  }
  for (const auto& [name, count] : expected) BOOST_TEST(issues[name] == count, name);
  std::uint64_t slots = 0;
  run.trace.eachSlice("/issue slot", [&](const Slice& slice) { slots += slice.cycles(); });
  BOOST_TEST(slots == all + figure(runs, "replays") + figure(runs, "squashes"));
}

void checkPasses(const Run& run) {
  const ResultTable runs = run.table("runs.csv");
  std::uint64_t passes = 0;
  run.trace.eachSlice("/passes", [&](const Slice& slice) { passes += slice.cycles(); });
  BOOST_TEST(passes == runs.integer(0, "wavefronts"));
  double conflicts = 0;
  for (const auto& [track, values] : run.trace.values) {
    if (!has(track, "/conflict passes")) continue;
    for (std::size_t i = 1; i < values.size(); ++i)
      BOOST_TEST(values[i - 1].value <= values[i].value);
    conflicts += values.back().value;
  }
  BOOST_TEST(conflicts == static_cast<double>(runs.integer(0, "wavefronts_excessive")));
}

void checkBanks(const Run& run) {
  const ResultTable banks = run.table("banks.csv");
  for (std::size_t row = 0; row < banks.size(); ++row) {
    std::uint64_t words = 0;
    const std::string bank = "/bank " + banks.cell(row, "bank");
    for (const auto& [track, slices] : run.trace.slices) {
      if (track.size() < bank.size() ||
          track.compare(track.size() - bank.size(), bank.size(), bank) != 0)
        continue;
      for (const Slice& slice : slices) words += slice.number;
    }
    BOOST_TEST(words == banks.integer(row, "accesses"), bank);
  }
}

void checkReplays(const Run& run) {
  const ResultTable runs = run.table("runs.csv");
  for (const char* cause : {"bank", "tag", "divergence", "set"}) {
    BOOST_TEST(run.trace.count("/replays", std::string("replay: ") + cause) ==
               figure(runs, std::string("replays_") + cause));
  }
  BOOST_TEST(run.trace.count("/replays", "replay: ") == figure(runs, "replays"));
  BOOST_TEST(run.trace.count("/replays", "squash") == figure(runs, "squashes"));
}

void checkCachesAndLocks(const Run& run) {
  const ResultTable runs = run.table("runs.csv");
  BOOST_TEST(run.trace.sum("/L1", "hit") == figure(runs, "l1_hits"));
  BOOST_TEST(run.trace.sum("/L1", "miss") == figure(runs, "l1_misses"));
  BOOST_TEST(run.trace.sum("/L2", "hit") == figure(runs, "l2_hits"));
  BOOST_TEST(run.trace.sum("/L2", "hit") + run.trace.sum("/L2", "miss") ==
             figure(runs, "l2_accesses"));
  BOOST_TEST(run.trace.sum("/DRAM", "read") == figure(runs, "dram_reads"));
  BOOST_TEST(run.trace.sum("/DRAM", "write") == figure(runs, "dram_writes"));
  BOOST_TEST(run.trace.sum("/DRAM", "row hit") == figure(runs, "dram_row_hits"));
  BOOST_TEST(run.trace.sum("/locks", "tries") == figure(runs, "lock_tries"));
  BOOST_TEST(run.trace.sum("/locks", "failures") == figure(runs, "lock_failures_position") +
                                                        figure(runs, "lock_failures_alias") +
                                                        figure(runs, "lock_failures_other_warp"));
}

// Checks that a flow begins with the issue of an access, goes by the memory port, and ends with its
// response.
void checkFlows(const Run& run) {
  std::map<std::uint64_t, std::uint64_t> issued;
  std::map<std::uint64_t, std::uint64_t> tries;
  std::map<std::uint64_t, std::uint64_t> responses;
  run.trace.eachSlice("/warps/", [&](const Slice& slice) {
    if (slice.flow != 0) BOOST_TEST(issued.emplace(slice.flow, slice.from).second);
  });
  run.trace.eachSlice("/memory port", [&](const Slice& slice) {
    BOOST_TEST((slice.from >= issued.at(slice.flow)));
    ++tries[slice.flow];
  });
  for (const auto& [track, instants] : run.trace.instants) {
    if (!has(track, "/warps/")) continue;
    for (const Instant& instant : instants) {
      BOOST_TEST(instant.flowEnds);
      BOOST_TEST((instant.at > issued.at(instant.flow)));
      BOOST_TEST(responses.emplace(instant.flow, instant.at).second);
    }
  }
  const ResultTable runs = run.table("runs.csv");
  BOOST_TEST(issued.size() >=
             runs.integer(0, "shared_accesses") + runs.integer(0, "global_accesses"));
  BOOST_TEST(responses.size() == issued.size());
  BOOST_TEST(tries.size() == issued.size());
  std::uint64_t all = 0;
  for (const auto& [flow, count] : tries) all += count;
  BOOST_TEST(all == issued.size() + figure(runs, "replays") + figure(runs, "squashes"));
}

// Checks the resident warps over time, and that each warp has a state from its begin to its end.
void checkWarps(const Run& run) {
  const ResultTable runs = run.table("runs.csv");
  const auto cycles = static_cast<double>(runs.integer(0, "cycles"));
  double resident = 0;
  for (const auto& [track, values] : run.trace.values) {
    if (!has(track, "/resident warps")) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double until = i + 1 == values.size() ? cycles : static_cast<double>(values[i + 1].at);
      resident += values[i].value * (until - static_cast<double>(values[i].at));
    }
    BOOST_TEST(values.back().value == 0);
  }
  const double sms = resident / cycles / runs.real(0, "active_warps_mean");
  BOOST_TEST(std::abs(sms - std::round(sms)) < 1e-6);  // the mean is per multiprocessor
  std::uint64_t gaps = 0;
  for (const auto& [track, slices] : run.trace.slices) {
    if (!has(track, "/warps/")) continue;
    for (std::size_t i = 1; i < slices.size(); ++i)
      gaps += slices[i].from != slices[i - 1].to && slices[i - 1].name != "exit" ? 1U : 0U;
  }
  BOOST_TEST(gaps <= runs.integer(0, "ctas") * 32);
}

// Checks that a warp waits at most from its arrival to the last one's, and that a CTA's place shows
// the longest wait.
void checkBarriers(const Case& one, const Run& run) {
  std::uint64_t waits = 0;
  run.trace.eachSlice("/warps/", [&](const Slice& slice) {
    if (slice.name.rfind("barrier ", 0) == 0) ++waits;
  });
  std::uint64_t places = 0;
  run.trace.eachSlice("/barriers/", [&](const Slice&) { ++places; });
  std::uint64_t executed = 0;
  const ResultTable instructions = run.table("instructions.csv");
  for (std::size_t row = 0; row < instructions.size(); ++row) {
    if (instructions.cell(row, "class") == "barrier")
      executed += instructions.integer(row, "executions");
  }
  BOOST_TEST(waits <= executed);
  BOOST_TEST(places <= waits);
  BOOST_TEST((waits == 0) == (places == 0));
  if (one.barriers) BOOST_TEST((executed != 0 && 2 * waits >= executed));
}

}  // namespace

BOOST_DATA_TEST_CASE(timelines_add_up_to_the_figures_of_the_run, bdata::make(kCases), one) {
  const Run run(one);
  checkIssues(run);
  checkPasses(run);
  checkBanks(run);
  checkReplays(run);
  checkCachesAndLocks(run);
  checkFlows(run);
  checkWarps(run);
  checkBarriers(one, run);
}

}  // namespace fermata::test
