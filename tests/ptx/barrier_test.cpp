// Barriers: order between warps, named barriers, arrivals, reductions, exits and deadlocks.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/ptx/support.h"

namespace bdata = boost::unit_test::data;

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
      std::vector<Word>{}, 2 * threads, options);
}

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

BOOST_DATA_TEST_CASE(lanes_with_work_left_are_elsewhere,
                     bdata::make<std::string>({"mov.u32 %r2, 7; ret;",
                                               "bra HOP; HOP: mov.u32 %r2, "
                                               "7; ret;",
                                               "@%p2 ret; mov.u32 %r2, 7; ret;",
                                               "bar.sync 0; ret;"}),
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
  Bench bench(kernelText("bar.arrive 4, 96; bar.sync 5;"), "k");
  bench.parameter(std::uint64_t{0}).parameter(std::uint64_t{0}).parameter(0U);
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

}  // namespace fermata::ptx::test
