// A producer that takes the outcome of its tries repeats lanes left itself: each round is an access
// of its own, and is counted as one.
#include <fermata/models/transaction/leaving_stage.h>
#include <fermata/models/transaction/warp_order.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Repeats its one instruction until no lane is left.
class GoesRound : public ScriptedWorkload {
 public:
  unsigned rounds = 0;

  GoesRound() : ScriptedWorkload(1, kWarpLanes) {
    grid.sharedBytesPerCta = kWarpLanes * 4;
    addSharedLoad(1, {1});
  }
  const StaticInstruction* peek(unsigned) override {
    return left_ == 0 ? nullptr : &body.front().what;
  }
  void execute(unsigned slot, WarpInstruction& out) override {
    body.front().active = left_;
    ScriptedWorkload::execute(slot, out);
    out.takesOutcome = true;
    ++rounds;
  }
  void responded(unsigned, const TryOutcome& outcome) override { left_ = outcome.lanesLeft(); }

 private:
  LaneMask left_ = kAllLanes;
};

/// Serves one lane of each try.
class OneLane : public LeavingStage {
 public:
  explicit OneLane(const Clock& clock) : LeavingStage("one_lane", clock) {}

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    WarpAccess& access = warpAccess(payload);
    BOOST_TEST(order_.mayServe(access));
    const LaneMask left = access.asked & (access.asked - 1);
    access.outcome.leave(left, LeftCause::Lock);
    if (left != 0) order_.left(access);
    return left;
  }

  WarpOrder order_;
};

/// Leaves the first try whole, until 40 cycles later, and serves all other tries.
class FirstTryLeft : public LeavingStage {
 public:
  explicit FirstTryLeft(const Clock& clock) : LeavingStage("first_try_left", clock) {}
  std::vector<std::uint64_t> sequences;  ///< sequence numbers of the tries

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    WarpAccess& access = warpAccess(payload);
    sequences.push_back(access.sequence);
    if (sequences.size() > 1) return 0;
    access.outcome.leave(access.asked, LeftCause::Absent);
    access.outcome.retry = 40;
    return access.asked;
  }
};

template <class Stage>
class BehindCore : public CheckedConnector {
 public:
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    if (to.name() != std::string("sm.agu.in")) return CheckedConnector::joinWarp(from, to);
    through(stage, from, to);
  }

  Stage stage{Clock::fromMegahertz(700)};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(outcome)

BOOST_AUTO_TEST_CASE(every_round_is_an_access) {
  BehindCore<OneLane> connector;
  Simulation simulation(gtx480(), connector);
  GoesRound workload;
  const RunOutcome run = simulation.run(workload);
  BOOST_TEST(workload.rounds == kWarpLanes);
  BOOST_TEST(run.totals.sharedAccesses() == kWarpLanes);
  BOOST_TEST(run.totals.conflictPasses == kWarpLanes);
  BOOST_TEST(run.totals.bankConflictCycles() == 0U);
  BOOST_TEST(run.cycles == Cycle{kWarpLanes} * 26);  // each round waits for the register
  BOOST_TEST(connector.nothingLeft());
}

// A warp issues no memory instruction into a path that has left lanes of an earlier one.
BOOST_AUTO_TEST_CASE(a_later_access_of_the_warp_waits_for_the_lanes_left) {
  BehindCore<FirstTryLeft> connector;
  Simulation simulation(gtx480(), connector);
  ScriptedWorkload workload(1, kWarpLanes);
  workload.grid.sharedBytesPerCta = kWarpLanes * 4;
  for (RegisterId r = 1; r <= 2; ++r) {
    workload.addSharedLoad(1, {r});
  }
  const Cycle cycles = simulation.run(workload).cycles;
  BOOST_TEST((connector.stage.sequences == std::vector<std::uint64_t>{0, 0, 1}));
  BOOST_TEST(cycles == 40U + 1 + 26);  // retry in cycle 40, the second load behind it
}

BOOST_AUTO_TEST_SUITE_END()
