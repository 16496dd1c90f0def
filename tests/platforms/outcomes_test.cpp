// An instruction that takes its outcome: lanes left go back to the workload, which repeats the
// instruction with them, as the loop of a locked atomic does.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <list>

#include "tests/support/checked_simulation.h"
#include "tests/support/late_stage.h"
#include "tests/support/leaving_path.h"
#include "tests/support/scripted_workload.h"

namespace bdata = boost::unit_test::data;
using namespace fermata;

namespace {

/// Every warp stores `rounds` times; each time it repeats until no lane is left.
class LoopWorkload : public Workload {
 public:
  static constexpr unsigned kWarps = 6;
  static constexpr unsigned kRounds = 5;

  LoopWorkload() {
    grid_.kernel = "loop";
    grid_.ctas = 3;
    grid_.threadsPerCta = 32 * kWarps;
    grid_.registersPerThread = 8;
    grid_.registerCount = 4;
    grid_.sharedBytesPerCta = 1024;
    grid_.instructionCount = 1;
    store_.instructionClass = InstructionClass::Memory;
    store_.space = MemorySpace::Shared;
    store_.operation = MemoryOperation::Store;
    store_.bytesPerLane = 4;
  }

  void setWarpSlots(unsigned slots) override { warps_.assign(slots, Warp{}); }
  const Grid* nextGrid() override { return launched_++ == 0 ? &grid_ : nullptr; }
  void startCta(std::uint64_t, unsigned first) override {
    for (unsigned w = 0; w < kWarps; ++w) warps_[first + w] = Warp{kRounds, kAllLanes, false};
  }
  void endCta(unsigned first) override {
    for (unsigned w = 0; w < kWarps; ++w) BOOST_TEST(warps_[first + w].rounds == 0U);
  }
  const StaticInstruction* peek(unsigned slot) override {
    BOOST_TEST(!warps_[slot].waits, "asked before the outcome was told");
    return warps_[slot].rounds == 0 ? nullptr : &store_;
  }
  void execute(unsigned slot, WarpInstruction& out) override {
    Warp& warp = warps_[slot];
    out.pc = 0;
    out.active = warp.todo;
    out.space = MemorySpace::Shared;
    out.operation = MemoryOperation::Store;
    out.bytesPerLane = 4;
    out.takesOutcome = true;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) out.address[lane] = 4 * lane;
    warp.waits = true;
    ++tries;
  }
  void responded(unsigned slot, const TryOutcome& outcome) override {
    Warp& warp = warps_[slot];
    BOOST_TEST(warp.waits);
    warp.waits = false;
    const LaneMask left = outcome.lanesLeft();
    served += laneCount(warp.todo & ~left);
    warp.todo = left;
    if (left != 0) return;
    warp.todo = kAllLanes;
    --warp.rounds;
  }
  unsigned programCount() const override { return 1; }
  std::string kernelName(unsigned) const override { return grid_.kernel; }
  std::uint32_t instructionCount(unsigned) const override { return 1; }
  InstructionText instructionText(unsigned, std::uint32_t) const override { return {"st", "", 0}; }

  std::uint64_t tries = 0;
  std::uint64_t served = 0;

 private:
  struct Warp {
    unsigned rounds = 0;
    LaneMask todo = 0;
    bool waits = false;
  };
  Grid grid_;
  StaticInstruction store_;
  std::vector<Warp> warps_;
  unsigned launched_ = 0;
};

/// Leaves lanes of each try independently; only the workload tries them again.
class LeavingOnce : public LeavingStage {
 public:
  LeavingOnce(const sc_core::sc_module_name& name, const Clock& clock, unsigned lanes,
              unsigned known)
      : LeavingStage(name, clock), lanes_(lanes), known_(known) {}

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    WarpAccess& access = warpAccess(payload);
    LaneMask left = access.asked;
    for (unsigned n = 0; n < lanes_ && left != 0; ++n) left &= left - 1;
    access.outcome.leave(left, LeftCause::Lock);
    if (left != 0) delay += clock().time(known_);
    return left;
  }
  unsigned lanes_, known_;
};

class Connector : public test::CheckedConnector {
 public:
  Connector(unsigned lanes, unsigned known, bool late)
      : lanes_(lanes), known_(known), late_(late) {}
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    if (++edges_ != 1) return CheckedConnector::joinWarp(from, to);
    CheckedConnector::joinWarp(from, stages_.emplace_back("leaving", clock_, lanes_, known_).in);
    if (!late_) return CheckedConnector::joinWarp(stages_.back().out, to);
    test::LateStage& stage = lates_.emplace_back("late", clock_, false);
    CheckedConnector::joinWarp(stages_.back().out, stage.in);
    CheckedConnector::joinWarp(stage.out, to);
  }

 private:
  const Clock clock_ = Clock::fromMegahertz(700);
  unsigned lanes_, known_;
  bool late_;
  unsigned edges_ = 0;
  std::list<LeavingOnce> stages_;
  std::list<test::LateStage> lates_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(outcomes)

BOOST_DATA_TEST_CASE(go_back_to_what_produced_the_instruction,
                     bdata::make({1U, 5U, 32U}) * bdata::make({0U, 4U}) *
                         bdata::make({false, true}) *
                         bdata::make({"core.memory_queue=0", "core.memory_queue=2"}),
                     lanes, known, late, queue) {
  Connector connector(lanes, known, late);
  platforms::Simulation simulation(test::gtx480({queue}), connector);
  LoopWorkload workload;
  const auto outcome = simulation.run(workload);
  const unsigned warps = 3 * LoopWorkload::kWarps * LoopWorkload::kRounds;
  BOOST_TEST(workload.served == warps * kWarpLanes);
  BOOST_TEST(workload.tries == warps * ((kWarpLanes + lanes - 1) / lanes));
  BOOST_TEST(outcome.totals.warpInstructions == workload.tries);  // each try is an instruction
  std::uint64_t slots = outcome.totals.warpInstructions;
  for (const std::uint64_t empty : outcome.totals.stalls) slots += empty;
  BOOST_TEST(slots == outcome.cycles * 2);
  BOOST_TEST(connector.nothingLeft());
}

BOOST_AUTO_TEST_CASE(a_workload_that_was_run_before_is_refused) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  platforms::Simulation simulation(test::gtx480());
  LoopWorkload workload;
  simulation.run(workload);
  BOOST_CHECK_EXCEPTION(
      simulation.run(workload), sc_core::sc_report, [](const sc_core::sc_report& report) {
        return std::string(report.get_msg()).find("has been run before") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(a_workload_without_a_grid_takes_no_cycle) {
  platforms::Simulation simulation(test::gtx480());
  test::ScriptedWorkload workload(1, 32);
  workload.launches = 0;
  BOOST_TEST(simulation.run(workload).cycles == 0U);
}

// Accesses are pooled: a producer's request for outcomes must not carry over to the next.
BOOST_AUTO_TEST_CASE(are_told_only_to_a_producer_that_takes_them) {
  struct Untold : test::ScriptedWorkload {
    Untold() : ScriptedWorkload(2, 64) {
      grid.sharedBytesPerCta = 128;
      addMemory(MemorySpace::Shared, MemoryOperation::Load, 4,
                [](auto, auto, unsigned lane, auto) { return std::uint64_t{lane} * 4; }, {1});
      repeat = 20;
    }
    void responded(unsigned, const TryOutcome&) override { BOOST_TEST(false, "told"); }
  };
  platforms::Simulation simulation(test::gtx480());
  LoopWorkload takes;
  simulation.run(takes);
  Untold untold;
  BOOST_TEST(simulation.run(untold).totals.sharedLoads == 2U * 2 * 20);
}

BOOST_AUTO_TEST_SUITE_END()
