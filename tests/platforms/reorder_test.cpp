// Retirement in order: the cost of a small buffer, to the cycle, and nothing lost.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/platforms/timing.h"
#include "tests/support/kernel.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

constexpr Cycle kAlu = 9;
constexpr Cycle kShared = 26;

std::string entries(unsigned count) {
  return "core.reorder_buffer=" + std::to_string(count);
}

/// Adds integer instructions that are independent of each other.
void addIndependent(ScriptedWorkload& workload, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    workload.add(InstructionClass::Integer, {static_cast<RegisterId>(i + 10)});
}

/// A load that takes 26 cycles, then `count` independent integer instructions.
struct LoadInFront : ScriptedWorkload {
  explicit LoadInFront(unsigned count) : ScriptedWorkload(1, 32) {
    addSharedLoad(1, {1});
    addIndependent(*this, count);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(reorder)

BOOST_DATA_TEST_CASE(one_entry_serialises_the_warp, bdata::make({1U, 2U, 7U, 40U}), count) {
  ScriptedWorkload workload(1, 32);
  addIndependent(workload, count);
  BOOST_TEST(cycles(workload, {entries(1)}) == count * kAlu);
}

// Instruction i issues when instruction i - size has retired.
BOOST_DATA_TEST_CASE(n_entries_overlap_n, bdata::make({2U, 3U, 8U, 9U, 10U}), size) {
  constexpr unsigned count = 40;
  ScriptedWorkload workload(1, 32);
  addIndependent(workload, count);
  std::vector<Cycle> issue{0};
  for (unsigned i = 1; i < count; ++i)
    issue.push_back(std::max(issue[i - 1] + 1, i < size ? 0 : issue[i - size] + kAlu));
  BOOST_TEST(cycles(workload, {entries(size)}) == issue.back() + kAlu);
}

// The load issues in cycle 0, two instructions in cycles 1 and 2, the next when the load has
// retired.
BOOST_DATA_TEST_CASE(a_slow_load_holds_those_behind_it,
                     bdata::make({"core.memory_queue=0", "core.memory_queue=2"}), queue) {
  LoadInFront workload(4);
  BOOST_TEST(cycles(workload, {entries(3), queue}) == kShared + 1 + kAlu);
}
BOOST_AUTO_TEST_CASE(without_a_buffer_it_does_not) {
  LoadInFront workload(4);
  BOOST_TEST(cycles(workload) == kShared);
}
BOOST_AUTO_TEST_CASE(enough_entries_do_not_either) {
  LoadInFront workload(4);
  BOOST_TEST(cycles(workload, {entries(5)}) == kShared);
}

BOOST_AUTO_TEST_CASE(the_account_says_scoreboard) {
  ScriptedWorkload workload(1, 32);
  addIndependent(workload, 4);
  CheckedSimulation simulation(gtx480({entries(1)}));
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(outcome.cycles == 4 * kAlu);
  const auto stalls = outcome.totals.stalls;
  BOOST_TEST(stalls[static_cast<unsigned>(StallCause::Scoreboard)] == 3 * (kAlu - 1));
}

BOOST_AUTO_TEST_CASE(warps_do_not_hold_each_other) {
  ScriptedWorkload workload(1, 8 * 32);
  addIndependent(workload, 5);
  // Four warps on each scheduler.
  BOOST_TEST(cycles(workload, {entries(1)}) == 5 * kAlu + 3);
}

BOOST_AUTO_TEST_CASE(a_predicated_off_access_is_over_at_once) {
  ScriptedWorkload workload(1, 32);
  workload.addSharedLoad(1, {1}).active = 0;
  workload.add(InstructionClass::Integer, {2});
  BOOST_TEST(cycles(workload, {entries(1)}) == 1 + kAlu);
}

namespace {

/// Loads one line `count` times, independently.
struct Loads : ScriptedWorkload {
  explicit Loads(unsigned count) : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < count; ++i) {
      addMemory(MemorySpace::Global, MemoryOperation::Load, 4, apart(4, 0x10000000),
                {static_cast<RegisterId>(i)});
    }
  }
};

Cycle loads(const std::string& name, unsigned count, unsigned size) {
  static CheckedSimulation simulation(platform(name, {entries(size), "dram.frequency_mhz=700"}));
  Loads before(1);  // leaves the row of DRAM open
  simulation.run(before);
  Loads workload(count);
  return simulation.run(workload).cycles;
}

}  // namespace

// The arrival of a line from DRAM is unknown at issue. The second load hits in the L1.
BOOST_AUTO_TEST_CASE(data_that_come_later_hold_the_warp) {
  const Cycle one = loads("gtx480-caches", 1, 1);
  BOOST_TEST(loads("gtx480-caches", 2, 1) == one + 39);
  BOOST_TEST(loads("gtx480-caches", 3, 1) == one + 78);
}
BOOST_AUTO_TEST_CASE(data_that_come_later_hold_no_more_than_the_entries) {
  const Cycle one = loads("gtx480-caches", 1, 2);
  // The second waits for the same line; the third issues when the first has retired.
  BOOST_TEST(loads("gtx480-caches", 3, 2) == one + 39);
}
BOOST_AUTO_TEST_CASE(replayed_loads_hold_the_warp) {
  const Cycle one = loads("fermi-ami", 1, 1);
  BOOST_TEST(loads("fermi-ami", 2, 1) == one + 24);
}

namespace {

const Kernel kKernels[] = {"matmul n=32", "nw n=64", "hist64 n=8192", "reduction variant=6 n=4096"};
const char* const kPlatforms[] = {"gtx480", "gtx580",        "k20",      "gtx280",
                                  "hawaii", "gtx480-caches", "fermi-ami"};

}  // namespace

BOOST_DATA_TEST_CASE(nothing_is_lost,
                     bdata::make(kKernels) * bdata::make(kPlatforms) * bdata::make({1U, 2U, 5U}),
                     kernel, name, size) {
  const Configuration configuration = platform(name, {entries(size), "verify=true"});
  CheckedSimulation simulation(configuration);
  const RunOutcome outcome = runVerified(simulation, kernel);
  const auto& issue = configuration.parameters().core.issue;
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * issue.schedulers * issue.issueWidth);
}

BOOST_AUTO_TEST_SUITE_END()
