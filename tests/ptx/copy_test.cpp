// cp.async: the copied bytes, the time at which a program may see them, and refusals. mbarrier:
// phases, counts and bytes, and copies that arrive at it.

#include <fermata/stimuli/ptx/mbarrier.h>
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

/// Runs `copy` in each lane and returns the four words that the lane then finds in its 16 bytes of
/// the tile. %r3 is the address of those bytes, %rd3 that of the source, in[4 * lane ..].
std::vector<Word> found(const std::string& copy, const RunOptions& options = {},
                        std::size_t sourceWords = 128) {
  std::vector<Word> in(sourceWords);
  std::iota(in.begin(), in.end(), 1U);
  return runBody<Word>(
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r90, 16, %r2; mad.wide.u32 %rd3, %r90, 16, "
      "%rd90;mov.u32 %r9, 77; st.shared.v4.u32 [%r3], {%r9, %r9, %r9, %r9};" +
          copy +
          "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3]; mad.wide.u32 %rd4, %r90, 16, "
          "%rd91;st.global.v4.u32 [%rd4], {%r4, %r5, %r6, %r7};",
      in, 128, options, ".shared .align 16 .b8 tile[512];");
}

/// Checks that of each lane's four words the first `words` are copied, the next `zeros` are 0 and
/// the rest are unchanged.
void check(const std::vector<Word>& out, unsigned words, unsigned zeros) {
  for (Word k = 0; k < out.size(); ++k) {
    const Word wanted = k % 4 < words ? k + 1 : k % 4 < words + zeros ? 0 : 77;
    BOOST_TEST_REQUIRE(out[k] == wanted, "word " << k << " is " << out[k]);
  }
}

const std::string kWait = "cp.async.wait_all;";

const std::string kShared = ".shared .align 16 .b8 tile[4096]; .shared .align 8 .b64 bar;";

/// Runs `body` and returns the %r1 that each thread leaves.
std::vector<Word> results(const std::string& body, unsigned threads = 32) {
  RunOptions options;
  options.block.x = threads;
  std::vector<Word> in(2048);
  std::iota(in.begin(), in.end(), 1U);
  return runBody<Word>(
      "mad.wide.u32 %rd99, %r92, 4, %rd91; mov.u32 %r1, 0; setp.eq.u32 %p9, %r90, 0;" + body +
          "st.global.u32 [%rd99], %r1;",
      in, threads, options, kShared);
}
std::string init(const std::string& count) {
  return "@%p9 mbarrier.init.shared.b64 [bar], " + count + "; bar.sync 0;";
}
const std::string kWaitPhase0 =
    "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W;";

void all(const std::vector<Word>& out, Word wanted) {
  for (const Word value : out) BOOST_TEST(value == wanted);
}
void fails(const std::string& body, const std::string& part) {
  expectError([&] { results(body); }, {part});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(copies)

BOOST_AUTO_TEST_CASE(sizes_and_zero_fill) {
  check(found("cp.async.ca.shared.global [%r3], [%rd3], 4;" + kWait), 1, 0);
  check(found("cp.async.ca.shared::cta.global.L2::64B [%r3], [%rd3], 8;" + kWait), 2, 0);
  check(found("cp.async.cg.shared.global.L2::128B [%r3], [%rd3], 16;" + kWait), 4, 0);
  check(found("cp.async.cg.shared.global [%r3], [%rd3], 16, 16;" + kWait), 4, 0);
  check(found("mov.u32 %r8, 4; cp.async.ca.shared.global [%r3], [%rd3], 8, %r8;" + kWait), 1, 1);
  check(found("cp.async.cg.shared.global [%r3], [%rd3], 16, 0;" + kWait), 0, 4);
  check(found("createpolicy.fractional.L2::evict_first.b64 "
              "%rd5;cp.async.cg.shared.global.L2::cache_hint [%r3], [%rd3], 16, 8, %rd5;" +
              kWait),
        2, 2);
  check(
      found("setp.ne.u32 %p1, %r90, 99; cp.async.ca.shared.global [%r3], [%rd3], 4, %p1;" + kWait),
      0, 1);
}

// A source may end within a copy, if the bytes that are read exist.
BOOST_AUTO_TEST_CASE(reads_no_more_than_it_says) {
  const std::string bytes = "setp.eq.u32 %p1, %r90, 31; selp.u32 %r8, 4, 16, %p1;";
  const auto out =
      found(bytes + "cp.async.cg.shared.global [%r3], [%rd3], 16, %r8;" + kWait, {}, 125);
  BOOST_TEST(out[123] == 124U);
  BOOST_TEST(out[124] == 125U);
  BOOST_TEST(out[125] == 0U);
  expectError([] { found("cp.async.cg.shared.global [%r3], [%rd3], 16;" + kWait, {}, 125); },
              {"lane 31"});
  expectError([] { found("mov.u32 %r8, 9; cp.async.ca.shared.global [%r3], [%rd3], 8, %r8;"); },
              {"a copy that reads 9 bytes; expected at most its size, 8"});
  expectError([] { found("add.u32 %r8, %r3, 4; cp.async.ca.shared.global [%r8], [%rd3], 8;"); },
              {"misaligned"});
  expectError([] { found("cp.async.ca.shared.global [%r3+512], [%rd3], 4;"); }, {"out of bounds"});
}

// Before the wait for its group a read finds the earlier contents. The source is read when the copy
// executes.
BOOST_AUTO_TEST_CASE(nothing_is_seen_before_its_wait) {
  const std::string first = "cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.commit_group;";
  const std::string second =
      "cp.async.ca.shared.global [%r3+4], [%rd3+4], 4; cp.async.commit_group;";
  check(found(first + second), 0, 0);
  check(found(first + second + "cp.async.wait_group 2;"), 0, 0);
  check(found(first + second + "cp.async.wait_group 1;"), 1, 0);
  check(found(first + second + "cp.async.wait_group 0;"), 2, 0);
  check(found(first + "cp.async.commit_group; cp.async.wait_group 1;" + second), 1, 0);
  check(found("cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.wait_group 0;"), 0, 0);
  check(found(first + "mov.u32 %r8, 5; st.global.u32 [%rd3], %r8;" + kWait), 1, 0);
  check(found("setp.lt.u32 %p1, %r90, 16; @%p1 " + first + "@!%p1 " + first +
              "cp.async.wait_group 0;"),
        1, 0);
}

BOOST_AUTO_TEST_CASE(early_reads_are_found) {
  RunOptions options;
  options.executor.checkUninitialised = true;
  const std::string body =
      "mov.u32 %r2, tile; cp.async.ca.shared.global [%r2], [%rd90], 4; ld.shared.u32 %r3, [%r2];";
  expectError(
      [&] {
        runBody<Word>(body, std::vector<Word>(4), 1, options, ".shared .align 16 .b8 tile[512];");
      },
      {"never written"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(mbarriers)

// Random operations against plain counters.
BOOST_AUTO_TEST_CASE(words_count) {
  std::mt19937 random(7);
  MBarrier barrier = MBarrier::initialised(5);
  std::int64_t pending = 5, expected = 5, bytes = 0, phases = 0;
  for (unsigned k = 0; k < 20000; ++k) {
    const std::uint32_t n = random() % 4;
    const unsigned what = random() % 8;
    if (what < 3) {
      const bool drops = what == 0 && expected > 3 && n < 2;
      const bool fits = n >= 1 && n <= pending;
      BOOST_TEST_REQUIRE(barrier.arrive(n, drops) == fits);
      if (fits) pending -= n;
      if (fits && drops) expected -= n;
    } else if (what == 3) {
      BOOST_TEST_REQUIRE(barrier.increment());
      ++pending;
    } else {
      const std::uint32_t amount = n * 262143;
      const bool adds = what < 6;
      const std::int64_t sum = bytes + (adds ? 1 : -1) * std::int64_t{amount};
      const bool fits = sum >= -1048575 && sum <= 1048575;
      BOOST_TEST_REQUIRE((adds ? barrier.expect(amount) : barrier.complete(amount)) == fits);
      if (fits) bytes = sum;
    }
    if (pending == 0 && bytes == 0) {
      ++phases;
      pending = expected;
    }
    barrier = MBarrier(barrier.word());
    BOOST_TEST_REQUIRE(barrier.valid());
    BOOST_TEST_REQUIRE(barrier.pending() == pending);
    BOOST_TEST_REQUIRE(barrier.phase() == (phases % 2 != 0));
  }
  BOOST_TEST(phases > 50);
  BOOST_TEST(!MBarrier(0).valid());
}

BOOST_AUTO_TEST_CASE(phases_and_counts) {
  // Two warps meet: each finds the words that the other stored.
  const auto met =
      results(init("64") +
                  "mov.u32 %r2, tile; mad.lo.u32 %r3, %r90, 4, %r2; st.shared.u32 [%r3], "
                  "%r90;mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [bar];W: "
                  "mbarrier.test_wait.acquire.cta.shared.b64 %p1, [bar], %rd1; @!%p1 bra W;xor.b32 "
                  "%r4, %r90, 32; mad.lo.u32 %r3, %r4, 4, %r2; ld.shared.u32 %r1, [%r3];",
              64);
  for (Word t = 0; t < 64; ++t) BOOST_TEST(met[t] == (t ^ 32U));
  // The returned state is that before the arrival; a lane sees the arrivals of the lanes below it.
  const auto counted = results(
      init("100") +
      "mbarrier.arrive.noComplete.shared.b64 %rd1, [bar], 2;mbarrier.pending_count.b64 %r1, %rd1;");
  for (Word t = 0; t < 32; ++t) BOOST_TEST(counted[t] == 100 - 2 * t);
  // Tests by parity: the previous phase, the current phase, and the current one when it has ended.
  all(results(init("32") +
              "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1; selp.u32 %r1, 1, 0, "
              "%p1;mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; @%p1 add.u32 %r1, %r1, "
              "2;mbarrier.arrive.shared.b64 _, [bar];" +
              kWaitPhase0 +
              "mbarrier.try_wait.parity.shared.b64 %p1, [bar], 1, 100; @%p1 add.u32 %r1, %r1, 4;"),
      1);
  // Later phases expect fewer arrivals after a drop; with generic addresses.
  all(results(init("33") +
              "mov.u64 %rd2, bar; cvta.shared.u64 %rd2, %rd2; mbarrier.arrive_drop.b64 %rd1, "
              "[%rd2];@%p9 mbarrier.arrive.b64 %rd1, [%rd2]; bar.warp.sync "
              "-1;mbarrier.test_wait.parity.b64 %p1, [%rd2], 0; selp.u32 %r1, 1, 0, %p1;@%p9 "
              "mbarrier.arrive.b64 %rd1, [%rd2]; bar.warp.sync -1;mbarrier.test_wait.parity.b64 "
              "%p1, [%rd2], 1; @%p1 add.u32 %r1, %r1, 2;@%p9 mbarrier.inval.b64 [%rd2];"),
      3);
  // Pending bytes keep a phase open.
  all(results(init("1") +
              "@%p9 mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 96; bar.warp.sync "
              "-1;mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u32 %r1, 1, 0, "
              "%p1;mbarrier.complete_tx.shared.b64 [bar], 3;mbarrier.test_wait.parity.shared.b64 "
              "%p1, [bar], 0; @%p1 add.u32 %r1, %r1, 2;"),
      2);
}

BOOST_AUTO_TEST_CASE(misuse_is_found) {
  const std::string arrive = "mbarrier.arrive.shared.b64 %rd1, [bar];";
  fails(arrive, "no mbarrier there");
  fails(init("32") + "@%p9 mbarrier.inval.shared.b64 [bar];" + arrive, "no mbarrier");
  fails(init("0"), "an mbarrier of 0 arrivals; expected 1 to 1048575");
  fails(init("2") + "mbarrier.arrive.shared.b64 _, [bar], 3;", "3 arrivals");
  fails(init("2") + "mbarrier.arrive.noComplete.shared.b64 %rd1, [bar], 2;",
        ".noComplete that completes");
  fails(init("2") + "mbarrier.expect_tx.shared.b64 [bar], 1048576;", "overflows");
  fails("mbarrier.init.b64 [%rd90], 2;", "outside of shared memory");
}

// A polling thread finds all of its copies: the arrival comes behind them.
BOOST_AUTO_TEST_CASE(copies_arrive) {
  const std::string copy =
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r90, 16, %r2; mad.wide.u32 %rd3, %r90, 16, "
      "%rd90;cp.async.cg.shared.global [%r3], [%rd3], 16;";
  const std::string look =
      "xor.b32 %r4, %r90, 32; mad.lo.u32 %r3, %r4, 16, %r2; ld.shared.u32 %r1, [%r3+4];";
  const auto check = [&](const std::string& text) {
    const auto out = results(text, 64);
    for (Word t = 0; t < 64; ++t) BOOST_TEST(out[t] == 4 * (t ^ 32U) + 2);
  };
  check(init("64") + copy + "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];" + kWaitPhase0 +
        look);
  check(init("64") + copy +
        "cp.async.mbarrier.arrive.shared::cta.b64 [bar]; mbarrier.arrive.shared.b64 _, [bar];" +
        kWaitPhase0 + look);
}

// One lane copies a block, of any multiple of 16 bytes.
BOOST_AUTO_TEST_CASE(blocks_arrive) {
  const auto block = [](const std::string& bytes) {
    return init("1") + "mov.u32 %r2, tile; mov.u32 %r5, " + bytes +
           "; @%p9 mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r5; @%p9 "
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd90], %r5, "
           "[bar];" +
           kWaitPhase0 + "mad.lo.u32 %r3, %r90, 64, %r2; ld.shared.u32 %r1, [%r3];";
  };
  for (const unsigned bytes : {16U, 512U, 1040U, 2048U}) {
    const auto out = results(block(std::to_string(bytes)));
    for (Word t = 0; t < 32; ++t) BOOST_TEST(out[t] == (64 * t < bytes ? 16 * t + 1 : 0));
  }
  fails(block("24"), "a block of 24 bytes; expected a multiple of 16");
  fails(block("8192"), "out of bounds");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
