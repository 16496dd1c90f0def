// Timing of one SM: tables of issue and completion, closed formulas for loops bound by one
// resource, and the counts at the end. Every socket carries a protocol checker.
#include "tests/platforms/timing.h"
#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::test;

namespace {

// Figures of platforms/gtx480.toml that the tables below are computed from.
constexpr Cycle kAlu = 9;
constexpr Cycle kShared = 26;
constexpr Cycle kGlobal = 1 + 8 + 400;  // coalescer, one segment's turn, latency

struct Stride {
  unsigned stride;
  unsigned degree;
};
std::ostream& operator<<(std::ostream& out, const Stride& s) {
  return out << "stride " << s.stride;
}
const Stride kStrides[] = {{1, 1}, {2, 2}, {8, 8}, {32, 32}, {33, 1}, {0, 1}};

}  // namespace

BOOST_AUTO_TEST_SUITE(one_warp)

BOOST_AUTO_TEST_CASE(one_instruction_lasts_its_latency) {
  ScriptedWorkload workload(1, 32);
  workload.add(InstructionClass::Integer, {1});
  BOOST_TEST(cycles(workload) == kAlu);
}

BOOST_DATA_TEST_CASE(dependent_instructions_wait_for_each_other, bdata::make({1U, 2U, 7U, 100U}),
                     count) {
  ScriptedWorkload workload(1, 32);
  workload.add(InstructionClass::Float, {1}, {1});
  workload.repeat = count;
  BOOST_TEST(cycles(workload) == count * kAlu);
}

BOOST_DATA_TEST_CASE(independent_instructions_issue_every_cycle, bdata::make({1U, 2U, 7U, 60U}),
                     count) {
  ScriptedWorkload workload(1, 32);
  for (unsigned i = 0; i < count; ++i)
    workload.add(InstructionClass::Integer, {static_cast<RegisterId>(i)});
  BOOST_TEST(cycles(workload) == count - 1 + kAlu);
}

BOOST_DATA_TEST_CASE(shared_load_takes_26_cycles_and_one_more_a_pass, bdata::make(kStrides), s) {
  ScriptedWorkload workload(1, 32);
  workload.addSharedLoad(s.stride, {1});
  workload.add(InstructionClass::Integer, {2}, {1});
  BOOST_TEST(cycles(workload) == kShared + s.degree - 1 + kAlu);
}

BOOST_AUTO_TEST_CASE(global_load_is_latency_and_bandwidth) {
  for (const unsigned segments : {1U, 2U, 32U}) {
    ScriptedWorkload workload(1, 32);
    workload.addMemory(
        MemorySpace::Global, MemoryOperation::Load, 4,
        [&](auto, auto, unsigned lane, auto) { return std::uint64_t{128} * (lane % segments); },
        {1});
    static CheckedSimulation simulation(gtx480());
    const auto outcome = simulation.run(workload);
    BOOST_TEST(outcome.cycles == kGlobal + 8 * (segments - 1));
    BOOST_TEST(outcome.totals.globalSegments == segments);
  }
}

BOOST_AUTO_TEST_CASE(nothing_issues_behind_an_unresolved_branch) {
  ScriptedWorkload workload(1, 32);
  workload.add(InstructionClass::Branch);
  workload.add(InstructionClass::Integer, {1});
  BOOST_TEST(cycles(workload) == 2 * kAlu);
}

BOOST_DATA_TEST_CASE(a_predicate_comes_later_as_a_guard,
                     bdata::make({false, true}) * bdata::make({false, true}), guards, loads) {
  constexpr RegisterId kPredicate = 1, kGuard = 2;
  ScriptedWorkload workload(1, 32);
  auto& writer = loads ? workload.addSharedLoad(1, {kPredicate})
                       : workload.add(InstructionClass::Integer, {kPredicate});
  writer.what.guard = kGuard;
  workload.add(InstructionClass::Branch, {}, {guards ? kGuard : kPredicate});
  workload.add(InstructionClass::Integer, {3});
  const Cycle later = guards && !loads ? 7 : 0;
  BOOST_TEST(cycles(workload, {"branch.guard_latency=7"}) ==
             (loads ? kShared : kAlu) + later + 2 * kAlu);
}

struct ConstantLines {
  std::vector<unsigned> lines;
  Cycle cycles;
};
std::ostream& operator<<(std::ostream& out, const ConstantLines& row) {
  return out << row.lines.size() << " lines";
}
// Two lines of 64 bytes stay: with three, the one that was read the longest ago is gone.
const ConstantLines kConstantLines[] = {
    {{0}, 70}, {{0, 0}, 90}, {{0, 1, 0, 1}, 180}, {{0, 1, 2, 0}, 280}, {{0, 1, 0, 2, 0}, 250}};

BOOST_DATA_TEST_CASE(absent_constants_come_later, bdata::make(kConstantLines), row) {
  ScriptedWorkload workload(1, 32);
  for (const unsigned line : row.lines) {
    workload.addMemory(MemorySpace::Constant, MemoryOperation::Load, 4,
                       [line](auto, auto, unsigned, auto) { return std::uint64_t{64} * line; }, {1},
                       {1});
  }
  BOOST_TEST(cycles(workload, {"constant.line_bytes=64", "constant.bytes=128",
                               "constant.miss_latency=50", "constant.latency=20"}) == row.cycles);
}

// Another warp that asks for a line on its way waits as long: it does not run ahead to the next
// one.
BOOST_DATA_TEST_CASE(warps_wait_for_constants_on_their_way, bdata::make({32U, 64U, 128U}),
                     threads) {
  ScriptedWorkload workload(1, threads);
  for (unsigned line = 0; line < 6; ++line) {
    workload.addMemory(MemorySpace::Constant, MemoryOperation::Load, 4,
                       [line](auto, auto, unsigned, auto) { return std::uint64_t{64} * line; }, {1},
                       {1});
  }
  const Cycle took = cycles(workload, {"constant.line_bytes=64", "constant.bytes=128",
                                       "constant.miss_latency=50", "constant.latency=20"});
  BOOST_TEST(took >= 6U * 70);
  BOOST_TEST(took <= 6U * 70 + 4);
}

BOOST_AUTO_TEST_CASE(write_after_write_waits) {
  ScriptedWorkload workload(1, 32);
  workload.addSharedLoad(1, {1});
  workload.add(InstructionClass::Integer, {1});
  BOOST_TEST(cycles(workload) == kShared + kAlu);
}

BOOST_AUTO_TEST_CASE(a_predicated_off_access_costs_an_issue_only) {
  ScriptedWorkload workload(1, 32);
  workload.addSharedLoad(32, {1}).active = 0;
  workload.add(InstructionClass::Integer, {2}, {1});
  CheckedSimulation simulation(gtx480());
  const auto outcome = simulation.run(workload);
  BOOST_TEST(outcome.cycles == 1 + kAlu);
  BOOST_TEST(outcome.totals.sharedAccesses() == 0U);
  BOOST_TEST(outcome.totals.warpInstructions == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(many_warps)

// Two accesses of one warp, or of two warps: the second waits for all passes of the first.
BOOST_DATA_TEST_CASE(an_access_holds_the_port_for_its_passes, bdata::make(kStrides), s) {
  ScriptedWorkload workload(1, 64);
  workload.addSharedLoad(s.stride, {1});
  BOOST_TEST(cycles(workload) == kShared + 2 * s.degree - 1);
}

// Two schedulers each issue one instruction per cycle to two arithmetic units.
BOOST_DATA_TEST_CASE(compute_bound_loop_equals_issue_bandwidth, bdata::make({8U, 16U, 48U}),
                     warps) {
  ScriptedWorkload workload(warps / 4, 128);
  for (RegisterId i = 0; i < 16; ++i) workload.add(InstructionClass::Integer, {i}, {i});
  workload.repeat = 100;
  const double expected = warps * 16.0 * 100 / 2;
  // With few warps, their 16 independent instructions cover the latency: one warp per cycle.
  BOOST_CHECK_CLOSE_FRACTION(static_cast<double>(cycles(workload)), expected, 0.05);
}

BOOST_DATA_TEST_CASE(special_function_loop_is_bound_by_its_interval, bdata::make({8U, 48U}),
                     warps) {
  ScriptedWorkload workload(warps / 4, 128);
  for (RegisterId i = 0; i < 8; ++i) workload.add(InstructionClass::Special, {i}, {i});
  workload.repeat = 50;
  BOOST_CHECK_CLOSE_FRACTION(static_cast<double>(cycles(workload)), warps * 8.0 * 50 * 4, 0.05);
}

BOOST_DATA_TEST_CASE(scratchpad_bound_loop_equals_its_passes, bdata::make(kStrides), s) {
  ScriptedWorkload workload(6, 256);
  for (RegisterId i = 0; i < 16; ++i) {
    workload.addSharedLoad(s.stride, {i});
  }
  workload.grid.sharedBytesPerCta = 8192;
  workload.repeat = 20;
  CheckedSimulation simulation(gtx480());
  const auto outcome = simulation.run(workload);
  const std::uint64_t accesses = 48 * 16 * 20;
  BOOST_TEST(outcome.totals.sharedLoads == accesses);
  BOOST_TEST(outcome.totals.conflictPasses == accesses * s.degree);
  BOOST_TEST(outcome.totals.bankConflictCycles() == accesses * (s.degree - 1));
  BOOST_CHECK_CLOSE_FRACTION(static_cast<double>(outcome.cycles),
                             static_cast<double>(accesses * s.degree), 0.05);
}

BOOST_DATA_TEST_CASE(bandwidth_bound_global_loop, bdata::make({1U, 4U}), segments) {
  ScriptedWorkload workload(6, 256);
  for (const RegisterId to :
       {1, 2}) {  // two in flight per warp: 96 segments of 8 cycles cover the latency
    workload.addMemory(
        MemorySpace::Global, MemoryOperation::Load, 4,
        [&](auto, auto, unsigned lane, auto) { return std::uint64_t{128} * (lane % segments); },
        {to});
  }
  workload.repeat = 100;
  BOOST_CHECK_CLOSE_FRACTION(static_cast<double>(cycles(workload)), 48.0 * 200 * segments * 8,
                             0.05);
}

// Every issue slot of every cycle is used or has exactly one cause.
BOOST_DATA_TEST_CASE(issue_slots_add_up, bdata::make({1U, 2U, 3U}) * bdata::make({1U, 2U}),
                     schedulers, width) {
  ScriptedWorkload workload(9, 160);
  workload.add(InstructionClass::Special, {3}, {2});
  workload.addSharedLoad(4, {2}, {3});
  workload.add(InstructionClass::Barrier);
  workload.addMemory(MemorySpace::Global, MemoryOperation::Store, 4, workload.apart(4 * 4), {},
                     {2});
  workload.repeat = 5;
  workload.launches = 2;
  CheckedSimulation simulation(gtx480({"scheduler.schedulers=" + std::to_string(schedulers),
                                       "scheduler.issue_width=" + std::to_string(width)}));
  const auto outcome = simulation.run(workload);
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * schedulers * width);
  BOOST_TEST(outcome.totals.warpInstructions == 2U * 9 * 5 * 20);
}

BOOST_AUTO_TEST_CASE(barriers_hold_every_warp_of_the_cta) {
  ScriptedWorkload workload(1, 256);
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                     [](auto, unsigned warp, unsigned lane, auto) { return 128 * warp + 4 * lane; },
                     {1});
  workload.add(InstructionClass::Integer, {2}, {1});
  workload.add(InstructionClass::Barrier);
  workload.add(InstructionClass::Integer, {3});
  // The last warp's segment has its turn after seven others. Its add issues when the data arrive,
  // its barrier a cycle later, the release takes one more cycle, and the last instruction lasts its
  // latency. The schedulers share the tail: four warps each.
  const Cycle last = 7 + 1 + 400 + 8 * 8 - 7;
  BOOST_TEST(cycles(workload) == last + 1 + 1 + 3 + kAlu);
}

// Two warps arrive in the first cycle and one in the second. Arrivals pass one after the other, and
// the warps go on a cycle behind the last one: two at once, one a cycle later.
BOOST_DATA_TEST_CASE(arrivals_keep_their_interval, bdata::make({0, 1, 5}), interval) {
  ScriptedWorkload workload(1, 96);
  workload.add(InstructionClass::Barrier);
  workload.add(InstructionClass::Integer, {1});
  const Cycle last = interval == 0 ? 1 : 2 * static_cast<Cycle>(interval);
  BOOST_TEST(cycles(workload, {"barrier.arrival_interval=" + std::to_string(interval)}) ==
             last + 1 + 1 + kAlu);
}

// Four warps arrive in two cycles and pass one after the other, the last in the fourth. The warps
// go on a cycle later, or when the barrier has taken its least time.
BOOST_DATA_TEST_CASE(barriers_take_their_least_time, bdata::make({0, 2, 3, 4, 9}), least) {
  ScriptedWorkload workload(1, 128);
  workload.add(InstructionClass::Barrier);
  workload.add(InstructionClass::Integer, {1});
  BOOST_TEST(cycles(workload, {"barrier.arrival_interval=1",
                               "barrier.least_latency=" + std::to_string(least)}) ==
             static_cast<Cycle>(std::max(3 + 1, least)) + 1 + kAlu);
}

BOOST_AUTO_TEST_CASE(warps_that_exit_do_not_hold_up_a_barrier) {
  ScriptedWorkload workload(2, 128);
  workload.skips = [](unsigned warp) { return warp % 2 == 1; };
  workload.add(InstructionClass::Barrier);
  workload.add(InstructionClass::Integer, {1});
  CheckedSimulation simulation(gtx480());
  BOOST_TEST(simulation.run(workload).totals.warpInstructions == 8U);
}

// The first warp arrives in cycle 0, and the exit of the second frees it long before cycle 50.
BOOST_AUTO_TEST_CASE(a_barrier_that_an_exit_completes_takes_its_least_time) {
  ScriptedWorkload workload(1, 64);
  workload.skips = [](unsigned warp) { return warp == 1; };
  workload.add(InstructionClass::Barrier);
  workload.add(InstructionClass::Integer, {1});
  BOOST_TEST(cycles(workload, {"barrier.least_latency=50"}) == 50 + kAlu);
}

BOOST_AUTO_TEST_CASE(a_predicated_off_barrier_is_not_an_arrival) {
  ScriptedWorkload workload(1, 96);
  ScriptedWorkload::Instruction& barrier = workload.add(InstructionClass::Barrier);
  barrier.barrier = 1;
  barrier.barrierThreads = 64;
  barrier.activeIn = [](unsigned warp) { return warp == 0 ? 0 : kAllLanes; };
  workload.add(InstructionClass::Integer, {1});
  CheckedSimulation simulation(gtx480());
  BOOST_TEST(simulation.run(workload).totals.warpInstructions == 6U);
}

BOOST_AUTO_TEST_CASE(occupancy_is_that_of_the_fullest_launch) {
  ScriptedWorkload workload(60, 256);
  workload.add(InstructionClass::Integer, {1});
  workload.launches = 2;
  workload.beforeLaunch = [&](unsigned launch) { workload.grid.ctas = launch == 0 ? 60 : 1; };
  CheckedSimulation simulation(gtx480());
  const auto outcome = simulation.run(workload);
  BOOST_TEST(outcome.residentWarps == 48U);
  BOOST_TEST((outcome.occupancy.limiter == OccupancyLimiter::Warps));
}

// Idle slots before the first CTA are charged to no instruction.
BOOST_AUTO_TEST_CASE(an_instruction_is_not_charged_for_an_empty_sm) {
  ScriptedWorkload workload(2, 32);
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, workload.apart(4), {1});
  CheckedSimulation simulation(gtx480({"limits.ctas=1", "scheduler.schedulers=1"}));
  const auto outcome = simulation.run(workload);
  BOOST_TEST(outcome.cycles == 2 * kGlobal);
  BOOST_TEST(outcome.profile.entries()[0][0].lost == 0U);
}

// A place is empty for core.cta_gap cycles between two CTAs of a grid, not before a grid. Slots of
// that time are idle.
BOOST_DATA_TEST_CASE(a_cta_begins_some_cycles_after_the_one_before_it, bdata::make({0U, 5U, 300U}),
                     gap) {
  ScriptedWorkload workload(3, 32);
  workload.add(InstructionClass::Integer, {1});
  workload.launches = 2;
  CheckedSimulation simulation(
      gtx480({"limits.ctas=1", "scheduler.schedulers=1", "core.cta_gap=" + std::to_string(gap)}));
  const auto outcome = simulation.run(workload);
  BOOST_TEST(outcome.cycles == 2 * (3 * kAlu + 2 * gap));
  BOOST_TEST(outcome.totals.stalled(StallCause::Idle) == outcome.cycles - 6);
}

BOOST_AUTO_TEST_CASE(a_barrier_that_cannot_complete_is_a_deadlock_with_guidance) {
  ScriptedWorkload workload(1, 64);
  workload.add(InstructionClass::Barrier).barrierThreads = 96;
  CheckedSimulation simulation(gtx480());
  BOOST_CHECK_EXCEPTION(simulation.run(workload), std::runtime_error,
                        says("deadlock", "warp slot 1 waits at a barrier"));
}

// A chip names the multiprocessors that wait, and not too many of them.
BOOST_DATA_TEST_CASE(a_deadlock_of_a_chip_names_who_waits, bdata::make({1, 9}), ctas) {
  ScriptedWorkload workload(static_cast<unsigned>(ctas), 64);
  workload.add(InstructionClass::Barrier).barrierThreads = 96;
  CheckedSimulation simulation(platform("gtx480-caches", {"chip.sms=12"}));
  const std::string said = errorOf<std::runtime_error>([&] { (void)simulation.run(workload); });
  BOOST_TEST(has(said, "sm0: kernel 'scripted'; warp slot 0 waits at a barrier"), said);
  BOOST_TEST(has(said, "; 5 more multiprocessors") == (ctas == 9), said);
  BOOST_TEST(has(said, "sm1:") == (ctas == 9), said);
  BOOST_TEST(!has(said, "sm9:"), said);
}

BOOST_AUTO_TEST_CASE(a_cta_that_does_not_fit_is_refused) {
  ScriptedWorkload workload(1, 64);
  workload.add(InstructionClass::Integer, {1});
  workload.grid.sharedBytesPerCta = 49153;
  workload.grid.where = "f.toml:7";
  CheckedSimulation simulation(gtx480());
  BOOST_CHECK_EXCEPTION(
      simulation.run(workload), OccupancyError,
      says("f.toml:7: kernel 'scripted': one CTA does not fit on the SM: it needs 49280 bytes of "
           "shared memory, scratchpad.bytes is 49152; expected less shared memory, or --set "
           "scratchpad.bytes=50176"));
}

// A run has no effect on the next one.
BOOST_AUTO_TEST_CASE(runs_on_one_platform_are_independent) {
  const auto make = [] {
    ScriptedWorkload workload(7, 96);
    workload.add(InstructionClass::Integer, {1}, {2});
    workload.addSharedLoad(3, {2}, {1});
    workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 8,
                       [](auto cta, auto, unsigned lane, auto) { return 4096 * cta + 8 * lane; },
                       {1}, {2});
    workload.repeat = 4;
    workload.grid.sharedBytesPerCta = 512;
    return workload;
  };
  CheckedSimulation simulation(gtx480());
  ScriptedWorkload first = make();
  const auto one = simulation.run(first);
  const Cycle before = one.cycles;
  const auto totals = one.totals;
  ScriptedWorkload second = make();
  const auto two = simulation.run(second);
  BOOST_TEST(two.cycles == before);
  BOOST_TEST(two.totals.warpCycles == totals.warpCycles);
  BOOST_TEST(two.totals.stalls == totals.stalls);
}

BOOST_AUTO_TEST_SUITE_END()
