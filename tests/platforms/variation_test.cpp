// Effects of other parameters, late answers, and data.
#include "tests/platforms/timing.h"
#include "tests/support/late_stage.h"
#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Makes the two paths behind the core answer late.
class LateConnector : public CheckedConnector {
 public:
  explicit LateConnector(bool extraDelta) : extraDelta_(extraDelta) {}
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    const bool behindCore = ++edges_ == 1 || edges_ == 4;
    if (!behindCore) return CheckedConnector::joinWarp(from, to);
    const std::string name = "late" + std::to_string(edges_);
    LateStage& stage = stages_.emplace_back(name.c_str(), clock_, extraDelta_);
    through(stage, from, to);
  }

 private:
  const Clock clock_ = Clock::fromMegahertz(700);
  bool extraDelta_;
  unsigned edges_ = 0;
  std::list<LateStage> stages_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(late_answers)

// Modules that acknowledge and respond later, as RTL does, give the same work in about the same
// time: an answer may be seen a cycle later than one known at the call.
BOOST_DATA_TEST_CASE(do_the_same_work, bdata::make({false, true}) * bdata::make({1U, 8U}),
                     extraDelta, stride) {
  const auto make = [&] {
    ScriptedWorkload workload(9, 160);
    workload.addSharedLoad(stride, {2}, {3});
    workload.add(InstructionClass::Integer, {3}, {2});
    workload.add(InstructionClass::Barrier);
    workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, workload.apart(4 * 4), {4},
                       {3});
    workload.repeat = 6;
    workload.grid.sharedBytesPerCta = 1024;
    return workload;
  };
  LateConnector connector(extraDelta);
  Simulation simulation(gtx480(), connector);
  ScriptedWorkload workload = make();
  const auto outcome = simulation.run(workload);
  BOOST_TEST(outcome.totals.warpInstructions == 9U * 5 * 4 * 6);
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * 2);
  BOOST_TEST(connector.nothingLeft());
  // Least time of an iteration: the shared load, the add, the global load.
  BOOST_TEST(outcome.cycles >= 6 * (26 + 9));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(parameters)

struct Varied {
  const char* set;
  int more;  ///< more cycles than with the platform's value
};
std::ostream& operator<<(std::ostream& out, const Varied& v) {
  return out << v.set;
}

// Every latency of the path shows in one warp's dependent chain, every width and interval in a full
// loop.
const Varied kLatencies[] = {{"agu.latency=5", 4},
                             {"crossbar.latency=7", 6},
                             {"scratchpad.latency=30", 6},
                             {"special.latency=40", 22},
                             {"division.latency=200", 55},
                             {"integer.latency=3", -6},
                             {"clock.frequency_mhz=1401", 0},
                             {"scratchpad.indexer=xor k1=0 k2=5 mask=31", 1}};

BOOST_DATA_TEST_CASE(a_dependent_chain_sums_the_latencies, bdata::make(kLatencies), v) {
  ScriptedWorkload workload(1, 32);
  workload.addSharedLoad(1, {1});
  workload.add(InstructionClass::Special, {2}, {1});
  workload.add(InstructionClass::Division, {3}, {2});
  workload.add(InstructionClass::Integer, {4}, {3});
  BOOST_TEST(static_cast<int>(cycles(workload, {v.set})) == 26 + 18 + 145 + 9 + v.more);
}

struct Bound {
  const char* set;
  double perWarpInstruction;  ///< cycles, all warps together
};
std::ostream& operator<<(std::ostream& out, const Bound& b) {
  return out << b.set;
}
const Bound kIssueBounds[] = {{"integer.interval=1", 0.5},
                              {"integer.interval=3", 1.5},
                              {"pipelines.alu_units=1", 1},
                              {"scheduler.schedulers=1", 1},
                              {"scheduler.issue_width=2", 0.5}};

// An ALU unit is held by a division for its interval; integer instructions wait for it too.
BOOST_DATA_TEST_CASE(divisions_hold_an_alu_unit, bdata::make({8U, 21U}) ^ bdata::make({1U, 2U}),
                     interval, units) {
  ScriptedWorkload workload(6, 256);
  for (RegisterId i = 0; i < 4; ++i) workload.add(InstructionClass::Division, {i});
  for (RegisterId i = 4; i < 8; ++i) workload.add(InstructionClass::Integer, {i});
  workload.repeat = 50;
  const double expected = 48.0 * 50 * 4 * (interval + 1) / units;
  BOOST_CHECK_CLOSE_FRACTION(
      static_cast<double>(cycles(workload, {"division.interval=" + std::to_string(interval),
                                            "pipelines.alu_units=" + std::to_string(units)})),
      expected, 0.05);
}

BOOST_DATA_TEST_CASE(a_full_integer_loop_follows_width_and_interval, bdata::make(kIssueBounds), b) {
  ScriptedWorkload workload(6, 256);
  for (RegisterId i = 0; i < 16; ++i) workload.add(InstructionClass::Integer, {i});
  workload.repeat = 50;
  BOOST_CHECK_CLOSE_FRACTION(static_cast<double>(cycles(workload, {b.set})),
                             48 * 16 * 50 * b.perWarpInstruction, 0.05);
}

const Bound kBankBounds[] = {{"scratchpad.ports=1", 8},        {"scratchpad.ports=2", 4},
                             {"scratchpad.bank_bytes=8", 4},   {"scratchpad.indexer=mod 16", 16},
                             {"scratchpad.indexer=ami 33", 1}, {"scratchpad.indexer=fixed-xor", 1}};

BOOST_DATA_TEST_CASE(a_full_stride_8_loop_follows_the_banks, bdata::make(kBankBounds), b) {
  ScriptedWorkload workload(6, 256);
  for (RegisterId i = 0; i < 16; ++i) {
    workload.addSharedLoad(8, {i});
  }
  workload.grid.sharedBytesPerCta = 1024;
  workload.repeat = 20;
  BOOST_CHECK_CLOSE_FRACTION(static_cast<double>(cycles(workload, {b.set})),
                             48 * 16 * 20 * b.perWarpInstruction, 0.05);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(verification)

BOOST_AUTO_TEST_CASE(a_load_of_what_was_never_stored_must_find_zero) {
  ScriptedWorkload workload(4, 64);
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 8, workload.apart(8), {1});
  workload.grid.sharedBytesPerCta = 256;
  workload.loaded = [](std::uint64_t) { return 0U; };
  CheckedSimulation simulation(gtx480({"verify=true", "scratchpad.indexer=ami 33"}));
  BOOST_TEST(simulation.run(workload).compared == 4U * 2 * 32);
}

BOOST_AUTO_TEST_CASE(a_wrong_value_is_found_and_named) {
  ScriptedWorkload workload(1, 32);
  workload.addSharedLoad(1, {1});
  workload.grid.sharedBytesPerCta = 128;
  workload.loaded = [](std::uint64_t word) { return word == 17 ? 1U : 0U; };
  CheckedSimulation simulation(gtx480({"verify=true"}));
  BOOST_CHECK_EXCEPTION(simulation.run(workload), sc_core::sc_report,
                        says("lane 17, shared byte address 68"));
}

BOOST_AUTO_TEST_SUITE_END()
