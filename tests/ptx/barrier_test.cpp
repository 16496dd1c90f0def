// Barriers: order between warps, named barriers, arrivals, reductions, exits and deadlocks; and
// barriers of a grid, whose CTAs take turns.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

std::vector<Word> results(const std::string& body, unsigned threads) {
  RunOptions options;
  options.block.x = threads;
  options.grid.x = 2;
  return runBody<Word>(
      "mad.wide.u32 %rd2, %r92, 4, %rd91; mov.u32 %r2, 0; .shared .b32 cells[1024]; mov.u32 %r10, "
      "cells; shl.b32 %r11, %r90, 2; add.u32 %r11, %r11, %r10;" +
          body + " st.global.u32 [%rd2], %r2;",
      2 * threads, options);
}

/// Runs %r91 rounds. In each, every CTA writes its number plus the round, all CTAs meet at a grid
/// barrier (a counter on which the first thread of each CTA spins), and each reads its neighbour's
/// number.
const std::string kGridBarrier = R"(
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r20, 0; mov.u32 %r21, 0;
mad.wide.u32 %rd1, %r1, 4, %rd90; add.u32 %r3, %r1, 1; rem.u32 %r3, %r3, %r2; mad.wide.u32 %rd2, %r3, 4, %rd90;
ROUND: setp.ne.u32 %p1, %r90, 0; add.u32 %r5, %r1, %r20; @!%p1 st.volatile.global.u32 [%rd1], %r5;
bar.sync 0; @%p1 bra WAIT; membar.gl; atom.global.add.u32 %r6, [%rd91], 1; add.u32 %r7, %r20, 1; mul.lo.u32 %r7, %r7, %r2; mul.lo.u32 %r7, %r7, 2;
shl.b32 %r8, %r2, 1; mul.lo.u32 %r9, %r20, %r8; add.u32 %r9, %r9, %r2;
SPIN: ld.acquire.gpu.global.u32 %r6, [%rd91]; setp.lt.u32 %p2, %r6, %r9; @%p2 bra SPIN;
WAIT: bar.sync 0; ld.volatile.global.u32 %r10, [%rd2]; add.u32 %r21, %r21, %r10; bar.sync 0; @%p1 bra AGAIN;
atom.global.add.u32 %r6, [%rd91], 1; add.u32 %r9, %r9, %r2;
SPIN2: ld.acquire.gpu.global.u32 %r6, [%rd91]; setp.lt.u32 %p2, %r6, %r9; @%p2 bra SPIN2;
AGAIN: bar.sync 0; add.u32 %r20, %r20, 1; setp.lt.u32 %p3, %r20, %r91; @%p3 bra ROUND;
mad.wide.u32 %rd3, %r92, 4, %rd91; st.global.u32 [%rd3+4], %r21;)";

}  // namespace

BOOST_AUTO_TEST_SUITE(barriers)

// Each warp reads the word that the last warp wrote before the barrier, over many rounds.
BOOST_AUTO_TEST_CASE(warps_see_each_others_stores) {
  for (const std::string barrier :
       {"bar.sync 0;", "barrier.sync 3;", "bar.sync 1, 224;", "mov.u32 %r20, 7; bar.sync %r20;",
        "barrier.cta.sync.aligned 0;"}) {
    const auto out =
        results("mov.u32 %r5, 0; L: add.u32 %r6, %r90, %r5; st.shared.u32 [%r11], %r6;" + barrier +
                    "sub.u32 %r7, 223, %r90; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r10; "
                    "ld.shared.u32 %r8, [%r7]; add.u32 %r2, %r2, %r8;" +
                    barrier + "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 9; @%p1 bra L;",
                224);
    for (Word k = 0; k < 448; ++k) BOOST_TEST(out[k] == 9 * (223 - k % 224) + 36);
  }
}

BOOST_AUTO_TEST_CASE(producer_and_consumer) {
  const auto out = results(
      "setp.ge.u32 %p1, %r90, 32; @%p1 bra CONSUMER; mov.u32 %r3, 55; st.shared.u32 [%r11], %r3; "
      "bar.arrive 2, 64; ret; CONSUMER: bar.sync 2, 64; sub.u32 %r11, %r11, 128; ld.shared.u32 "
      "%r2, [%r11];",
      64);
  for (Word k = 32; k < 64; ++k) BOOST_TEST(out[k] == 55U);
}

BOOST_AUTO_TEST_CASE(exited_warps_count_as_arrived) {
  const auto out = results(
      "setp.ge.u32 %p1, %r90, 64; @%p1 ret; st.shared.u32 [%r11], 3; bar.sync 0; xor.b32 %r11, "
      "%r11, 128; ld.shared.u32 %r2, [%r11];",
      160);
  for (Word k = 0; k < 64; ++k) BOOST_TEST(out[k] == 3U);
}

// `if (thread >= n) return;` compiles to a branch to the shared `ret`, where those lanes wait.
BOOST_DATA_TEST_CASE(lanes_that_return_early_count_as_exited,
                     bdata::make<std::string>({
                         "bra DONE;",  // the shared ret itself
                         "bra HOP;",   // -O0: over other branches
                     }) * bdata::make({1U, 31U, 33U, 40U, 95U}),
                     leave, threads) {
  const auto out = results(
      "setp.ge.u32 %p1, %r90, " + std::to_string(threads) + "; @%p1 " + leave +
          " mov.u32 %r5, 0; L: st.shared.u32 [%r11], %r90; bar.sync 0; ld.shared.u32 %r6, [%r10]; "
          "add.u32 %r2, %r2, 1; setp.eq.u32 %p2, %r90, 0; @%p2 add.u32 %r2, %r2, %r6; bar.sync 0; "
          "add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 4; @%p3 bra L; st.global.u32 [%rd2], %r2; "
          "bra DONE; HOP: bra HOP2; HOP2: bra.uni DONE; DONE: ret;",
      96);
  for (Word k = 0; k < 192; ++k) BOOST_TEST(out[k] == (k % 96 < threads ? 4U : 0U));
}

// `if (thread >= n) { ..; return; }`, with either side first in the text.
BOOST_DATA_TEST_CASE(lanes_may_work_before_they_return,
                     bdata::make<std::string>({
                         "@!%p1 bra GO; mov.u32 %r2, 7; bra END; GO:",       // the shared ret
                         "@!%p1 bra GO; st.global.u32 [%rd2], 7; ret; GO:",  // its own ret
                         "@%p1 bra LEAVE; bra GO; LEAVE: mov.u32 %r2, 7; bra END; GO:",
                         "@!%p1 bra GO; mov.u32 %r2, 0; W: add.u32 %r2, %r2, 1; setp.lt.u32 %p4, "
                         "%r2, 7; @%p4 bra W; bra END; GO:",
                     }) * bdata::make({1U, 31U, 33U, 40U, 95U}),
                     part, threads) {
  // Both paths contain the store before `ret`: they meet at END only to exit.
  std::string leave = part;
  const std::string store = "st.global.u32 [%rd2], %r2; ";
  if (const auto at = leave.find("bra END;"); at != std::string::npos) leave.insert(at, store);
  const auto out = results("setp.ge.u32 %p1, %r90, " + std::to_string(threads) + "; " + leave +
                               " mov.u32 %r2, 0; mov.u32 %r5, 0; L: bar.sync 0; add.u32 %r2, %r2, "
                               "1; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 4; @%p3 bra L; " +
                               store + " END: ret;",
                           96);
  for (Word k = 0; k < 192; ++k) BOOST_TEST(out[k] == (k % 96 < threads ? 4U : 7U));
}

BOOST_DATA_TEST_CASE(
    lanes_with_work_left_are_elsewhere,
    bdata::make<std::string>({"mov.u32 %r2, 7; ret;", "bra HOP; HOP: mov.u32 %r2, 7; ret;",
                              "@%p2 ret; mov.u32 %r2, 7; ret;", "bar.sync 0; ret;"}),
    work) {
  expectError(
      [&] {
        results(
            "setp.ge.u32 %p1, %r90, 40; setp.lt.u32 %p2, %r90, 44; @%p1 bra WORK; bar.sync 0; "
            "WORK: " +
                work,
            64);
      },
      {"barrier divergence", "lanes 0xff of the warp", "lane 8"});
}

BOOST_AUTO_TEST_CASE(reductions_over_the_cta) {
  const auto out = results(R"(
mov.u32 %r5, 0;
L: setp.lt.u32 %p1, %r90, 10; setp.le.u32 %p2, %r90, 99; setp.gt.u32 %p3, %r90, 99;
barrier.red.popc.u32 %r3, 0, %p1; bar.red.and.pred %p4, 0, %p2; bar.red.or.pred %p5, 0, %p3; bar.red.or.pred %p6, 0, !%p1; barrier.red.popc.aligned.u32 %r4, 0, 128, !%p1;
add.u32 %r2, %r2, %r3; selp.u32 %r3, 1000, 0, %p4; add.u32 %r2, %r2, %r3; selp.u32 %r3, 2000, 0, %p5; add.u32 %r2, %r2, %r3; selp.u32 %r3, 4000, 0, %p6; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4;
add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 3; @%p1 bra L;)",
                           100);
  for (const Word value : out) BOOST_TEST(value == 3 * (10U + 1000 + 0 + 4000 + 90));
}

BOOST_AUTO_TEST_CASE(divergence_is_an_error) {
  expectError(
      [] {
        results(
            "setp.lt.u32 %p1, %r90, 40; @%p1 bra A; bra J; A: bar.sync 0; J: add.u32 %r2, %r2, 1;",
            64);
      },
      {"barrier divergence", "warp 1", "CTA (0,0,0)", "lane 8"});
}

// A barrier guarded off in a whole warp is not executed: the other warp waits forever.
BOOST_AUTO_TEST_CASE(deadlocks_name_the_warps) {
  expectError([] { results("setp.lt.u32 %p1, %r90, 32; @%p1 bar.sync 0; @!%p1 bar.sync 1;", 64); },
              {"deadlock", "warp 0", "warp 1", "barrier 1"});
}

BOOST_AUTO_TEST_CASE(what_the_core_learns_of_a_barrier) {
  Bench bench(kernelText("bar.arrive 4, 96; bar.sync 5;"));
  bench.launch.block.x = 96;
  std::vector<WarpInstruction> seen;
  for (const Bench::Step& step : bench.steps()) {
    if (step.known.instructionClass == InstructionClass::Barrier) seen.push_back(step.done);
  }
  BOOST_REQUIRE(seen.size() == 2U);
  BOOST_TEST(seen[0].barrier == 4U);
  BOOST_TEST(seen[0].barrierThreads == 96U);
  BOOST_TEST(!seen[0].barrierWaits);
  BOOST_TEST(seen[1].barrier == 5U);
  BOOST_TEST(seen[1].barrierThreads == 0U);
  BOOST_TEST(seen[1].barrierWaits);
}

BOOST_AUTO_TEST_SUITE_END()

// Operations over the lanes of two warps (wave64.cpp).
BOOST_AUTO_TEST_SUITE(wave64)

BOOST_AUTO_TEST_CASE(halves_exchange_values_in_each_round) {
  const auto out = results(R"(
mov.u32 %r5, 0; xor.b32 %r7, %r90, 33; shr.u32 %r9, %r90, 1; setp.gt.u32 %p1, %r90, 60; selp.u32 %r4, 1, 0, %p1;
L: add.u32 %r6, %r90, %r5; wave64.shfl.b32 %r8, %r6, %r7; add.u32 %r2, %r2, %r8;
wave64.ballot.b64 %rd3, %r4; popc.b64 %r8, %rd3; mad.lo.u32 %r2, %r8, 1000, %r2;
wave64.push.b32 %r8, %r6, %r9; mad.lo.u32 %r2, %r8, 100000, %r2;
add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra L;)",
                           128);
  for (Word k = 0; k < 256; ++k) {
    const Word thread = k % 128, lane = thread % 64, base = thread - lane;
    Word expected = 0;
    for (Word round = 0; round < 3; ++round) {
      expected += base + (lane ^ 33) + round + 1000 * (base == 0 ? 3 : 64);
      // Lanes are halves of threads: the second wave's threads name lanes 32 to 63.
      const bool named = base == 0 ? lane < 32 : lane >= 32;
      const Word from = base == 0 ? 2 * lane + 1 : base + 2 * (lane - 32) + 1;
      expected += named ? 100000 * (from + round) : 0;
    }
    BOOST_TEST(out[k] == expected);
  }
}

BOOST_AUTO_TEST_CASE(lanes_that_are_elsewhere_do_not_take_part) {
  const auto out = results(R"(
setp.ge.u32 %p1, %r90, 40; @%p1 bra DONE; and.b32 %r3, %r90, 1; setp.eq.u32 %p2, %r3, 0; @%p2 bra JOIN;
mov.u32 %r4, 1; wave64.ballot.b64 %rd3, %r4; popc.b64 %r2, %rd3; JOIN: wave64.shfl.b32 %r5, %r90, 50; add.u32 %r2, %r2, %r5; DONE:)",
                           64);
  for (Word k = 0; k < 128; ++k) BOOST_TEST(out[k] == (k % 64 < 40 && k % 2 == 1 ? 20 : 0));
}

BOOST_AUTO_TEST_CASE(halves_at_different_operations_are_an_error) {
  expectError(
      [] {
        results(
            "setp.lt.u32 %p1, %r90, 32; @%p1 bra A; wave64.ballot.b64 %rd3, %r90; bra J; "
            "A: wave64.ballot.b64 %rd3, %r10; J: add.u32 %r2, %r2, 1;",
            64);
      },
      {"halves of a wave64 are at different operations", "CTA (0,0,0)"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cooperative)

BOOST_AUTO_TEST_CASE(a_barrier_of_the_grid) {
  constexpr Word kCtas = 50, kThreads = 80, kRounds = 5;
  Bench bench(kernelText(kGridBarrier));
  const std::uint64_t cells = bench.buffer(std::vector<Word>(kCtas), "cells");
  const std::uint64_t out = bench.buffer(std::vector<Word>(1 + kCtas * kThreads), "out");
  bench.parameter(cells).parameter(out).parameter(kRounds);
  bench.launch.grid.x = kCtas;
  bench.launch.block.x = kThreads;
  runInterleaved(bench.executor, bench.launch, kCtas);
  const auto sums = bench.values<Word>(out, 1 + kCtas * kThreads);
  for (Word cta = 0; cta < kCtas; ++cta) {
    for (Word thread = 0; thread < kThreads; ++thread)
      BOOST_TEST_REQUIRE(sums[1 + cta * kThreads + thread] ==
                         kRounds * ((cta + 1) % kCtas) + kRounds * (kRounds - 1) / 2);
  }
  BOOST_TEST(bench.executor.warpSlots() == 48U);  // unchanged
  const std::string error = errorOf([&] { runInterleaved(bench.executor, bench.launch, 49); });
  BOOST_TEST(
      error.find("kernel 'k': 50 CTAs of a cooperative launch; at most 49 can be resident") == 0U,
      error);
  bench.launch.grid.x = 1;
  bench.memory.write(out, std::vector<Word>(1).data(), 4);
  bench.run();  // the executor is still usable
}

// A plain launch does not promise that its CTAs are resident together.
BOOST_AUTO_TEST_CASE(a_barrier_of_a_plain_launch) {
  Bench bench(kernelText(kGridBarrier));
  const std::uint64_t cells = bench.buffer(std::vector<Word>(3));
  const std::uint64_t out = bench.buffer(std::vector<Word>(1 + 3 * 64));
  bench.parameter(cells).parameter(out).parameter(2U);
  bench.launch.grid.x = 3;
  bench.launch.block.x = 64;
  bench.run();
  const auto sums = bench.values<Word>(out, 1 + 3 * 64);
  for (Word thread = 0; thread < 3 * 64; ++thread)
    BOOST_TEST_REQUIRE(sums[1 + thread] == 2 * ((thread / 64 + 1) % 3) + 1);
  BOOST_TEST(bench.executor.instructionsExecuted() < std::uint64_t{20} << 20);
}

BOOST_AUTO_TEST_CASE(a_wait_without_end) {
  ExecutorOptions options;
  options.instructionBudget = 100000;
  Bench bench(
      kernelText("L: ld.volatile.global.u32 %r1, [%rd90]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"),
      "k", options);
  bench.output<Word>(1);
  bench.launch.grid.x = 100;
  expectError([&] { runInterleaved(bench.executor, bench.launch, 100); },
              {"has executed its budget of 100000"});
  BOOST_TEST(bench.executor.warpSlots() == 48U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
