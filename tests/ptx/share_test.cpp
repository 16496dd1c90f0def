// Threads that share the CTAs of a launch without time.
#include <fermata/stimuli/ptx/execution_counts.h>
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

constexpr unsigned kCtas = 64;
constexpr unsigned kThreads = 64;

/// A launch of so many CTAs that threads share it: one thread executes the first 32,768
/// instructions alone.
struct Shared : Bench {
  Shared(const std::string& body, unsigned jobs, unsigned ctas = kCtas)
      : Bench(kernelText(body), "k", optionsOf(jobs)), words(output<Word>(kCtas * kThreads)) {
    launch.grid = {ctas, 1, 1};
    launch.block = {kThreads, 1, 1};
  }
  std::vector<Word> all() const { return values<Word>(words, kCtas * kThreads); }

  static ExecutorOptions optionsOf(unsigned jobs) {
    ExecutorOptions options;
    options.jobs = jobs;
    options.instructionBudget = 100'000'000;
    return options;
  }

  std::uint64_t words;
};

/// Sums up 500 words of shared memory, which the other warp of the CTA has stored, too, and stores
/// the sum in the thread's own word.
const std::string kSums = R"(
.shared .align 4 .b8 tile[256]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r1, 64, %r2;
shl.b32 %r4, %r2, 2; mov.u32 %r5, tile; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r3; bar.sync 0;
mov.u32 %r6, 0; mov.u32 %r7, 0;
LOOP: mad.lo.u32 %r8, %r6, 7, %r2; and.b32 %r8, %r8, 63; shl.b32 %r8, %r8, 2; mov.u32 %r9, tile; add.u32 %r9, %r9, %r8;
ld.shared.u32 %r10, [%r9]; add.u32 %r7, %r7, %r10; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 500; @%p1 bra LOOP;
mul.wide.u32 %rd1, %r3, 4; add.s64 %rd1, %rd91, %rd1; st.global.u32 [%rd1], %r7;)";

/// The last thread of CTA 40 and those of later CTAs trap, behind the loop.
const std::string kTraps = kSums + R"(
setp.ge.u32 %p1, %r1, 40; setp.eq.and.u32 %p1, %r2, 63, %p1; @%p1 trap;)";

/// Each warp adds to words, by atomics of several widths, and, under a lock that a plain store
/// opens, to a counter.
const std::string kLocks = R"(
mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; mov.u32 %r6, 0;
LOOP: red.global.add.u32 [%rd91], 1; atom.global.add.u64 %rd2, [%rd91+8], 3; mov.b16 %rs1, 0; red.global.add.noftz.f16 [%rd91+16], %rs1;
atom.global.max.s32 %r3, [%rd91+20], %r1; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 100; @%p1 bra LOOP;
setp.ne.u32 %p1, %r2, 0; @%p1 bra DONE;
TAKE: atom.global.cas.b32 %r3, [%rd91+32], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra TAKE;
ld.volatile.global.u32 %r4, [%rd91+36]; add.u32 %r4, %r4, 1; st.volatile.global.u32 [%rd91+36], %r4; membar.gl;
st.volatile.global.u32 [%rd91+32], 0;
DONE: bar.sync 0;)";

}  // namespace

BOOST_AUTO_TEST_SUITE(share)

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_threads) {
  Shared alone(kSums, 1);
  alone.run();
  BOOST_TEST(alone.all().at(65) != 0U);
  for (const unsigned jobs : {2U, 3U, 8U}) {
    Shared shared(kSums, jobs);
    shared.run();
    BOOST_TEST(shared.all() == alone.all());
    BOOST_TEST(shared.executor.instructionsExecuted() == alone.executor.instructionsExecuted());
    shared.run();  // an executor goes on behind a shared launch
    BOOST_TEST(shared.executor.instructionsExecuted() == alone.executor.instructionsExecuted());
  }
}

BOOST_AUTO_TEST_CASE(atomics_and_locks_lose_nothing) {
  for (const unsigned jobs : {1U, 2U, 8U}) {
    Shared shared(kLocks, jobs);
    shared.run();
    const std::vector<Word> words = shared.all();
    BOOST_TEST(words[0] == kCtas * kThreads * 100);
    BOOST_TEST(words[2] == 3 * kCtas * kThreads * 100);
    BOOST_TEST(words[5] == kThreads - 1);
    BOOST_TEST(words[8] == 0U);
    BOOST_TEST(words[9] == kCtas * kThreads / 32);
  }
}

BOOST_AUTO_TEST_CASE(the_first_cta_that_fails_is_named) {
  for (const unsigned jobs : {1U, 2U, 8U})
    expectError([&] { Shared(kTraps, jobs).run(); }, {"CTA (40,0,0), warp 1, lane 31"});
}

BOOST_AUTO_TEST_CASE(the_budget_is_that_of_all_threads) {
  Shared alone(kSums, 1);
  alone.run();
  Shared shared(kSums, 4);
  ExecutorOptions options = Shared::optionsOf(4);
  options.instructionBudget = alone.executor.instructionsExecuted() * 3 / 4;
  Executor executor(64, shared.memory, options);
  expectError([&] { runFunctionally(executor, shared.launch); }, {"budget"});
}

// All but the last CTA wait for it.
BOOST_AUTO_TEST_CASE(ctas_may_wait_for_later_ones_on_several_threads) {
  Shared shared(R"(
mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 3; @%p1 bra LAST;
WAIT: ld.volatile.global.u32 %r2, [%rd91]; setp.eq.u32 %p1, %r2, 0; @%p1 bra WAIT;
red.global.add.u32 [%rd91+4], 1; bra DONE;
LAST: st.volatile.global.u32 [%rd91], 1;
DONE: bar.sync 0;)",
                2, 4);
  shared.run();
  BOOST_TEST(shared.all()[1] == 3 * kThreads);
}

BOOST_AUTO_TEST_CASE(counts_are_those_of_all_threads) {
  Shared alone(kSums, 1), shared(kSums, 3);
  ExecutionCounts one, all;
  runCounted(alone.executor, alone.launch, one);
  runCounted(shared.executor, shared.launch, all);
  BOOST_TEST(one.list() == all.list());
}

// Text keeps the order of the CTAs, and a clock is the launch's own.
BOOST_AUTO_TEST_CASE(kernels_that_read_clocks_are_not_shared) {
  const std::string body = kSums + "\nmov.u32 %r7, %clock; st.global.u32 [%rd1], %r7;";
  Shared alone(body, 1), shared(body, 4);
  alone.run();
  shared.run();
  BOOST_TEST(shared.all() == alone.all());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
