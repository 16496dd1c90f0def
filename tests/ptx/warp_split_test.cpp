// Forward progress: lanes that wait in a loop for other lanes of their warp.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

RunOptions threads(Word count, Word ctas = 1) {
  RunOptions options;
  options.block.x = count;
  options.grid.x = ctas;
  options.executor.instructionBudget = 3000000;
  return options;
}

std::vector<Word> results(const std::string& body, const RunOptions& options,
                          std::size_t words = 1024, const std::string& items = "") {
  return runBody<Word>(body, words, options, items);
}

/// kLock takes the lock in [%rd91], kUnlock releases it; kCount reads the count in [%rd91+4] into
/// %r2 and raises it.
const std::string kLock =
    "SPIN: atom.global.cas.b32 %r1, [%rd91], 0, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra SPIN; ";
const std::string kCount =
    "ld.volatile.global.u32 %r2, [%rd91+4]; add.u32 %r3, %r2, 1; st.volatile.global.u32 [%rd91+4], "
    "%r3; membar.gl; ";
const std::string kUnlock = "atom.global.exch.b32 %r4, [%rd91], 0; ";

/// Checks that each number from 0 to count - 1 occurs once.
void checkNumbers(const std::vector<Word>& out, std::size_t first, Word count) {
  std::vector<bool> seen(count, false);
  for (Word k = 0; k < count; ++k) {
    const Word number = out[first + k];
    BOOST_TEST_REQUIRE(number < count);
    BOOST_TEST_REQUIRE(!seen[number]);
    seen[number] = true;
  }
}

/// Recursive function with its own frame: takes the lock at depth 0, with 64-bit values live
/// throughout.
const std::string kDeepLock = R"(
.func (.param .b64 r) deep(.param .b64 at, .param .b32 level) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;
ld.param.b64 %rd1, [at]; ld.param.b32 %r1, [level]; setp.eq.u32 %p1, %r1, 0; @%p1 bra LAST; cvt.u64.u32 %rd4, %r1; sub.u32 %r1, %r1, 1;
{ .param .b64 a; .param .b32 l; .param .b64 v; st.param.b64 [a], %rd1; st.param.b32 [l], %r1; call (v), deep, (a, l); ld.param.b64 %rd2, [v]; }
shl.b64 %rd4, %rd4, 40; add.u64 %rd2, %rd2, %rd4; bra OUT;
LAST: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.s32 %p2, %r2, 0; @%p2 bra LAST;
ld.volatile.global.u32 %r3, [%rd1+4]; add.u32 %r4, %r3, 1; st.volatile.global.u32 [%rd1+4], %r4; atom.global.exch.b32 %r5, [%rd1], 0; cvt.u64.u32 %rd2, %r3;
OUT: st.param.b64 [r], %rd2; ret; })";

}  // namespace

BOOST_AUTO_TEST_SUITE(warp_splits)

BOOST_AUTO_TEST_CASE(each_lane_gets_the_lock) {
  const auto out = results("mad.wide.u32 %rd2, %r92, 4, %rd91; " + kLock + kCount + kUnlock +
                               "st.global.u32 [%rd2+8], %r2;",
                           threads(75, 3));
  BOOST_TEST(out[0] == 0U);
  BOOST_TEST(out[1] == 225U);
  checkNumbers(out, 2, 225);
}

// clang compiles `while (!done) if (atomicCAS(..) == 0) { ..; done = true; }` at -O3 to the loop
// above. At -O1 the section is within the loop, where lanes meet in each turn.
BOOST_AUTO_TEST_CASE(a_section_within_the_loop_needs_no_split) {
  Bench bench(kernelText(
      "mov.u32 %r9, 0; SPIN: atom.global.cas.b32 %r1, [%rd91], 0, 1; "
      "setp.ne.s32 %p1, %r1, 0; @%p1 bra AGAIN; " +
      kCount + kUnlock + "mov.u32 %r9, 1; AGAIN: setp.eq.u32 %p3, %r9, 0; @%p3 bra SPIN;"));
  const std::uint64_t out = bench.output<Word>(2);
  bench.run();
  BOOST_TEST(bench.values<Word>(out, 2)[1] == 32U);
  BOOST_TEST(bench.executor.instructionsExecuted() < 32 * 20U);
}

BOOST_AUTO_TEST_CASE(one_lane_waits_for_another) {
  const std::string wait =
      "WAIT: ld.volatile.global.u32 %r2, [%rd91]; setp.eq.u32 %p2, %r2, 0; @%p2 bra WAIT; "
      "st.global.u32 [%rd91+4], %r2; ";
  const std::string tell = "mov.u32 %r3, 7; st.volatile.global.u32 [%rd91], %r3; ";
  for (const bool waitFirst : {false, true}) {
    const auto out = results("setp." + std::string(waitFirst ? "eq" : "ne") +
                                 ".u32 %p1, %r90, 5; @%p1 bra FAR; " + (waitFirst ? tell : wait) +
                                 "bra END; FAR: " + (waitFirst ? wait : tell) + "END: ret;",
                             threads(32));
    BOOST_TEST(out[1] == 7U);
  }
}

// A chain: lane k waits for lane k + 1.
BOOST_AUTO_TEST_CASE(each_lane_waits_for_the_next) {
  const auto out = results(
      "mad.wide.u32 %rd2, %r90, 4, %rd91; setp.eq.u32 %p1, %r90, 31; @%p1 bra TELL; WAIT: "
      "ld.relaxed.gpu.global.u32 %r2, [%rd2+4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra WAIT; TELL: "
      "add.u32 %r2, %r2, 3; st.global.u32 [%rd2], %r2;",
      threads(32));
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == 3 * (32 - k));
}

// After the section all lanes meet at an instruction that waits for all.
BOOST_DATA_TEST_CASE(lanes_meet_again,
                     bdata::make<std::string>({
                         "bar.sync 0; ld.volatile.global.u32 %r6, [%rd91+4]; ",
                         "bar.warp.sync 0xffffffff; ld.volatile.global.u32 %r6, [%rd91+4]; ",
                         "mov.u32 %r5, 1; shfl.sync.bfly.b32 %r6|%p3, %r5, 1, 31, 0xffffffff; "
                         "activemask.b32 %r7; popc.b32 %r7, %r7; mul.lo.u32 %r6, %r6, %r7; ",
                         "vote.sync.ballot.b32 %r6, 1, 0xffffffff; popc.b32 %r6, %r6; ",
                         "mov.u32 %r5, 1; redux.sync.add.u32 %r6, %r5, 0xffffffff; ",
                         "match.any.sync.b32 %r6, 5, 0xffffffff; popc.b32 %r6, %r6; ",
                         "mov.pred %p3, 1; bar.red.popc.u32 %r6, 0, %p3; ",
                     }),
                     meet) {
  const auto out = results("mad.wide.u32 %rd2, %r92, 4, %rd91; " + kLock + kCount + kUnlock + meet +
                               "st.global.u32 [%rd2+8], %r6; ",
                           threads(32));
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[2 + k] == 32U);
}

// Rounds of lock and barrier with several warps: split lanes reunite in each round.
BOOST_AUTO_TEST_CASE(rounds_of_locks_and_barriers) {
  const auto out =
      results("mad.wide.u32 %rd2, %r92, 4, %rd91; mov.u32 %r9, 0; mov.u32 %r8, 0; ROUND: " + kLock +
                  kCount + kUnlock +
                  "bar.sync 0; ld.volatile.global.u32 %r6, [%rd91+4]; add.u32 %r8, %r8, %r6; "
                  "bar.sync 0; add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 4; @%p3 bra ROUND; "
                  "st.global.u32 [%rd2+8], %r8;",
              threads(96));
  for (Word k = 0; k < 96; ++k) BOOST_TEST(out[2 + k] == 96U * (1 + 2 + 3 + 4));
}

// Lanes take the lock in their own frames, some one call deeper than others.
BOOST_AUTO_TEST_CASE(locks_in_called_functions) {
  const auto out = runBody<std::uint64_t>(
      "and.b32 %r5, %r90, 3; { .param .b64 a; .param .b32 l; .param .b64 v; st.param.b64 [a], "
      "%rd90; st.param.b32 [l], %r5; call (v), deep, (a, l); ld.param.b64 %rd3, [v]; } "
      "mad.wide.u32 %rd2, %r92, 8, %rd91; st.global.u64 [%rd2], %rd3;",
      std::vector<Word>{0, 0}, 64, threads(64), kDeepLock);
  std::vector<Word> numbers;
  for (Word k = 0; k < 64; ++k) {
    const std::uint64_t level = k & 3;
    BOOST_TEST(out[k] >> 40 == level * (level + 1) / 2);
    numbers.push_back(static_cast<Word>(out[k]));
  }
  checkNumbers(numbers, 0, 64);
}

// No lane can complete these member masks: lanes that have arrived go on without the others.
BOOST_AUTO_TEST_CASE(members_at_different_places) {
  const auto out = results(
      "mad.wide.u32 %rd2, %r92, 4, %rd91; " + kLock + kCount + kUnlock +
          "and.b32 %r5, %r2, 1; setp.eq.u32 %p3, %r5, 0; @%p3 bra EVEN; bar.warp.sync 0xffffffff; "
          "bra END; EVEN: bar.warp.sync 0xffffffff; END: st.global.u32 [%rd2+8], %r2;",
      threads(32));
  checkNumbers(out, 2, 32);
}

BOOST_AUTO_TEST_CASE(a_barrier_that_not_all_reach) {
  expectError(
      [] {
        results(kLock + kCount + kUnlock +
                    "setp.eq.u32 %p3, %r2, 3; @%p3 bra LEFT; bar.sync 0; LEFT: bar.sync 1;",
                threads(32));
      },
      {"barrier divergence"});
}

BOOST_AUTO_TEST_CASE(a_lock_that_is_never_given_back) {
  expectError([] { results(kLock + "ret;", threads(32)); }, {"has executed its budget of 3000000"});
}

// A loop of work that some lanes run longer while others wait: right whether it is split or not.
BOOST_DATA_TEST_CASE(a_long_loop_with_atomics, bdata::make({100U, 30000U}), turns) {
  const auto out = results(
      "setp.eq.u32 %p1, %r90, 9; selp.u32 %r5, " + std::to_string(turns) +
          ", 5, %p1; mov.u32 %r6, 0; L: atom.global.add.u32 %r7, [%rd91], 1; add.u32 %r6, %r6, 1; "
          "setp.lt.u32 %p2, %r6, %r5; @%p2 bra L; bar.sync 0; ld.global.u32 %r8, [%rd91]; "
          "mad.wide.u32 %rd2, %r92, 4, %rd91; bar.sync 0; st.global.u32 [%rd2+8], %r8;",
      threads(64));
  for (Word k = 0; k < 64; ++k) BOOST_TEST(out[2 + k] == turns + 63 * 5);
}

// A loop that ends takes as many instructions as without splitting.
BOOST_AUTO_TEST_CASE(loops_that_end_are_not_split) {
  Bench bench(
      kernelText("mov.u32 %r6, 0; mul.lo.u32 %r5, %r90, 9; L: atom.global.add.u32 %r7, "
                 "[%rd91], 1; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, %r5; @%p2 bra L;"));
  bench.output<Word>(2);
  bench.run();
  const std::uint64_t once = bench.executor.instructionsExecuted();
  BOOST_TEST(once > 4 * 31 * 9U);
  BOOST_TEST(once < 4 * 31 * 9U + 20);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
