// A path that takes nothing for a while holds its own accesses only.
#include <fermata/models/transaction/leaving_stage.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/late_stage.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Records the first try of each warp slot, and leaves the first try of one slot.
class LeavesSlot : public LeavingStage {
 public:
  LeavesSlot(const Clock& clock, std::optional<unsigned> slot)
      : LeavingStage("leaves_slot", clock), slot_(slot) {}
  std::map<unsigned, Cycle> first;

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    WarpAccess& access = warpAccess(payload);
    first.emplace(access.slot, clock().cycles(sc_core::sc_time_stamp() + delay));
    if (slot_ != access.slot) return 0;
    slot_.reset();
    access.outcome.leave(access.asked, LeftCause::Bank);
    return access.asked;
  }
  std::optional<unsigned> slot_;
};

/// Acknowledges late and answers nothing else: the path is full, not the port.
class FullStage : public LateStage {
 public:
  explicit FullStage(const Clock& clock) : LateStage("full_stage", clock, false) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const bool request = phase == tlm::BEGIN_REQ;
    const tlm::tlm_sync_enum status = LateStage::nb_transport_fw(payload, phase, delay);
    if (request) warpAccess(payload).occupancy = 1;
    return status;
  }
};

/// Global path that acknowledges a request when its lines have left: 32 cycles for 32 lines.
class SlowGlobal : public CheckedConnector {
 public:
  explicit SlowGlobal(std::optional<unsigned> leaves)
      : shared(Clock::fromMegahertz(700), leaves), global_(Clock::fromMegahertz(700)) {}
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    if (to.name() == std::string("sm.agu.in")) return through(shared, from, to);
    if (to.name() == std::string("sm.coalescer.in")) return through(global_, from, to);
    CheckedConnector::joinWarp(from, to);
  }
  LeavesSlot shared;

 private:
  FullStage global_;
};

/// Two warps: each stores 32 lines to global memory, then loads from shared memory.
struct StoresThenLoads : ScriptedWorkload {
  StoresThenLoads() : ScriptedWorkload(1, 64) {
    grid.sharedBytesPerCta = 128;
    addMemory(MemorySpace::Global, MemoryOperation::Store, 4,
              [](auto, unsigned warp, unsigned lane, auto) { return 65536 * warp + 128 * lane; });
    addSharedLoad(1, {1});
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(full_paths)

// The first warp's store is acknowledged in cycle 32; the loads do not wait for it.
BOOST_AUTO_TEST_CASE(let_other_spaces_pass) {
  SlowGlobal connector(std::nullopt);
  Simulation simulation(gtx480({"core.memory_queue=1"}), connector);
  StoresThenLoads workload;
  simulation.run(workload);
  BOOST_TEST(connector.shared.first.at(0) <= 3U);
  BOOST_TEST(connector.shared.first.at(1) <= 4U);
}

BOOST_AUTO_TEST_CASE(let_other_spaces_pass_without_a_queue) {
  SlowGlobal connector(std::nullopt);
  Simulation simulation(gtx480(), connector);
  StoresThenLoads workload;
  simulation.run(workload);
  BOOST_TEST(connector.shared.first.at(0) <= 3U);
  BOOST_TEST(connector.shared.first.at(1) >= 32U);  // behind its own store, which could not issue
}

// The load of the second warp is left while that warp's store still waits in the queue. The store
// goes first; the load's retry must not keep it in the queue.
BOOST_DATA_TEST_CASE(do_not_lock_up_with_lanes_left, bdata::make({0, 1, 2, 4}), queue) {
  SlowGlobal connector(1);
  Simulation simulation(gtx480({"core.memory_queue=" + std::to_string(queue)}), connector);
  StoresThenLoads workload;
  const auto outcome = simulation.run(workload);
  BOOST_TEST(outcome.totals.sharedLoads == 2U);
  BOOST_TEST(outcome.totals.globalAccesses == 2U);
  BOOST_TEST(connector.nothingLeft());
}

BOOST_AUTO_TEST_SUITE_END()
