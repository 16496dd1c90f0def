// CTAs of a cooperative launch that wait for each other: all of them take turns.
#include <boost/test/unit_test.hpp>

#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

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

BOOST_AUTO_TEST_SUITE(cooperative)

BOOST_AUTO_TEST_CASE(a_barrier_of_the_grid) {
  constexpr Word kCtas = 50, kThreads = 80, kRounds = 5;
  Bench bench(kernelText(kGridBarrier), "k");
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
  Bench bench(kernelText(kGridBarrier), "k");
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
  const std::uint64_t in = bench.buffer(std::vector<Word>(1));
  bench.parameter(in).parameter(in).parameter(0U);
  bench.launch.grid.x = 100;
  expectError([&] { runInterleaved(bench.executor, bench.launch, 100); },
              {"has executed its budget of 100000"});
  BOOST_TEST(bench.executor.warpSlots() == 48U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
