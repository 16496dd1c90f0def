// Several streaming multiprocessors: CTAs are dealt in turn, a grid begins everywhere at once,
// slots and data add up, and nothing depends on the order in which the chip was built.
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/stimuli/input_error.h>

#include "tests/support/apart.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

std::string sms(unsigned count) {
  return "chip.sms=" + std::to_string(count);
}

const Kernel kKernels[] = {"matmul n=64", "transpose n=128 tile=16",    "nw n=96", "lud n=64",
                           "srad n=48",   "reduction variant=6 n=8192", "backprop"};

struct Shape : Named {
  const char* platform;
  Sets sets;
};
const Shape kShapes[] = {
    {"fermi-chip", "fermi-chip", {}},
    {"S+62/48", "fermi-chip", {"ami=S+62/48"}},
    {"waiting", "gtx480-caches", {}},
    {"flat", "gtx480", {}},
    {"flat, in epochs", "gtx480", {"chip.epoch=64"}},
    {"in epochs", "fermi-chip", {"chip.epoch=8"}},
    {"in epochs of a cycle", "gtx480-caches", {"chip.epoch=1", "interconnect.queue=1"}},
    {"one of each",
     "fermi-chip",
     {"l1.split=free", "l1.bytes=512", "l1.mshrs=1", "l1.queue=1", "l1.merges=1", "l2.bytes=1024",
      "l2.mshrs=1", "l2.merges=1", "l2.input=1", "l2.queue=1", "l2.slices=1", "dram.queue=1",
      "replay.capacity=1", "interconnect.queue=1", "interconnect.latency=0"}},
};

void checkAccount(const RunOutcome& outcome, unsigned slots) {
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * slots);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chip)

BOOST_DATA_TEST_CASE(data_are_right,
                     bdata::make(kKernels) * bdata::make(kShapes) * bdata::make({1U, 2U, 3U, 16U}),
                     kernel, shape, count) {
  CheckedSimulation simulation(
      platform(shape.platform, shape.sets + Sets{"verify=true", sms(count)}));
  const RunOutcome outcome = runVerified(simulation, kernel);
  if (simulation.simulation.memory() != nullptr)
    BOOST_TEST(simulation.simulation.memory()->compared() > 0U);
  checkAccount(outcome, 2 * count);
  BOOST_TEST(outcome.residentWarps <= 48U);
}

namespace {

/// Records the place of each CTA, and the order in which CTAs end.
struct Placed : ScriptedWorkload {
  using ScriptedWorkload::ScriptedWorkload;

  void startCta(std::uint64_t cta, unsigned first) override {
    slots.push_back(first);
    ScriptedWorkload::startCta(cta, first);
  }
  std::vector<unsigned> slots;
};

/// Counts CTAs under way when a grid begins or ends; records when each begins and ends.
struct Listener : Probe {
  void gridStarted(const Grid&, Cycle at) override {
    atBoundary += running;
    gridStarts.push_back(at);
  }
  void gridEnded(const Grid&, Cycle) override { atBoundary += running; }
  void ctaStarted(std::uint64_t, unsigned, Cycle at) override {
    ++running;
    starts.push_back(at);
  }
  void ctaEnded(std::uint64_t, unsigned, Cycle at) override {
    --running;
    last = std::max(last, at);
    ends.push_back(at);
  }
  std::uint64_t running = 0, atBoundary = 0;
  std::vector<Cycle> gridStarts, starts, ends;
  Cycle last = 0;
};

}  // namespace

// CTAs of two warps fill the multiprocessors in rounds, in rising order.
BOOST_AUTO_TEST_CASE(ctas_go_round) {
  Placed workload(8, 64);
  workload.add(InstructionClass::Integer, {1});
  CheckedSimulation simulation(platform("fermi-chip", {sms(3)}));
  const RunOutcome outcome = simulation.run(workload);
  const std::vector<unsigned> expected{0, 48, 96, 2, 50, 98, 4, 52};
  BOOST_TEST(workload.slots == expected, tt::per_element());
  const std::vector<std::uint64_t> rising{0, 1, 2, 3, 4, 5, 6, 7};
  BOOST_TEST(workload.started == rising, tt::per_element());
  BOOST_TEST(outcome.residentWarps == 6U);
  BOOST_TEST(outcome.totals.ctas == 8U);
}

// A place that becomes free is taken in the same cycle, on any multiprocessor. CTA 1 is the
// shortest.
BOOST_AUTO_TEST_CASE(a_free_place_is_taken_at_once) {
  struct Uneven : Placed {
    using Placed::Placed;
    const StaticInstruction* peek(unsigned slot) override {
      const StaticInstruction* next = Placed::peek(slot);
      return next == nullptr || (slot / 48 == 1 && left[slot] == 0) ? nullptr : next;
    }
    void execute(unsigned slot, WarpInstruction& out) override {
      --left[slot];
      Placed::execute(slot, out);
    }
    void startCta(std::uint64_t cta, unsigned first) override {
      left[first] = cta == 1 ? 1 : 1000;
      Placed::startCta(cta, first);
    }
    std::array<int, 96> left{};
  };
  Uneven workload(5, 32);
  workload.add(InstructionClass::Integer, {1}, {1});
  workload.repeat = 20;
  CheckedSimulation simulation(platform("fermi-chip", {sms(2), "limits.ctas=1"}));
  Listener listener;
  simulation.simulation.addProbe(listener);
  simulation.run(workload);
  // CTA 1 lasts 9 cycles, the others 180: 0 | 1 2, then 3 on the first and 4 on the second.
  const std::vector<unsigned> expected{0, 48, 48, 0, 48};
  BOOST_TEST(workload.slots == expected, tt::per_element());
  const std::vector<Cycle> starts{0, 0, 9, 180, 189};
  BOOST_TEST(listener.starts == starts, tt::per_element());
}

BOOST_AUTO_TEST_CASE(multiprocessors_do_not_hold_each_other) {
  ScriptedWorkload workload(16, 32);
  workload.add(InstructionClass::Integer, {1}, {1});
  workload.repeat = 30;
  CheckedSimulation simulation(platform("fermi-chip"));
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(outcome.cycles == 30U * 9);
  BOOST_TEST(outcome.totals.warpInstructions == 16U * 30);
  checkAccount(outcome, 32);
}

// Warps differ in length; one multiprocessor has no CTA.
BOOST_AUTO_TEST_CASE(a_grid_begins_when_the_one_before_is_over_everywhere) {
  ScriptedWorkload workload(3, 64);
  workload.launches = 4;
  workload.repeat = 5;
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                     [](auto cta, auto warp, unsigned lane, unsigned again) -> std::uint64_t {
                       return 0x10000000 + 128 * (cta * 64 + warp * 8 + again * cta) + 4 * lane;
                     },
                     {1}, {1});
  workload.skips = [](unsigned warp) { return warp == 1; };
  CheckedSimulation simulation(platform("fermi-chip", {sms(4)}));
  Listener listener;
  simulation.simulation.addProbe(listener);
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(listener.atBoundary == 0U);
  BOOST_TEST(listener.starts.size() == 12U);
  BOOST_TEST(listener.gridStarts.size() == 4U);
  for (unsigned grid = 0; grid < 4; ++grid) {
    for (unsigned cta = 0; cta < 3; ++cta)
      BOOST_TEST(listener.starts[grid * 3 + cta] == listener.gridStarts[grid]);
    if (grid > 0) BOOST_TEST(listener.gridStarts[grid] == listener.ends[grid * 3 - 1]);
  }
  BOOST_TEST(outcome.cycles == listener.last);
  checkAccount(outcome, 8);
}

// CTA 1 reads late what CTA 0 has read: the L2 has the line, memory is asked once.
BOOST_AUTO_TEST_CASE(the_l2_is_shared) {
  ScriptedWorkload workload(2, 32);
  for (unsigned i = 0; i < 100; ++i) workload.add(InstructionClass::Integer, {2}, {2});
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                     [](auto cta, auto, unsigned lane, unsigned) -> std::uint64_t {
                       return 0x10000000 + (cta == 0 ? 4 * lane : 4 * (31 - lane));
                     },
                     {1}, {2});
  CheckedSimulation simulation(platform("fermi-chip", {sms(2)}));
  const RunOutcome outcome = simulation.run(workload);
  const CacheCounters::Counts& caches = outcome.dram->counts().totals();
  BOOST_TEST(caches.of(CacheEvent::L1Miss) == 2U);
  BOOST_TEST(caches.l2Accesses() == 2U);
  BOOST_TEST(caches.of(CacheEvent::DramRead) == 1U);
}

BOOST_AUTO_TEST_CASE(impossible_chips_are_refused) {
  for (const char* set : {"chip.sms=0", "chip.sms=257", "chip.sms=two"}) {
    BOOST_CHECK_EXCEPTION(platform("fermi-chip", {set}), InputError, says("from 1 to 256"));
  }
  BOOST_CHECK_EXCEPTION(platform("v100", {sms(81)}), InputError,
                        says("chip.sms = 81, chip.of = 80; expected at most as many"));
  BOOST_CHECK_EXCEPTION(platform("sm_70", {"chip.of=8"}), InputError,
                        says("chip.of has no effect"));
}

namespace {

void runApart(const Configuration& configuration, BuildOrder order, const Kernel& kernel,
              const fs::path& folder) {
  Connector connector;
  runApart([&] { return std::make_unique<Simulation>(configuration, connector, order); }, kernel,
           folder);
}

void checkSameFiles(const fs::path& one, const fs::path& other) {
  for (const char* file : {"runs.csv", "instructions.csv", "banks.csv"}) {
    BOOST_TEST(bytesOf(one / file).size() > 100U);
    BOOST_TEST((bytesOf(one / file) == bytesOf(other / file)), file << " differs");
  }
}

}  // namespace

BOOST_DATA_TEST_CASE(the_order_of_building_does_not_matter,
                     bdata::make(kKernels) * bdata::make({2U, 5U, 16U}), kernel, count) {
  const TemporaryFolder folder;
  const auto configuration = platform("fermi-chip", {sms(count)});
  runApart(configuration, BuildOrder::Rising, kernel, folder.path() / "rising");
  runApart(configuration, BuildOrder::Falling, kernel, folder.path() / "falling");
  checkSameFiles(folder.path() / "rising", folder.path() / "falling");
}

BOOST_DATA_TEST_CASE(one_of_the_chip_is_fermi_ami, bdata::make(kKernels), kernel) {
  const TemporaryFolder folder;
  const auto chip = platform("fermi-chip", {sms(1), "l2.bytes=49152", "l2.slices=1", "l2.mshrs=256",
                                            "l2.input=64", "l2.queue=64"});
  runApart(chip, BuildOrder::Rising, kernel, folder.path() / "chip");
  runApart(platform("fermi-ami"), BuildOrder::Rising, kernel, folder.path() / "ami");
  checkSameFiles(folder.path() / "chip", folder.path() / "ami");
}

BOOST_AUTO_TEST_SUITE_END()
