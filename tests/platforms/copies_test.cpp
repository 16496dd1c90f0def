// Asynchronous copies: time of their stores, instructions that wait for them, and their cost.
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/error.h>
#include "tests/support/checked_simulation.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// A script in which some instructions copy, close a group, or wait.
struct Copying : ScriptedWorkload {
  using ScriptedWorkload::ScriptedWorkload;
  std::uint64_t begun = 0, groups = 0;
  std::vector<std::uint32_t> closes;  ///< PCs that close a group
  unsigned bytes = 4;
  unsigned stride = 1;  ///< words between the lanes' targets
  bool hasData = false;
  LaneMask stored = kAllLanes;  ///< none: the place of the copy is not known

  Instruction& copy() {
    Instruction& one = addMemory(MemorySpace::Global, MemoryOperation::Load, bytes,
                                 [this](auto, unsigned warp, unsigned lane, auto) {
                                   return 4096 + std::uint64_t{bytes} * (32 * warp + lane);
                                 });
    one.what.copyStep = CopyStep::Begin;
    return one;
  }
  void close() { closes.push_back(add(InstructionClass::Integer).what.pc); }
  void wait(unsigned left) {
    add(InstructionClass::Integer).what.groupsLeft = static_cast<std::uint8_t>(left);
  }
  std::uint64_t target(unsigned lane) const { return std::uint64_t{4} * stride * lane; }

  void setCarriesData(bool carries) override { hasData = carries; }
  void execute(unsigned slot, WarpInstruction& out) override {
    const StaticInstruction what = *peek(slot);
    ScriptedWorkload::execute(slot, out);
    if (what.beginsCopy()) out.copy = begun++;
    if (std::find(closes.begin(), closes.end(), what.pc) != closes.end()) ++groups;
  }
  std::uint64_t copyGroups(unsigned) const override { return groups; }
  void storeCopy(unsigned, std::uint64_t, WarpInstruction& out) override {
    out.pc = 0;
    out.active = stored;
    out.space = MemorySpace::Shared;
    out.operation = MemoryOperation::Store;
    out.bytesPerLane = static_cast<std::uint8_t>(bytes);
    out.hasData = hasData;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      out.address[lane] = target(lane);
      out.data[lane].fill(static_cast<std::uint8_t>(lane));
    }
  }
};

struct Log : Probe {
  std::vector<std::pair<std::uint32_t, Cycle>> issues;
  std::uint64_t stores = 0, storePasses = 0, retries = 0;
  void issued(const IssueEvent& e) override { issues.emplace_back(e.instruction.pc, e.cycle); }
  void retried(const WarpAccess&, Cycle) override { ++retries; }
  void sharedAccess(const WarpAccess& access) override {
    if (access.instruction.operation != MemoryOperation::Store) return;
    ++stores;
    storePasses += access.allPasses;
    BOOST_TEST(access.instruction.pc == 0U);
  }
  Cycle of(std::uint32_t pc) const {
    for (const auto& [at, cycle] : issues) {
      if (at == pc) return cycle;
    }
    return kNever;
  }
};

struct Bench {
  Log log;
  Cycle cycles = 0;
  CheckedSimulation simulation;
  explicit Bench(const std::string& name) : simulation(platform(name)) {
    simulation.simulation.addProbe(log);
  }
  void run(Workload& workload) {
    log = Log();
    cycles = simulation.run(workload).cycles;
  }
};

/// Runs a load of the copy's source and then a load of its target. Returns the first cycle in which
/// an instruction that needs the second load can issue.
Cycle chain(Bench& bench, unsigned stride) {
  ScriptedWorkload loads(1, 32);
  loads.grid.sharedBytesPerCta = 8192;
  loads.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, loads.apart(4, 4096), {1});
  loads.addSharedLoad(stride, {2}, {1});
  loads.add(InstructionClass::Integer, {3}, {2});
  bench.run(loads);
  return bench.log.of(2);
}

const std::vector<std::string> kPlatforms = {"gtx480", "gtx480-caches", "fermi-ami", "gtx580",
                                             "k20"};

}  // namespace

BOOST_AUTO_TEST_SUITE(asynchronous_copies)

// The wait issues when a load and a dependent access to the scratchpad would be through.
// Instructions between copy and wait issue at once, and the store takes no issue slot.
BOOST_DATA_TEST_CASE(a_wait_takes_load_and_store,
                     bdata::make(kPlatforms) * bdata::make({1U, 2U, 8U}), platform, stride) {
  Bench bench(platform);
  chain(bench, stride);  // brings the line into the caches, if any
  const Cycle expected = chain(bench, stride);
  Copying copying(1, 32);
  copying.grid.sharedBytesPerCta = 8192;
  copying.stride = stride;
  copying.copy();
  copying.close();
  copying.add(InstructionClass::Integer, {3}, {4});
  copying.wait(0);
  bench.run(copying);
  BOOST_TEST(bench.log.of(1) < bench.log.of(0) + 8);
  BOOST_TEST(bench.log.of(3) == expected);
  BOOST_TEST(bench.log.stores == 1U);
  BOOST_TEST(bench.log.issues.size() == 4U);
}

// A trace of a GPU may lack the shared address of a copy. Its data come, and nothing is stored.
BOOST_DATA_TEST_CASE(a_copy_to_an_unknown_place_stores_nothing, bdata::make(kPlatforms), platform) {
  Bench bench(platform);
  const auto waitOf = [&](LaneMask stored) {
    Copying copying(1, 32);
    copying.grid.sharedBytesPerCta = 8192;
    copying.stored = stored;
    copying.copy();
    copying.close();
    copying.wait(0);
    bench.run(copying);
    return bench.log.of(2);
  };
  waitOf(kAllLanes);  // brings the line into the caches, if any
  const Cycle whole = waitOf(kAllLanes);
  BOOST_TEST(bench.log.stores == 1U);
  const Cycle half = waitOf(0);
  BOOST_TEST(bench.log.stores == 0U);
  BOOST_TEST(half < whole);
  BOOST_TEST(half > bench.log.of(0) + 10);
}

// A wait for all groups but the last does not wait for the second copy, which begins much later.
BOOST_DATA_TEST_CASE(a_wait_leaves_the_last_groups, bdata::make({0U, 1U, 2U}), left) {
  Bench bench("gtx480");
  const Cycle alone = chain(bench, 1);
  Copying copying(1, 32);
  copying.grid.sharedBytesPerCta = 8192;
  copying.copy();
  copying.close();
  for (unsigned k = 0; k < 30; ++k) copying.add(InstructionClass::Integer, {3}, {3});
  copying.copy();
  copying.close();
  copying.wait(left);
  bench.run(copying);
  const Cycle waited = bench.log.of(34), second = bench.log.of(32);
  BOOST_TEST_REQUIRE(second + 10 < alone);
  if (left == 0) BOOST_TEST(waited == second + alone);
  if (left == 1) BOOST_TEST(waited == alone);
  if (left == 2) BOOST_TEST(waited < second + 20);
}

// Passes follow from the banks. Lanes left are retried: once those of the load, whose line is
// absent, and three times those of the store.
BOOST_DATA_TEST_CASE(conflicts_count_for_the_copy,
                     bdata::make({"gtx480", "fermi-ami"}) ^ bdata::make({0U, 4U}), platform,
                     retries) {
  Bench bench(platform);
  Copying copying(1, 32);
  copying.grid.sharedBytesPerCta = 8192;
  copying.stride = 4;
  copying.copy();
  copying.close();
  copying.wait(0);
  bench.run(copying);
  BOOST_TEST(bench.log.storePasses == 4U);
  BOOST_TEST(bench.log.retries == retries);
}

// A warp with copies on their way passes a barrier; its CTA ends when the copies are stored.
BOOST_DATA_TEST_CASE(barriers_do_not_wait, bdata::make(kPlatforms), platform) {
  Bench bench(platform);
  Copying copying(1, 64);
  copying.grid.sharedBytesPerCta = 8192;
  copying.copy();
  copying.add(InstructionClass::Barrier);
  copying.add(InstructionClass::Integer);
  bench.run(copying);
  BOOST_TEST(bench.log.stores == 2U);
  BOOST_TEST(bench.log.of(2) < bench.log.of(0) + 30);
  BOOST_TEST(bench.cycles > bench.log.of(2) + 60);
}

BOOST_AUTO_TEST_CASE(in_order_pipelines_refuse) {
  Copying copying(1, 32);
  copying.grid.sharedBytesPerCta = 8192;
  copying.copy();
  Bench bench("elastic-gt200");
  BOOST_CHECK_EXCEPTION(bench.run(copying), BadInput,
                        says("an asynchronous copy, for which an in-order pipeline"));
}

BOOST_AUTO_TEST_SUITE_END()
