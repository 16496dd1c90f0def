// An instruction that takes its outcome: lanes left go back to the workload, which repeats the
// instruction with them, as the loop of a locked atomic does.
#include "tests/support/checked_simulation.h"
#include "tests/support/late_stage.h"
#include "tests/support/leaving_path.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Every warp stores `kRounds` times; each time it repeats until no lane is left.
class LoopWorkload : public ScriptedWorkload {
 public:
  static constexpr unsigned kWarps = 6;
  static constexpr unsigned kRounds = 5;

  LoopWorkload() : ScriptedWorkload(3, kWarpLanes * kWarps) {
    grid.sharedBytesPerCta = 1024;
    addMemory(MemorySpace::Shared, MemoryOperation::Store, 4, apart(4));
    repeat = ~0U;  // peek() ends the loop
  }

  void setWarpSlots(unsigned slots) override {
    ScriptedWorkload::setWarpSlots(slots);
    loops_.assign(slots, Loop{});
  }
  void startCta(std::uint64_t cta, unsigned first) override {
    ScriptedWorkload::startCta(cta, first);
    for (unsigned w = 0; w < kWarps; ++w) loops_[first + w] = Loop{kRounds, kAllLanes, false};
  }
  void endCta(unsigned first) override {
    for (unsigned w = 0; w < kWarps; ++w) BOOST_TEST(loops_[first + w].rounds == 0U);
    ScriptedWorkload::endCta(first);
  }
  const StaticInstruction* peek(unsigned slot) override {
    BOOST_TEST(!loops_[slot].waits, "asked before the outcome was told");
    return loops_[slot].rounds == 0 ? nullptr : ScriptedWorkload::peek(slot);
  }
  void execute(unsigned slot, WarpInstruction& out) override {
    ScriptedWorkload::execute(slot, out);
    out.active = loops_[slot].todo;
    out.takesOutcome = true;
    loops_[slot].waits = true;
    ++tries;
  }
  void responded(unsigned slot, const TryOutcome& outcome) override {
    Loop& loop = loops_[slot];
    BOOST_TEST(loop.waits);
    loop.waits = false;
    const LaneMask left = outcome.lanesLeft();
    served += laneCount(loop.todo & ~left);
    loop.todo = left;
    if (left != 0) return;
    loop.todo = kAllLanes;
    --loop.rounds;
  }

  std::uint64_t tries = 0;
  std::uint64_t served = 0;

 private:
  struct Loop {
    unsigned rounds = 0;
    LaneMask todo = 0;
    bool waits = false;
  };
  std::vector<Loop> loops_;
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

class OnceConnector : public CheckedConnector {
 public:
  OnceConnector(unsigned lanes, unsigned known, bool late)
      : lanes_(lanes), known_(known), late_(late) {}
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    if (++edges_ != 1) return CheckedConnector::joinWarp(from, to);
    CheckedConnector::joinWarp(from, stages_.emplace_back("leaving", clock_, lanes_, known_).in);
    if (!late_) return CheckedConnector::joinWarp(stages_.back().out, to);
    LateStage& stage = lates_.emplace_back("late", clock_, false);
    through(stage, stages_.back().out, to);
  }

 private:
  const Clock clock_ = Clock::fromMegahertz(700);
  unsigned lanes_, known_;
  bool late_;
  unsigned edges_ = 0;
  std::list<LeavingOnce> stages_;
  std::list<LateStage> lates_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(outcomes)

BOOST_DATA_TEST_CASE(go_back_to_what_produced_the_instruction,
                     bdata::make({1U, 5U, 32U}) * bdata::make({0U, 4U}) *
                         bdata::make({false, true}) *
                         bdata::make({"core.memory_queue=0", "core.memory_queue=2"}),
                     lanes, known, late, queue) {
  OnceConnector connector(lanes, known, late);
  Simulation simulation(gtx480({queue}), connector);
  LoopWorkload workload;
  const auto outcome = simulation.run(workload);
  const unsigned warps = 3 * LoopWorkload::kWarps * LoopWorkload::kRounds;
  BOOST_TEST(workload.served == warps * kWarpLanes);
  BOOST_TEST(workload.tries == warps * ((kWarpLanes + lanes - 1) / lanes));
  BOOST_TEST(outcome.totals.warpInstructions == workload.tries);  // each try is an instruction
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * 2);
  BOOST_TEST(connector.nothingLeft());
}

BOOST_AUTO_TEST_CASE(a_workload_that_was_run_before_is_refused) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  Simulation simulation(gtx480());
  LoopWorkload workload;
  simulation.run(workload);
  BOOST_CHECK_EXCEPTION(simulation.run(workload), sc_core::sc_report, says("has been run before"));
}

BOOST_AUTO_TEST_CASE(a_workload_without_a_grid_takes_no_cycle) {
  Simulation simulation(gtx480());
  ScriptedWorkload workload(1, 32);
  workload.launches = 0;
  BOOST_TEST(simulation.run(workload).cycles == 0U);
}

// Accesses are pooled: a producer's request for outcomes must not carry over to the next.
BOOST_AUTO_TEST_CASE(are_told_only_to_a_producer_that_takes_them) {
  struct Untold : ScriptedWorkload {
    Untold() : ScriptedWorkload(2, 64) {
      grid.sharedBytesPerCta = 128;
      addSharedLoad(1, {1});
      repeat = 20;
    }
    void responded(unsigned, const TryOutcome&) override { BOOST_TEST(false, "told"); }
  };
  Simulation simulation(gtx480());
  LoopWorkload takes;
  simulation.run(takes);
  Untold untold;
  BOOST_TEST(simulation.run(untold).totals.sharedLoads == 2U * 2 * 20);
}

BOOST_AUTO_TEST_SUITE_END()
