// A core of one in-order pipeline: hand-computed times of instructions, conflict costs of the
// paper, and nothing lost in any organisation.
#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

const Sets kUnified{"pipeline.organisation=unified", "scheduler.policy=lrr"};
const Sets kSplit{"pipeline.organisation=split", "scheduler.policy=lrr"};
const Sets kElastic{"scheduler.policy=lrr"};
const Sets kAware{};
const Sets kPerfect{"scheduler.prediction=perfect"};

struct Machine : Named {
  Sets sets;
};
const Machine kOrganisations[] = {
    {"unified", kUnified}, {"split", kSplit}, {"elastic", kElastic}, {"aware", kAware}};

/// Runs the workload; call once per process.
RunOutcome run(Workload& workload, const Sets& sets) {
  static CheckedSimulation simulation(platform("elastic-gt200", sets));
  return simulation.run(workload);
}

std::uint64_t stalled(const RunOutcome& outcome, StallCause cause) {
  BOOST_TEST_REQUIRE(outcome.staged);
  return outcome.totals.stalled(cause);
}

/// Adds a shared load with degree `way` in each lane group of 8.
void addLoad(ScriptedWorkload& workload, unsigned way) {
  workload.grid.sharedBytesPerCta = 2048;
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 4,
                     [way](auto, auto, unsigned lane, auto) -> std::uint64_t {
                       const unsigned inGroup = lane % 8;
                       return 4 * (inGroup < way ? 8 * inGroup : inGroup);
                     },
                     {1});
}

void addIntegers(ScriptedWorkload& workload, unsigned count) {
  for (unsigned i = 0; i < count; ++i) workload.add(InstructionClass::Integer, {2}, {2});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elastic)

// A unit in the place of MEM0, which each of 4 subwarps holds for 5 cycles: 4 * 4 more than one
// that is as wide as the pipeline.
BOOST_DATA_TEST_CASE(one_warp_at_a_unit, bdata::make(kOrganisations), machine) {
  ScriptedWorkload workload(1, 32);
  workload.add(InstructionClass::Special, {1}, {1});
  const Cycle cycles = run(workload, machine.sets + Sets{"pipeline.unit_cycles=5"}).cycles;
  BOOST_TEST(cycles == 27U + 16U);
}

// 24 stages; the last of 4 subwarps follows 3 cycles behind. Elastic writes back from EXE, 4
// earlier.
BOOST_DATA_TEST_CASE(one_warp, bdata::make(kOrganisations) ^ bdata::make({27U, 27U, 23U, 23U}),
                     machine, each) {
  ScriptedWorkload workload(1, 32);
  addIntegers(workload, 10);
  const RunOutcome outcome = run(workload, machine.sets);
  BOOST_TEST(outcome.cycles == 10 * each);
  BOOST_TEST(slotsOf(outcome) == outcome.cycles);
}

// A load passes the memory stages in every organisation; its passes add up.
BOOST_DATA_TEST_CASE(one_load, bdata::make(kOrganisations) * bdata::xrange(1U, 9U), machine, way) {
  ScriptedWorkload workload(1, 32);
  addLoad(workload, way);
  BOOST_TEST(run(workload, machine.sets).cycles == 23 + 4 * way);
}

// No real machine: a load takes its ideal passes only.
BOOST_DATA_TEST_CASE(one_load_that_never_conflicts,
                     bdata::make(kOrganisations) * bdata::xrange(1U, 9U), machine, way) {
  ScriptedWorkload workload(1, 32);
  addLoad(workload, way);
  BOOST_TEST(run(workload, machine.sets + Sets{"scratchpad.conflict_policy=ideal"}).cycles == 27U);
}

// Enough warps to issue every fourth cycle, with integers around a load that conflicts.
struct Dense : ScriptedWorkload {
  explicit Dense(unsigned way) : ScriptedWorkload(4, 256) {
    addIntegers(*this, 6);
    addLoad(*this, way);
    addIntegers(*this, 6);
    // One of the 8 warps of a CTA loads.
    body[6].activeIn = [](unsigned warp) { return warp == 3 ? kAllLanes : LaneMask{0}; };
  }
};

// Figure 4a: each conflict costs its passes beyond the first, 4 x (degree - 1) cycles.
BOOST_DATA_TEST_CASE(unified_loses_the_passes, bdata::xrange(2U, 9U), way) {
  Dense without(1);
  Dense with(way);
  CheckedSimulation simulation(platform("elastic-gt200", kUnified));
  const Cycle before = simulation.run(without).cycles;
  const RunOutcome outcome = simulation.run(with);
  BOOST_TEST(outcome.cycles == before + 4 * 4 * (way - 1));
  BOOST_TEST(stalled(outcome, StallCause::BankConflict) == 4 * 4 * (way - 1));
  BOOST_TEST(stalled(outcome, StallCause::Writeback) == 0U);
}

/// Random integer instructions and shared loads.
struct Mixed : ScriptedWorkload {
  explicit Mixed(unsigned seed) : ScriptedWorkload(8, 128) {
    std::mt19937 random(seed);
    grid.sharedBytesPerCta = 2048;
    repeat = 3;
    for (unsigned i = 0; i < 30; ++i) {
      if (random() % 3 != 0) {
        addIntegers(*this, 1);
      } else {
        addLoad(*this, 1 + random() % 8);
      }
    }
  }
};

// If the safe distance is kept, no conflict stalls the front end.
BOOST_DATA_TEST_CASE(elastic_loses_nothing_at_the_safe_distance, bdata::xrange(10U), seed) {
  Mixed workload(seed);
  const RunOutcome outcome = run(workload, kPerfect);
  BOOST_TEST(outcome.totals.bankConflictCycles() > 0U);
  BOOST_TEST(stalled(outcome, StallCause::BankConflict) == 0U);
  BOOST_TEST(stalled(outcome, StallCause::Writeback) == 0U);
  BOOST_TEST(slotsOf(outcome) == outcome.cycles);
}

// Native atomics: each lane takes its bank for a pass. Only the whole path foresees these passes.
BOOST_AUTO_TEST_CASE(native_atomics_are_foreseen) {
  ScriptedWorkload workload(8, 128);
  workload.grid.sharedBytesPerCta = 2048;
  workload.repeat = 4;
  addIntegers(workload, 2);
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Atomic, 4,
                     [](auto, auto, auto, auto) { return std::uint64_t{0}; }, {1});
  addLoad(workload, 1);
  addIntegers(workload, 2);
  const RunOutcome outcome = run(workload, kPerfect + Sets{"scratchpad.atomics=native"});
  BOOST_TEST(outcome.totals.bankConflictCycles() == 8 * 4 * 4 * 28U);
  BOOST_TEST(stalled(outcome, StallCause::BankConflict) == 0U);
}

// A constant degree is predicted after its first execution, in each kernel anew.
BOOST_AUTO_TEST_CASE(history_is_of_a_kernel) {
  ScriptedWorkload workload(16, 128);
  workload.launches = 3;
  addIntegers(workload, 5);
  addLoad(workload, 4);
  const RunOutcome outcome = run(workload, {"chip.sms=1"});
  BOOST_TEST_REQUIRE((outcome.forecasts != nullptr));
  const ForecastCounters::Counts& counts = outcome.forecasts->counts();
  const std::uint64_t accesses = outcome.totals.sharedAccesses();
  BOOST_TEST(counts.hits + counts.misses == accesses);
  BOOST_TEST(counts.misses >= 3U);
  BOOST_TEST(counts.misses <= 3 * 7U);  // the number that issue before the first resolves
  BOOST_TEST(counts.wrong == counts.misses);
}

// Independent instructions of one warp: strict barrel processing makes them wait, relaxed does not.
// With in-order commit they wait behind a load.
BOOST_DATA_TEST_CASE(
    barrel_processing,
    bdata::make({Machine{"strict", {}}, Machine{"relaxed", {"pipeline.barrel=relaxed"}},
                 Machine{"in order", {"pipeline.barrel=relaxed", "pipeline.commit=in-order"}}}) ^
        bdata::make({27 * 5U, 27 + 4 * 4U, 27 + 27 + 3 * 4U}),
    machine, cycles) {
  ScriptedWorkload workload(1, 32);
  addLoad(workload, 1);
  for (RegisterId r = 10; r < 14; ++r) workload.add(InstructionClass::Integer, {r});
  BOOST_TEST(run(workload, kUnified + machine.sets).cycles == cycles);
}

// A warp issues again when its branch has written back.
BOOST_AUTO_TEST_CASE(nothing_goes_behind_a_branch) {
  ScriptedWorkload workload(1, 32);
  workload.add(InstructionClass::Branch);
  workload.add(InstructionClass::Integer, {3});
  BOOST_TEST(run(workload, kUnified + Sets{"pipeline.barrel=relaxed"}).cycles == 2 * 27U);
}

// Both warps have arrived when the second warp's barrier has written back, 4 cycles behind.
BOOST_AUTO_TEST_CASE(barrier) {
  ScriptedWorkload workload(1, 64);
  workload.add(InstructionClass::Barrier);
  addIntegers(workload, 1);
  BOOST_TEST(run(workload, kUnified).cycles == 4 + 27 + 27 + 4U);
}

const Machine kMachines[] = {
    {"unified", kUnified},
    {"split", kSplit},
    {"elastic", kElastic},
    {"aware", kAware},
    {"perfect", kPerfect},
    {"let through", {"scheduler.let_memory_through=true"}},
    {"gto", {"scheduler.base_policy=gto"}},
    {"relaxed", {"pipeline.barrel=relaxed"}},
    {"relaxed in order", {"pipeline.barrel=relaxed", "pipeline.commit=in-order"}},
    {"no queues", {"pipeline.nonmem_queue=0", "pipeline.premem_queue=0"}},
    {"no history", {"history.sets=0"}},
    {"longer history", {"history.length=4", "history.rule=greatest"}},
    {"two ports", {"pipeline.writeback_ports=2", "scratchpad.ports=2"}},
    {"16 lanes",
     {"pipeline.simd_width=16", "crossbar.groups_32=0-15|16-31", "scratchpad.indexer=mod 16"}},
    {"32 lanes",
     {"pipeline.simd_width=32", "crossbar.groups_32=0-31", "scratchpad.indexer=ami 31"}},
    {"native atomics", {"scratchpad.atomics=native"}},
    {"slow scratchpad", {"scratchpad.latency=40"}},
    {"two SMs", {"chip.sms=2"}}};

const Kernel kKernels[] = {"transpose n=48", "reduction n=3000", "nw n=64", "atomicbench",
                           "aes ctas=2"};

// Data and results must be right, and every issue slot accounted for.
BOOST_DATA_TEST_CASE(nothing_is_lost, bdata::make(kMachines) * bdata::make(kKernels), machine,
                     kernel) {
  const auto open = kernel.open();
  const RunOutcome outcome = run(*open.workload, machine.sets + Sets{"verify=true"});
  open.kernel->checkResults();
  BOOST_TEST(outcome.compared > 0U);
  BOOST_TEST(slotsOf(outcome) == outcome.sms * outcome.cycles);
  // A warp goes in as subwarps, one per cycle. When the very last subwarp goes in, no warp is left.
  const std::string name = machine.name;
  const unsigned subwarps = name == "16 lanes" ? 2 : name == "32 lanes" ? 1 : 4;
  const std::uint64_t behind = (subwarps - 1) * outcome.totals.warpInstructions;
  BOOST_TEST(stalled(outcome, StallCause::Pipeline) <= behind);
  BOOST_TEST(stalled(outcome, StallCause::Pipeline) + stalled(outcome, StallCause::Idle) >= behind);
}

BOOST_AUTO_TEST_SUITE_END()
