// With epochs each multiprocessor is counted alone. The sum of their figures is what one set of
// probes counts that hears all of them.
#include "tests/support/apart.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"
#include "tests/support/temporary_folder.h"

#include <type_traits>

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// One set of probes that hears every multiprocessor and what they share.
struct Shared {
  explicit Shared(Simulation& simulation) : banks(simulation.sm().indexer().shape().banks) {
    each([&](auto& probe) { simulation.addProbe(probe); });
  }
  void reset() {
    each([](auto& probe) { probe.reset(); });
  }
  /// Returns `run` with the figures of this set.
  RunOutcome asIn(const RunOutcome& run) const {
    const auto mine = [](const auto* its, const auto& own) { return its == nullptr ? its : &own; };
    return {run.indexer,
            counters.totals(),
            profile,
            banks,
            run.cycles,
            run.occupancy,
            run.residentWarps,
            run.warpSlots,
            run.compared,
            run.wallSeconds,
            mine(run.replays, replays),
            mine(run.l1, caches),
            mine(run.l2, caches),
            mine(run.dram, caches),
            mine(run.wire, wire),
            mine(run.locks, locks),
            run.staged,
            mine(run.forecasts, forecasts),
            run.sms,
            run.energy};
  }

  Counters counters;
  PcProfile profile;
  BankHistogram banks;
  ReplayCounters replays;
  CacheCounters caches;
  WireCounter wire;
  LockCounters locks;
  ForecastCounters forecasts;

 private:
  template <class Call>
  void each(Call call) {
    call(counters), call(profile), call(banks), call(replays);
    call(caches), call(wire), call(locks), call(forecasts);
  }
};

template <class Counts>
bool alike(const Counts& a, const Counts& b) {
  static_assert(std::has_unique_object_representations_v<Counts>);
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// True if both counted the same in all, and for each instruction of `profile`.
template <class Counter>
bool alike(const Counter* a, const Counter* b, const PcProfile& profile) {
  if (a == nullptr) return b == nullptr;
  bool same = alike(a->counts().totals(), b->counts().totals());
  for (std::uint32_t program = 0; program < profile.entries().size(); ++program) {
    for (std::uint32_t pc = 0; pc < profile.entries()[program].size(); ++pc) {
      const auto* const one = a->counts().of(program, pc);
      const auto* const other = b->counts().of(program, pc);
      same = same && one != nullptr && other != nullptr && alike(*one, *other);
    }
  }
  return same;
}

/// Compares figures that no table shows, too.
bool alike(const RunOutcome& a, const RunOutcome& b) {
  return alike(a.totals, b.totals) && alike(a.replays, b.replays, a.profile) &&
         alike(a.dram, b.dram, a.profile) && alike(a.wire, b.wire, a.profile) &&
         alike(a.locks, b.locks, a.profile) &&
         (a.forecasts == nullptr || alike(a.forecasts->counts(), b.forecasts->counts()));
}

void write(const fs::path& folder, const Workload& workload, const RunOutcome& outcome) {
  const RunTables tables;
  results::ResultWriter writer(folder.string(), tables.schema());
  writer.add(tables.record({"kernel"}, workload, outcome));
  writer.commit();
}

/// Runs the kernel twice, the second time on what the first one left, and writes the figures of the
/// second run. Returns 0 if they are alike.
int runTwice(const Configuration& configuration, const Kernel& kernel, const fs::path& folder) {
  Simulation simulation(configuration);
  Shared shared(simulation);
  simulation.run(*kernel.open().workload);
  shared.reset();
  const auto open = kernel.open();
  const RunOutcome outcome = simulation.run(*open.workload);
  const RunOutcome expected = shared.asIn(outcome);
  write(folder / "found", *open.workload, outcome);
  write(folder / "expected", *open.workload, expected);
  return outcome.totals.warpInstructions != 0 && alike(outcome, expected) ? 0 : 1;
}

struct Counted : Named {
  const char* platform;
  Sets sets;
};
const Counted kCounted[] = {
    {"v100", "v100", {"chip.sms=4"}},
    {"replays and wire", "fermi-chip", {"chip.sms=4"}},
    {"sub-cores", "sm_80", {"chip.sms=3", "chip.epoch=8"}},
    {"locks", "gtx580-locked", {"chip.sms=4", "chip.epoch=8"}},
    {"conflict history", "elastic-chip", {"chip.sms=3", "chip.epoch=8"}},
    {"one of many", "v100", {"chip.sms=1"}},
    {"two memories", "fermi-ami", {"chip.sms=2", "chip.epoch=17", "global.memory=l1"}}};
const Kernel kCountedKernels[] = {"transpose n=64 tile=16", "reduction variant=2 n=8192",
                                  "histogram", "matmul n=64", "lud"};

}  // namespace

BOOST_AUTO_TEST_SUITE(run_figures)

BOOST_DATA_TEST_CASE(the_sum_is_what_one_set_counts,
                     bdata::make(kCounted) * bdata::make(kCountedKernels), one, kernel) {
  const TemporaryFolder folder;
  const int status = inChild([&] {
    try {
      return runTwice(platform(one.platform, one.sets), kernel, folder.path());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 2;
    }
  });
  BOOST_REQUIRE(status == 0);
  for (const char* file : {"runs.csv", "instructions.csv", "banks.csv"})
    BOOST_TEST((bytesOf(folder / "found" / file) == bytesOf(folder / "expected" / file)),
               file << " differs");
}

namespace {

ScriptedWorkload fiveCtas() {
  ScriptedWorkload workload(5, 32);
  workload.add(InstructionClass::Integer, {1}, {1});
  workload.repeat = 20;
  return workload;
}

}  // namespace

// Each hears one multiprocessor and no grid; a probe added later hears all, and each grid once.
BOOST_AUTO_TEST_CASE(a_listener_of_one_multiprocessor_hears_no_other) {
  Connector connector;
  std::array<Counters, 3> own;
  Simulation simulation(platform("gtx480", {"chip.sms=3", "chip.epoch=64"}), connector,
                        BuildOrder::Rising, nullptr, {&own[0], &own[1], &own[2]});
  Counters all;
  simulation.addProbe(all);
  ScriptedWorkload workload = fiveCtas();
  const RunOutcome outcome = simulation.run(workload);
  const std::array<unsigned, 3> ctas{2, 2, 1};
  for (unsigned i = 0; i < 3; ++i) {
    BOOST_TEST(own[i].totals().ctas == ctas[i]);
    BOOST_TEST(own[i].totals().launches == 0U);
  }
  BOOST_TEST(outcome.totals.ctas == 5U);
  BOOST_TEST(outcome.totals.launches == 1U);
  BOOST_TEST(alike(outcome.totals, all.totals()));
}

BOOST_AUTO_TEST_SUITE_END()
