// A run ends with its work, even if other processes tick on. If no warp gets on, it ends with an
// error that says what each warp and each access waits for.
#include <fermata/models/transaction/leaving_stage.h>
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/launch_workload.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/late_stage.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// A process unrelated to the platform that never ends.
struct Neighbour : sc_core::sc_module {
  SC_HAS_PROCESS(Neighbour);
  explicit Neighbour(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(tick); }
  void tick() { next_trigger(sc_core::sc_time(37, sc_core::SC_NS)); }
};

/// Puts a stage of the test in front of the scratchpad path.
template <class Stage>
class With : public Connector {
 public:
  Stage stage{"stage"};
  Neighbour neighbour{"neighbour"};

 private:
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    if (to.name() != std::string("sm.agu.in")) return Connector::joinWarp(from, to);
    from.bind(stage.in);
    stage.out.bind(to);
  }
};

/// Takes the first access and never answers it.
class Loses : public LateStage {
 public:
  explicit Loses(const char* name) : LateStage(name, Clock::fromMegahertz(700), false) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase != tlm::BEGIN_REQ || lost_) return LateStage::nb_transport_fw(payload, phase, delay);
    lost_ = true;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  bool lost_ = false;
};

/// No lane ever gets a lock.
class Locked : public LeavingStage {
 public:
  explicit Locked(const char* name) : LeavingStage(name, Clock::fromMegahertz(772)) {}

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    WarpAccess& access = warpAccess(payload);
    if (access.instruction.lock != LockStep::Read) return 0;
    access.outcome.leave(access.asked, LeftCause::Lock);
    return access.asked;
  }
};

std::uint64_t lane4(std::uint64_t, unsigned, unsigned lane, unsigned) {
  return std::uint64_t{64} + 4 * lane;
}

/// Checks that the run ends with an error that says all parts.
void fails(Simulation& simulation, Workload& workload, const std::vector<std::string>& parts) {
  BOOST_CHECK_EXCEPTION(simulation.run(workload), std::runtime_error, says(parts));
}

const char* const kAtomics = R"(
.version 3.0
.target sm_20
.visible .entry lk()
{
  .reg .u32 %r<4>;
  .shared .align 4 .b32 s[32];
  mov.u32 %r1, s;
  atom.shared.add.u32 %r2, [%r1], 1;
  ret;
}
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(run_end)

BOOST_AUTO_TEST_CASE(a_lost_response_is_found_beside_a_process_that_never_ends) {
  With<Loses> connector;
  Simulation simulation(gtx480({"run.stall_limit=5000"}), connector);
  ScriptedWorkload workload(1, 64);
  workload.add(InstructionClass::Integer, {5});
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, lane4, {1});
  workload.add(InstructionClass::Integer, {2}, {1});
  workload.add(InstructionClass::Barrier);
  fails(
      simulation, workload,
      {"no warp gets on within 5000 cycles (run.stall_limit)", "kernel 'scripted'",
       "warp slot 0 waits for a register, next pc 2", "warp slot 1 waits at a barrier",
       "access of warp slot 0 at pc 1, load of shared memory, lane 0 at address 64: sent in cycle "
       "1, no response"});
}

BOOST_AUTO_TEST_CASE(rounds_that_serve_no_lane_bring_nobody_on) {
  With<Locked> connector;
  Simulation simulation(platform("gtx580-atomics", {"run.stall_limit=10000"}), connector);
  ScriptedWorkload workload(1, 96);
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Atomic, 4, lane4, {1});
  fails(simulation, workload,
        {"no warp gets on within 10000 cycles", "its last round for locks served no lane"});
}

// Without run.stall_limit, the launch's budget ends rounds that serve no lane.
BOOST_AUTO_TEST_CASE(a_budget_counts_rounds_that_serve_no_lane) {
  With<Locked> connector;
  Simulation simulation(platform("gtx580-atomics", {"run.stall_limit=0"}), connector);
  const TemporaryFolder folder;
  folder.put("lk.ptx", kAtomics);
  launch::WorkloadOptions options;
  options.instructionBudget = 1000;
  launch::LaunchWorkload workload(
      launch::parseLaunchFile(
          "kernel = \"lk.ptx\"\n[[launch]]\nentry = \"lk\"\ngrid = 1\nblock = 64\n",
          (folder / "lk.toml").string()),
      {}, options);
  fails(simulation, workload, {"lk.ptx:9", "budget of 1000 warp instructions (--budget)"});
}

// Repeated waits of almost the limit: each load lets its warp get on.
BOOST_AUTO_TEST_CASE(long_waits_are_no_stall) {
  Simulation simulation(gtx480({"run.stall_limit=100500", "global.latency=100000"}));
  ScriptedWorkload workload(1, 32);
  workload.repeat = 5;
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, lane4, {1}, {1});
  BOOST_TEST(simulation.run(workload).cycles > 500000U);
}

BOOST_DATA_TEST_CASE(time_stands_at_the_end_of_the_work,
                     bdata::make({"gtx480", "fermi-ami"}) * bdata::make({false, true}), name,
                     beside) {
  Connector connector;
  std::unique_ptr<Neighbour> neighbour;
  if (beside) neighbour = std::make_unique<Neighbour>("neighbour");
  const Configuration configuration = platform(name);
  Simulation simulation(configuration, connector);
  const Clock clock = Clock::fromMegahertz(configuration.parameters().clock.frequencyMhz);
  const bool caches = simulation.memory() != nullptr;
  for (unsigned run = 0; run < 3; ++run) {
    ScriptedWorkload workload(2, 64);
    workload.repeat = 10 + 700 * run;
    workload.addMemory(MemorySpace::Global, MemoryOperation::Store, 4, lane4, {}, {1});
    workload.add(InstructionClass::Special, {1}, {1});
    const sc_core::sc_time began = sc_core::sc_time_stamp();
    const Cycle cycles = simulation.run(workload).cycles;
    const Cycle passed = clock.cycles(sc_core::sc_time_stamp() - began);
    // A run begins in the cycle behind the end of the previous one. With caches it begins when the
    // clocks have the phase of time 0, and ends when nothing is under way behind the caches.
    BOOST_TEST(passed >= cycles);
    BOOST_TEST(passed <= cycles + (caches ? 20000 : 1));
    if (caches) BOOST_TEST(simulation.memory()->quiet());
  }
}

BOOST_AUTO_TEST_SUITE_END()
