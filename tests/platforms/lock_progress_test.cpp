// Loops of locked atomics end with every scheduler and with few entries in a replay buffer:
// accesses that free a lock go before accesses that ask for one.
#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

constexpr unsigned kWarps = 64;
constexpr unsigned kRepeat = 3;

/// Every warp of two CTAs adds to contended words, with arithmetic and a store between.
struct Contended : ScriptedWorkload {
  Contended() : ScriptedWorkload(4, kWarps / 2 * kWarpLanes) {
    repeat = kRepeat;
    grid.sharedBytesPerCta = 8192;
    // Words of a CTA use the same lock bits as those of the other CTA, 4096 bytes on.
    addMemory(MemorySpace::Shared, MemoryOperation::Atomic, 4,
              [](auto, auto, unsigned lane, auto) { return std::uint64_t{4} * (lane % 24); }, {1});
    add(InstructionClass::Integer, {2}, {1});
    // Every other bank gets two words: a replay policy leaves lanes.
    addMemory(MemorySpace::Shared, MemoryOperation::Store, 4,
              [](auto, unsigned warp, unsigned lane, auto) {
                return std::uint64_t{4096} + 256 * (warp % 8) + 8 * lane;
              },
              {}, {2});
    // Two words of a bank, each with its own lock.
    addMemory(MemorySpace::Shared, MemoryOperation::Atomic, 4,
              [](auto, unsigned warp, unsigned lane, unsigned times) {
                return std::uint64_t{4} * (lane * 33 % 64 + warp % 2 * 64 + times);
              },
              {3});
  }
};

struct Shape : Named {
  Sets sets;
};

Sets replay(const Sets& more) {
  return Sets{"scratchpad.conflict_policy=replay"} + more;
}

const Shape kShapes[] = {
    {"as it is", {}},
    {"one entry", {"replay.capacity=1", "replay.detection=12"}},
    {"two entries", {"replay.capacity=2", "replay.detection=5"}},
    {"a queue of one", {"core.memory_queue=1", "subcore.queue=0"}},
    {"short steps", {"lock.read_latency=1", "lock.write_latency=1", "scheduler.issue_width=2"}},
    {"one arithmetic unit", {"pipelines.alu_units=1"}},
    {"replay, old", replay({"replay.priority=old"})},
    {"replay, one entry, new", replay({"replay.capacity=1", "replay.priority=new"})},
    {"replay, two entries, age",
     replay({"replay.capacity=2", "replay.priority=age", "replay.detection=9"})},
    {"replay, new, a queue",
     replay({"replay.priority=new", "core.memory_queue=3", "subcore.queue=0"})},
    {"replay, new, one lock",
     replay({"replay.priority=new", "lock.locks=1", "lock.indexer=mod 1"})},
};

constexpr unsigned kSchedulers[] = {1, 2, 4, 8};
const char* const kPolicies[] = {"lrr", "gto", "gty", "two-level"};

/// Counts reads that lock, by scheduler, in the first cycles of a run.
struct Shares : Probe {
  static constexpr Cycle kFirst = 4000;
  std::array<unsigned, 4> reads{};
  unsigned events() const override { return Issues; }
  void issued(const IssueEvent& e) override {
    const bool read = e.instruction.instructionClass == InstructionClass::Memory &&
                      e.instruction.operation == MemoryOperation::Load;
    if (read && e.cycle < kFirst) ++reads[e.slot % 4];
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lock_progress)

BOOST_DATA_TEST_CASE(every_loop_ends,
                     bdata::make(kShapes) * bdata::make(kSchedulers) * bdata::make(kPolicies),
                     shape, schedulers, policy) {
  const Sets sets{"scratchpad.atomics=locked", "run.stall_limit=20000",
                  "scheduler.schedulers=" + std::to_string(schedulers),
                  "scheduler.policy=" + std::string(policy), "scheduler.active_warps=24"};
  CheckedSimulation simulation(platform("sm_80", sets + shape.sets));
  Contended workload;
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(outcome.residentWarps == kWarps);
  // Lanes that got their lock: each lane of each atomic exactly once.
  const LockCounters::Counts& locks = outcome.locks->counts().totals();
  BOOST_TEST(locks.otherWarp > 0U);
  BOOST_TEST(locks.tries - locks.position - locks.alias - locks.otherWarp ==
             2ULL * kRepeat * 4 * kWarps / 2 * kWarpLanes);
}

// The schedulers of an in-order pipeline take turns; a conflict-aware one has a base policy.
BOOST_DATA_TEST_CASE(in_order_too,
                     bdata::make({"unified", "split", "elastic"}) *
                         bdata::make({"lrr", "gto", "gty", "two-level"}),
                     organisation, policy) {
  CheckedSimulation simulation(platform(
      "elastic-gt200",
      {"scratchpad.atomics=locked", "run.stall_limit=100000",
       std::string("pipeline.organisation=") + organisation, "scheduler.policy=conflict-aware",
       std::string("scheduler.base_policy=") + policy}));
  Contended workload;
  workload.grid.threadsPerCta = 512;
  BOOST_TEST(simulation.run(workload).cycles > 0U);
}

// Demand exceeds the port. Each scheduler gets at least half of its share.
BOOST_AUTO_TEST_CASE(the_port_goes_round_the_schedulers) {
  CheckedSimulation simulation(
      platform("sm_80", {"scratchpad.atomics=locked", "lock.read_latency=1", "lock.write_latency=1",
                         "scratchpad.latency=1", "branch.latency=1", "integer.latency=1"}));
  Shares shares;
  simulation.simulation.addProbe(shares);
  Contended workload;
  workload.repeat = 20;
  simulation.run(workload);
  const unsigned all = std::accumulate(shares.reads.begin(), shares.reads.end(), 0U);
  for (const unsigned reads : shares.reads) BOOST_TEST(reads >= all / 8, reads << " of " << all);
}

BOOST_AUTO_TEST_SUITE_END()
