// The replay policy and its buffer: the cost of a replay, counts equal to those of serialize, and
// no lane lost for any size, order or latency of the buffer.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

Sets replay(const Sets& sets) {
  return sets + Sets{"scratchpad.conflict_policy=replay"};
}

/// One warp executes `steps` loads, each dependent on the previous, of degree `way`.
struct Chain : ScriptedWorkload {
  Chain(unsigned way, unsigned steps) : ScriptedWorkload(1, 32) {
    grid.sharedBytesPerCta = 32768;
    repeat = steps;
    addMemory(MemorySpace::Shared, MemoryOperation::Load, 4,
              [way](auto, auto, unsigned lane, auto) -> std::uint64_t {
                return lane < way ? 128 * lane : 4 * lane;
              },
              {1}, {1});
  }
};

/// Compares the counts of all tries with those of the whole access at once.
class SerializeOracle : public Probe {
 public:
  explicit SerializeOracle(const PlatformParameters& p)
      : resolver_(p.scratchpad.banks, p.crossbar.ports, p.crossbar.groups, p.crossbar.rowWords) {}

  unsigned events() const override { return SharedTries | SharedAccesses; }
  void sharedTry(const WarpAccess& access) override {
    if (access.tries != 1) return;
    auto whole = std::make_unique<WarpAccess>(access);
    whole->wordsLeft = {};  // the whole access, not what its first try left
    resolver_.resolve(*whole);
    for (const LaneMask leaders : whole->leaders) words += laneCount(leaders);
    open_[access.sequence] = {whole->passes, whole->freePasses};
  }
  void sharedAccess(const WarpAccess& access) override {
    const auto whole = open_.find(access.sequence);
    BOOST_REQUIRE((whole != open_.end()));
    BOOST_TEST(access.allPasses == whole->second.first);
    BOOST_TEST(access.allFreePasses == whole->second.second);
    open_.erase(whole);
    ++compared;
  }

  std::uint64_t compared = 0;
  std::uint64_t words = 0;

 private:
  ConflictResolver resolver_;
  std::map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> open_;
};

std::uint64_t wordsOf(const BankHistogram& histogram) {
  std::uint64_t words = 0;
  for (const BankHistogram::Bank& bank : histogram.banks()) words += bank.accesses();
  return words;
}

const Kernel kKernels[] = {
    "transpose n=64 tile=16",
    "reduction variant=6 n=4096",
    "lavamd x=1 y=2 z=1",  // 64-bit lanes
    "hist64 n=4096",
    "pattern-random bytes=8 ctas=2 repeat=40",
    "pattern-random bytes=16 ctas=2 repeat=40",
};

const char* const kBanks[] = {
    "scratchpad.indexer=mod 32", "scratchpad.indexer=ami 33",
    "scratchpad.indexer=ami 31", "scratchpad.ports=2",
    "scratchpad.row_words=2",    "crossbar.groups_64=0-3,20-23|4-19|24-31"};

}  // namespace

BOOST_AUTO_TEST_SUITE(replay_policy)

// Each degree more costs one more replay, and each replay its latency.
BOOST_DATA_TEST_CASE(a_dependent_load_costs_a_latency_for_each_way,
                     bdata::make({2U, 3U, 7U, 18U, 40U}), latency) {
  Simulation simulation(gtx480(replay({"replay.latency=" + std::to_string(latency)})));
  constexpr unsigned steps = 20;
  for (const unsigned way : {1U, 2U, 3U, 8U, 31U, 32U}) {
    Chain chain(way, steps);
    const RunOutcome outcome = simulation.run(chain);
    BOOST_TEST_CONTEXT("way " << way) {
      BOOST_TEST(outcome.cycles == steps * (26 + (way - 1) * latency));
      BOOST_TEST(replaysOf(outcome).replays() == steps * (way - 1));
      BOOST_TEST(replaysOf(outcome).squashes() == 0U);
    }
  }
}

BOOST_DATA_TEST_CASE(counts_what_serialize_counts, bdata::make(kKernels) * bdata::make(kBanks), k,
                     banks) {
  const Configuration configuration =
      gtx480(replay({banks, "replay.latency=5", "replay.detection=3", "verify=true"}));
  CheckedSimulation simulation(configuration);
  SerializeOracle oracle(configuration.parameters());
  simulation.simulation.addProbe(oracle);
  const RunOutcome outcome = runVerified(simulation, k);
  BOOST_TEST(oracle.compared == outcome.totals.sharedAccesses());
  BOOST_TEST(oracle.words == wordsOf(outcome.banks));
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * 2);
  if (outcome.totals.sharedAtomics == 0)
    BOOST_TEST(replaysOf(outcome).replays() == outcome.totals.bankConflictCycles());
}

// Every slot that a conflict takes is taken by a replay.
BOOST_AUTO_TEST_CASE(with_48_warps_the_slots_lost_are_the_replays) {
  const auto chain = [](unsigned stride) {
    ScriptedWorkload workload(6, 256);
    workload.grid.sharedBytesPerCta = 8192;
    workload.repeat = 50;
    workload.addSharedLoad(stride, {1}, {1});
    return workload;
  };
  Simulation simulation(gtx480(replay({"scheduler.schedulers=1"})));
  ScriptedWorkload plain = chain(1);
  ScriptedWorkload strided = chain(16);
  const Cycle without = simulation.run(plain).cycles;
  const RunOutcome with = simulation.run(strided);
  BOOST_TEST(replaysOf(with).replays() == 48U * 50 * 15);
  BOOST_TEST(with.cycles - without == replaysOf(with).replays());
}

// Loads are squashed if they issued within `detection` cycles behind a load that loses lanes.
BOOST_AUTO_TEST_CASE(loads_behind_one_that_loses_lanes_are_squashed) {
  Simulation simulation(gtx480(replay({"replay.latency=20", "replay.detection=10"})));
  ScriptedWorkload workload(1, 32);
  workload.grid.sharedBytesPerCta = 8192;
  const auto load = [&](unsigned stride, RegisterId into) {
    workload.addSharedLoad(stride, {into});
  };
  load(16, 1);  // cycle 0, known in cycle 10
  // Loads of cycles 1 to 9 are squashed.
  for (RegisterId into = 2; into <= 21; ++into) load(1, into);
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(replaysOf(outcome).replays() == 15U);
  BOOST_TEST(replaysOf(outcome).squashes() == 9U);
  // The last replay issues in cycle 300; then follow the squashed loads and the 11 that were held.
  BOOST_TEST(outcome.cycles == 300 + 9 + 11 + 26U);
}

const char* const kBuffers[] = {"replay.capacity=0", "replay.capacity=1", "replay.capacity=2",
                                "replay.capacity=7"};
const char* const kPriorities[] = {"replay.priority=old", "replay.priority=age",
                                   "replay.priority=new"};
const char* const kDelays[] = {"replay.latency=0", "replay.latency=18"};

BOOST_DATA_TEST_CASE(no_lane_is_lost,
                     bdata::make(kKernels) * bdata::make(kBuffers) * bdata::make(kPriorities) *
                         bdata::make(kDelays),
                     k, buffer, priority, delay) {
  const bool late = std::string(delay).back() == '8';
  CheckedSimulation simulation(
      gtx480(replay({buffer, priority, delay, late ? "replay.detection=11" : "core.memory_queue=2",
                     late ? "scheduler.policy=gto" : "scheduler.issue_width=2", "verify=true"})));
  const RunOutcome outcome = runVerified(simulation, k);
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * (late ? 2 : 4));
}

// With one entry, the next access waits until the previous one is known to lose no lanes.
BOOST_AUTO_TEST_CASE(a_full_buffer_holds_issue) {
  Simulation simulation(
      gtx480(replay({"replay.capacity=1", "replay.detection=10", "replay.latency=10"})));
  ScriptedWorkload workload(1, 64);
  workload.grid.sharedBytesPerCta = 8192;
  for (RegisterId into = 1; into <= 10; ++into) workload.addSharedLoad(1, {into});
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(outcome.cycles == 19 * 10 + 26U);
}

BOOST_AUTO_TEST_SUITE_END()
