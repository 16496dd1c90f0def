// Accesses of a multiprocessor of GPGPU-Sim that go other ways than loads of the L1: atomics, which
// pass its tags by, constants, and local memory, which is written back.
#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Accesses of one warp. `chain`: each but the first needs the result of the one before.
struct Accesses : ScriptedWorkload {
  Accesses(unsigned count, MemorySpace space, MemoryOperation operation, unsigned apartBy,
           bool chain)
      : ScriptedWorkload(1, 32) {
    std::vector<RegisterId> result;
    if (chain) result.push_back(1);
    for (unsigned i = 0; i < count; ++i)
      addMemory(space, operation, 4, apart(apartBy), result, result).what.addressRead = chain;
  }
};

struct Each : Named {
  Sets sets;
  MemorySpace space;
  MemoryOperation operation;
  unsigned apartBy;  ///< bytes between lanes
  bool chain;
  Cycle cycles;  ///< that each access takes, of many
};
constexpr auto kGlobal = MemorySpace::Global;
constexpr auto kAtomic = MemoryOperation::Atomic;
constexpr auto kConstant = MemorySpace::Constant;
constexpr auto kLoad = MemoryOperation::Load;
const Sets kQueued{"l1.atomics_pass=false", "core.atomics_wait=false"};
const Sets kPassing{"l1.atomics_pass=true", "core.atomics_wait=false"};
const Sets kWaiting{"l1.atomics_pass=true", "core.atomics_wait=true"};

// The way to the tags takes 39 cycles, 35 of them in the queue. An answer takes 2 cycles to the
// registers, as a line of a load does. The four sectors of a line leave in 4 cycles.
const Each kEach[] = {
    {"through the queue", kQueued, kGlobal, kAtomic, 0, true, 200},
    {"past the queue", kPassing, kGlobal, kAtomic, 0, true, 200 - 35 + 2},
    {"one after the other", kPassing, kGlobal, kAtomic, 4, false, 4},
    {"waiting for the atomic before", kWaiting, kGlobal, kAtomic, 4, false, 139},
    {"waiting for its result", kWaiting, kGlobal, kAtomic, 4, true, 139},
    // 32 constants that are 16 bytes apart lie in 8 lines of 64 bytes.
    {"one constant", {}, kConstant, kLoad, 0, false, 1},
    {"constants of eight lines", {}, kConstant, kLoad, 16, false, 8},
    {"constants at once", {"constant.line_bytes=0"}, kConstant, kLoad, 16, false, 1}};

}  // namespace

BOOST_DATA_TEST_CASE(accesses_take, bdata::make(kEach), row) {
  CheckedSimulation simulation(
      platform("gtx480-caches", row.sets + Sets{"instruction.bytes=0", "constant.cold=false"}));
  Accesses few(20, row.space, row.operation, row.apartBy, row.chain);
  Accesses more(40, row.space, row.operation, row.apartBy, row.chain);
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == 20 * row.cycles);
}

namespace {

/// A load of a line of local memory, stores to it, and loads of the lines that push it out.
struct LocalLine : ScriptedWorkload {
  explicit LocalLine(unsigned stores) : ScriptedWorkload(1, 32) {
    addMemory(MemorySpace::Local, MemoryOperation::Load, 4, apart(4), {1});
    for (unsigned i = 0; i < stores; ++i)
      addMemory(MemorySpace::Local, MemoryOperation::Store, 4, apart(4), {}, {1});
    add(InstructionClass::Integer).what.fence = true;
    for (unsigned i = 1; i < 512; ++i)
      addMemory(MemorySpace::Global, MemoryOperation::Load, 4, apart(4, 0x10000000 + 128 * i), {2});
  }
};
struct Back : Named {
  const char* set;
  unsigned stores;
  std::uint64_t writes;
};
const Back kBack[] = {{"clean", "l1.local_back=true", 0, 0},
                      {"changed", "l1.local_back=true", 8, 1},
                      {"written through", "l1.local_back=false", 8, 8}};

}  // namespace

BOOST_DATA_TEST_CASE(a_line_of_local_memory_is_written_when_it_leaves, bdata::make(kBack), row) {
  CheckedSimulation simulation(platform("gtx480-caches", {"instruction.bytes=0", row.set}));
  LocalLine workload(row.stores);
  BOOST_TEST(cachesOf(simulation.run(workload)).l2Accesses() == 512 + row.writes);
}

namespace {

/// Warps that add to one word, a lane at a time, each as soon as the addition before is over.
struct Adders : ScriptedWorkload {
  Adders() : ScriptedWorkload(15, 32) {
    for (unsigned i = 0; i < 4; ++i)
      addMemory(kGlobal, kAtomic, 4, apart(0), {1}, {1}).what.addressRead = true;
  }
};

/// Words of a line of 128 bytes, the even ones stored first, then the odd ones; then a load.
struct Halves : ScriptedWorkload {
  Halves() : ScriptedWorkload(1, 32) {
    addMemory(kGlobal, MemoryOperation::Store, 4, apart(8));
    addMemory(kGlobal, MemoryOperation::Store, 4, apart(8, 4));
    add(InstructionClass::Integer).what.fence = true;
    addMemory(kGlobal, kLoad, 4, apart(4), {1});
  }
};

}  // namespace

// The L2 adds 32 lanes of 15 SMs in 480 cycles. Lanes of different SMs take turns, so all warps are
// over at about the same time, and no addition is under way while the next ones come.
BOOST_AUTO_TEST_CASE(lanes_of_atomics_of_several_multiprocessors_take_turns) {
  CheckedSimulation simulation(
      platform("gtx480-caches", {"instruction.bytes=0", "constant.cold=false", "chip.sms=15"}));
  Adders workload;
  const Cycle cycles = simulation.run(workload).cycles;
  BOOST_TEST(cycles > 4 * (480 + 100));
  BOOST_TEST(cycles < 4 * (480 + 200));
}

BOOST_DATA_TEST_CASE(stores_of_parts_of_a_sector_add_up, bdata::make({false, true}), adds) {
  CheckedSimulation simulation(
      platform("gtx480-caches", {"instruction.bytes=0", "constant.cold=false",
                                 "l2.adds_bytes=" + std::string(adds ? "true" : "false")}));
  Halves workload;
  const auto& caches = cachesOf(simulation.run(workload));
  BOOST_TEST(caches.of(CacheEvent::DramRead) == (adds ? 0U : 1U));
}

namespace {

/// Keeps the places of its warps in local memory.
struct Places : ScriptedWorkload {
  Places() : ScriptedWorkload(5, 64) { add(InstructionClass::Integer); }
  void setModel(const ModelState* model) override { state = model; }
  void execute(unsigned slot, WarpInstruction& out) override {
    ScriptedWorkload::execute(slot, out);
    const LocalPlace place = state->localPlace(slot);
    warps.insert(place.warp);
    of = place.warps;
  }
  const ModelState* state = nullptr;
  std::set<std::uint64_t> warps;
  std::uint64_t of = 0;
};

}  // namespace

// An instruction that reads constants, in a CTA of each SM. The L2 merges four requests: those of
// two SMs, whose second parts are answered with the first ones. A third SM finds the first part and
// reads the second.
BOOST_DATA_TEST_CASE(late_parts_of_constants_are_read_again, bdata::make({1U, 2U, 3U, 4U}), sms) {
  ScriptedWorkload workload(sms, 32);
  workload.addMemory(MemorySpace::Parameter, kLoad, 4, ScriptedWorkload::apart(0), {1});
  CheckedSimulation simulation(
      platform("gtx480-caches", {"chip.sms=" + std::to_string(sms), "scheduler.policy=lrr"}));
  const auto& caches = cachesOf(simulation.run(workload));
  BOOST_TEST(caches.of(CacheEvent::DramRead) == (sms < 3 ? 2U : 3U));  // one of instructions
}

// Five CTAs of two warps on two SMs, which so have room for three each: CTA 4 is the third of SM 0.
BOOST_DATA_TEST_CASE(local_memory_lies_by_its_layout, bdata::make({false, true}), chip) {
  Places places;
  CheckedSimulation simulation(platform(
      "gtx480-caches", {"chip.sms=2", "core.local_layout=" + std::string(chip ? "chip" : "warp")}));
  simulation.run(places);
  const std::set<std::uint64_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  BOOST_TEST(places.of == (chip ? 12U : 0U));
  BOOST_TEST(places.warps == (chip ? all : std::set<std::uint64_t>{0}), tt::per_element());
}

namespace {

/// A store to many lines, then `more` that issue as soon as they may, and sums behind them.
struct Behind : ScriptedWorkload {
  explicit Behind(unsigned more) : ScriptedWorkload(1, 32) {
    addMemory(kGlobal, MemoryOperation::Store, 4, apart(128));
    for (unsigned i = 0; i < more; ++i) addMemory(kConstant, kLoad, 4, apart(0));
    add(InstructionClass::Integer, {1}, {1});
  }
};
/// Cycle in which the sum issues.
struct SumIssues : Probe {
  void issued(const IssueEvent& event) override {
    if (event.instruction.instructionClass == InstructionClass::Integer) at = event.cycle;
  }
  Cycle at = 0;
};
struct Place : Named {
  const char* places;
  unsigned more;
  Cycle issues;
};
// The store takes the port for 32 cycles. Without collectors each constant waits for it in turn.
// The places are those of the constants: the store has left its own after four cycles.
const Place kPlaceRows[] = {{"none", "collectors.memory=0", 1, 33},
                            {"one for each", "collectors.memory=4", 4, 5},
                            {"one too few", "collectors.memory=4", 5, 37}};

}  // namespace

BOOST_DATA_TEST_CASE(memory_instructions_wait_in_collectors, bdata::make(kPlaceRows), row) {
  SumIssues probe;
  CheckedSimulation simulation(
      platform("gtx480-caches", {"instruction.bytes=0", "constant.cold=false", row.places}));
  simulation.simulation.addProbe(probe);
  Behind workload(row.more);
  simulation.run(workload);
  BOOST_TEST(probe.at == row.issues);
}

namespace {

/// A load of a line, a store to other bytes of it while it is under way, and another load.
struct Between : ScriptedWorkload {
  Between() : ScriptedWorkload(1, 32) {
    for (const MemoryOperation operation : {kLoad, MemoryOperation::Store, kLoad})
      addMemory(kGlobal, operation, 1, apart(1), {}, {});
  }
};

/// Loads of one byte per lane, 32 bytes apart, of two warps' worth of lines.
struct Bytes : ScriptedWorkload {
  explicit Bytes(unsigned width) : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < 20; ++i) addMemory(kGlobal, kLoad, width, apart(4));
  }
};

}  // namespace

BOOST_DATA_TEST_CASE(loads_join_a_line_behind_a_store, bdata::make({false, true}), pass) {
  CheckedSimulation simulation(
      platform("gtx480-caches",
               {"instruction.bytes=0", "l1.stores_pass=" + std::string(pass ? "true" : "false")}));
  Between workload;
  BOOST_TEST(cachesOf(simulation.run(workload)).l2Accesses() == (pass ? 2U : 3U));
}

// The lanes span a line of 128 bytes: four blocks of 32 bytes, two of 64.
BOOST_DATA_TEST_CASE(bytes_are_looked_up_by_blocks, bdata::make({1U, 2U, 4U}), width) {
  CheckedSimulation simulation(platform("gtx480-caches", {"instruction.bytes=0"}));
  Bytes workload(width);
  const auto& caches = cachesOf(simulation.run(workload));
  BOOST_TEST(caches.l1Accesses() == 20 * (4 / width));
}

namespace {

/// Two reads of 16 lines of the constant space.
struct Table : ScriptedWorkload {
  Table() : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < 2; ++i) addMemory(kConstant, kLoad, 4, apart(32), {1}, {1});
  }
};

}  // namespace

namespace {

struct Lines : Named {
  const char* set;
  std::uint64_t fromL2;  ///< requests: one of code; two of parameters, or 16 of the space
  Cycle least, most;     ///< cycles of the run
};
// A line takes about 300 cycles: one MSHR has the lines come one after the other.
const Lines kLines[] = {{"present", "constant.mshrs=0", 3, 0, 1000},
                        {"one at a time", "constant.mshrs=1", 17, 16 * 200, 16 * 500},
                        {"at once", "constant.mshrs=16", 17, 500, 1500}};

}  // namespace

BOOST_DATA_TEST_CASE(lines_of_the_constant_space_come_when_they_are_read, bdata::make(kLines),
                     row) {
  CheckedSimulation simulation(platform("gtx480-caches", {row.set}));
  Table workload;
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(cachesOf(outcome).l2Accesses() == row.fromL2);
  BOOST_TEST(outcome.cycles >= row.least);
  BOOST_TEST(outcome.cycles <= row.most);
}
