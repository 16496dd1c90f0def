// Timing of mbarrier and blocks, cycle by cycle, on the platform sm_90. From its file and the
// README of stimuli/ptx:
// - integer instructions take 4 cycles, and nothing issues for 4 behind a branch;
// - a shared access of p passes issued in t takes the memory port for p cycles, and is through in
//   t + 1 + 1 + 27 + (p - 1): AGU, crossbar, scratchpad; below, kShared + p - 1. Lanes at one word
//   of 8 bytes take 2 passes, one per half of the warp; one lane takes 1; 32 lanes of 16 bytes next
//   to one another take 4;
// - a global access of n segments takes the port for n cycles; behind the coalescer's 1 cycle the
//   memory takes 9 cycles per segment, one after the other, and 478 more until the data arrive;
// - operations of an mbarrier act in the cycle in which they issue; an arrival behind copies acts
//   when the last copy is stored; a parameter arrives 27 cycles later.
#include <fermata/platforms/program/workloads.h>
#include "tests/support/checked_simulation.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

using Cycles = std::vector<Cycle>;

constexpr Cycle kShared = 29, kInteger = 4, kBranch = 4, kParameter = 27;
/// Cycles from the issue of a global access of 4 segments to its data, with idle memory.
constexpr Cycle kGlobal = 1 + 4 * 9 + 478;

/// Records by the first words of the opcode: issue, and arrival of results or stores.
struct Timeline : Probe {
  explicit Timeline(const Workload& workload) : workload_(workload) {}
  unsigned events() const override { return Grids | Issues | Warps; }
  void gridStarted(const Grid& grid, Cycle) override { program_ = grid.program; }
  void issued(const IssueEvent& event) override {
    issues_[opcode(event.instruction)].push_back(event.cycle);
  }
  void completed(unsigned /*slot*/, const StaticInstruction& what, Cycle at) override {
    ends_[opcode(what)].push_back(at);
  }

  Cycles issues(const std::string& start) const { return of(issues_, start); }
  Cycles ends(const std::string& start) const { return of(ends_, start); }

 private:
  using Events = std::map<std::string, Cycles>;
  std::string opcode(const StaticInstruction& what) const {
    return workload_.instructionText(program_, what.pc).opcode;
  }
  static Cycles of(const Events& events, const std::string& start) {
    const auto found = events.lower_bound(start);
    return found == events.end() || found->first.rfind(start, 0) != 0 ? Cycles() : found->second;
  }

  const Workload& workload_;
  unsigned program_ = 0;
  Events issues_, ends_;
};

/// A machine on which an access of P passes holds the banks for P cycles and answers after 27 more:
/// the cases below count the steps of barriers.
Configuration plainMachine(bool suspends) {
  return platform("sm_90", {std::string("scheduler.suspend_waits=") + (suspends ? "true" : "false"),
                            "clock.frequency_mhz=1000", "barrier.latency=1", "branch.latency=4",
                            "branch.guard_latency=0", "barrier.arrival_interval=0",
                            "barrier.least_latency=0", "scratchpad.conflict_policy=serialize",
                            "scratchpad.latency=27", "scratchpad.atomics=load", "subcore.queue=0",
                            "core.access_spacing=0", "global.latency=478", "scheduler.policy=lrr",
                            "tma.load_latency=2", "crossbar.packing_64=", "crossbar.packing_128=",
                            "crossbar.idle_groups_count=false"});
}

/// From issue to result, of 32 lanes at one word of 8 bytes.
constexpr Cycle kTwoPasses = kShared + 1;

/// One CTA. %r0 is the thread, %p0 is true for the first thread; both are ready in cycle 8.
template <bool kSuspends>
struct KernelOn {
  TemporaryFolder folder;
  CheckedSimulation simulation{plainMachine(kSuspends)};

  Timeline run(const std::string& body, unsigned threads, Cycle cycles) {
    folder.put("k.ptx",
               ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in)\n"
               "{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"
               ".shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 bar;\n"
               "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n" +
                   body + "\nret;\n}\n");
    folder.put("k.toml",
               "description = 'k'\nkernel = 'k.ptx'\n[buffers.in]\ntype = 'u32'\ncount = 256\n"
               "fill = { iota = { from = 0, step = 1 } }\n[[launch]]\nentry = 'k'\ngrid = 1\n"
               "block = " +
                   std::to_string(threads) + "\narguments = [{ buffer = 'in' }]\n");
    const auto open = openWorkload((folder / "k.toml").string(), {});
    Timeline timeline(*open.workload);
    simulation.simulation.addProbe(timeline);
    BOOST_TEST(simulation.run(*open.workload).cycles == cycles);
    return timeline;
  }
};

using Kernel = KernelOn<false>;
using SleepingKernel = KernelOn<true>;

void same(const Cycles& got, const Cycles& expected) {
  BOOST_TEST(got == expected, tt::per_element());
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mbarriers_in_time, Kernel)

// The first warp waits for the second, which arrives after 20 dependent additions.
BOOST_AUTO_TEST_CASE(arrive_and_test) {
  std::string additions;
  for (unsigned k = 0; k < 20; ++k) additions += "add.u32 %r1, %r1, 1;\n";
  // 8: the initialisation; 9: the second warp's, in which no lane acts; 10: its barrier, which lets
  // both go on in 11. 11: the comparison, 15: the branch, 19: the code behind the branch.
  const Cycle begin = 19;
  // The additions issue 4 cycles apart, the arrival in the cycle behind the last of them.
  const Cycle first = begin, second = begin + 19 * kInteger + 1;
  // A test needs the arrival's token, or the branch behind the previous test.
  const Cycle atomic = kShared + 1, period = kShared + 1 + kBranch;
  const Cycle test = first + atomic;
  BOOST_TEST_REQUIRE((test + period < second && second < test + 2 * period));  // two fail
  const Cycle over = second + atomic;  // finds the phase complete
  const Timeline timeline =
      run("@%p0 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\nsetp.lt.u32 %p1, %r0, 32;\n"
          "@%p1 bra A;\n" +
              additions +
              "A: mbarrier.arrive.shared.b64 %rd1, [bar];\n"
              "W: mbarrier.test_wait.shared.b64 %p2, [bar], %rd1;\n@!%p2 bra W;",
          64, over + period + 1);
  same(timeline.issues("mbarrier.init"), {8, 9});
  same(timeline.issues("mbarrier.arrive"), {first, second});
  same(timeline.ends("mbarrier.arrive"), {first + atomic, second + atomic});
  same(timeline.issues("mbarrier.test_wait"), {test, test + period, test + 2 * period, over});
  same(timeline.issues("ret"), {test + 3 * period, over + period});
}

// Each lane copies 16 bytes; all lanes poll until the arrival behind the copies acts.
BOOST_AUTO_TEST_CASE(copies_arrive) {
  // 8: the initialisation, 9: the parameter, 36: its sum with 16 times the thread, 37: the tile's
  // address, 41: the sum with the address, 45: the copy. It takes the port for 4 cycles.
  const Cycle copy = 9 + kParameter + 1 + 2 * kInteger, arrival = copy + 4;
  const Cycle there = copy + kGlobal;        // stored at once, in 4 passes
  const Cycle stored = there + kShared + 3;  // the arrival acts here and takes 2
  const Cycle period = kShared + 1 + kBranch;
  // The 16th test is due in the cycle in which the store takes the port, so it issues behind the
  // store's passes. The phase ends before the 17th.
  Cycles tests;
  for (Cycle at = arrival + 1; at < there; at += period) tests.push_back(at);
  BOOST_TEST_REQUIRE(tests.back() + period == there);
  tests.push_back(there + 4);
  BOOST_TEST_REQUIRE(tests.back() < stored);
  tests.push_back(tests.back() + period);
  BOOST_TEST_REQUIRE(tests.back() > stored);
  const Timeline timeline =
      run("@%p0 mbarrier.init.shared.b64 [bar], 32;\nld.param.u64 %rd0, [in];\n"
          "mad.wide.u32 %rd2, %r0, 16, %rd0;\nmov.u32 %r2, tile;\nmad.lo.u32 %r3, %r0, 16, %r2;\n"
          "cp.async.cg.shared.global [%r3], [%rd2], 16;\n"
          "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n"
          "W: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra W;",
          32, tests.back() + period + 1);
  same(timeline.issues("cp.async.cg"), {copy});
  same(timeline.ends("cp.async.cg"), {stored});
  same(timeline.issues("cp.async.mbarrier"), {arrival});
  same(timeline.ends("cp.async.mbarrier"), {stored + kShared + 1});
  same(timeline.issues("mbarrier.test_wait"), tests);
}

// One lane copies 1024 bytes: two accesses of 32 lanes of 16 bytes, which the engine sends 2 cycles
// behind the copy, then the arrival of the bytes.
BOOST_AUTO_TEST_CASE(a_block_arrives) {
  // 4: the comparison, 5: the parameter, 6: the tile's address, 8: the branch, 12: the
  // initialisation, 13: the arrival that expects the bytes, 32: the block.
  const Cycle block = 5 + kParameter, arrival = block + 1, sent = block + 2;
  // The memory takes the segments of the second half behind those of the first.
  const Cycle there = sent + kGlobal, rest = there + 4 * 9;
  const Cycle stored = rest + kShared + 3;  // the bytes arrive here, at one word
  const Cycle period = kShared + kBranch;
  Cycles tests{13 + kShared};  // gives the token
  while (tests.back() < stored) tests.push_back(tests.back() + period);
  for (const Cycle at : tests)  // no test finds the port taken by a store
    BOOST_TEST_REQUIRE(((at < sent || at >= sent + 8) && (at < there || at >= there + 4) &&
                        (at < rest || at >= rest + 4)));
  const Timeline timeline =
      run("ld.param.u64 %rd0, [in];\nmov.u32 %r2, tile;\n@!%p0 bra E;\n"
          "mbarrier.init.shared.b64 [bar], 1;\n"
          "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 1024;\n"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd0], 1024, "
          "[bar];\n"
          "W: mbarrier.try_wait.shared.b64 %p2, [bar], %rd1;\n@!%p2 bra W;\nE:",
          32, tests.back() + period + 1);
  same(timeline.issues("mbarrier.arrive.expect_tx"), {13});
  same(timeline.issues("cp.async.bulk"), {block, arrival});
  same(timeline.ends("cp.async.bulk"), {there + kShared + 3, stored, stored + kShared});
  same(timeline.issues("mbarrier.try_wait"), tests);
}

// A block leaves shared memory in two pieces, 16 cycles apart at 32 bytes a cycle. A wait with
// .read goes on when the second has been read, a wait without it when that is in memory.
BOOST_AUTO_TEST_CASE(a_block_leaves) {
  const auto run = [this](const std::string& wait, Cycle cycles) {
    return Kernel::run(
        "ld.param.u64 %rd0, [in];\nmov.u32 %r2, tile;\n@!%p0 bra E;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r2], 1024;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group" +
            wait + " 0;\nE:",
        32, cycles);
  };
  const Cycle block = 5 + kParameter;
  const Cycle read = block + 16 + kShared + 3;       // 4 passes
  const Cycle stored = read - 16 + 4 * 9 + kGlobal;  // behind the first one's segments
  const Timeline timeline = run(".read", stored + 1);
  same(timeline.issues("cp.async.bulk.global"), {block});
  same(timeline.issues("cp.async.bulk.wait_group"), {read});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(waits_that_suspend, SleepingKernel)

// The program of arrive_and_test; the first warp sleeps until the second has arrived: one test
// each.
BOOST_AUTO_TEST_CASE(a_warp_wakes_behind_the_last_arrival) {
  std::string additions;
  for (unsigned k = 0; k < 20; ++k) additions += "add.u32 %r1, %r1, 1;\n";
  const Cycle first = 19, second = first + 19 * kInteger + 1;
  const Cycle woken = second + 2;  // the arrival takes the port for 2 cycles
  const Cycle own = second + kTwoPasses;
  const Timeline timeline =
      run("@%p0 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\nsetp.lt.u32 %p1, %r0, 32;\n"
          "@%p1 bra A;\n" +
              additions +
              "A: mbarrier.arrive.shared.b64 %rd1, [bar];\n"
              "W: mbarrier.try_wait.shared.b64 %p2, [bar], %rd1, 1000000;\n@!%p2 bra W;",
          64, own + kTwoPasses + kBranch + 1);
  same(timeline.issues("mbarrier.arrive"), {first, second});
  same(timeline.issues("mbarrier.try_wait"), {woken, own});
  same(timeline.issues("ret"), {woken + kTwoPasses + kBranch, own + kTwoPasses + kBranch});
}

// Nothing arrives: the test is over at its time limit, 50 ns after the barrier has let the warp go
// on in cycle 10, and again.
BOOST_AUTO_TEST_CASE(a_warp_wakes_at_its_time_limit) {
  const Cycle limit = 10 + 50;
  const Timeline timeline =
      run("@%p0 mbarrier.init.shared.b64 [bar], 1;\nbar.sync 0;\n"
          "mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0, 50;\n"
          "@%p2 trap;\n",
          32, limit + kTwoPasses + kInteger);
  same(timeline.issues("mbarrier.try_wait"), {limit});
}

// 100 ns from cycle 5, in which the pause is next.
BOOST_AUTO_TEST_CASE(a_pause_takes_its_time) {
  const Timeline timeline = run("nanosleep.u32 100;\n", 32, 5 + 100 + kInteger);
  same(timeline.issues("nanosleep"), {105});
  same(timeline.issues("ret"), {106});
}

BOOST_AUTO_TEST_SUITE_END()
