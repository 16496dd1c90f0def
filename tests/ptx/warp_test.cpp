// Special registers, votes, shuffles, matches, reductions.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

/// Runs `body` and returns the %r2 of each thread; %r1 is tid * 3 + 1.
std::vector<Word> results(const std::string& body, unsigned threads = 32) {
  RunOptions options;
  options.block.x = threads;
  return runBody<Word>(
      "mad.wide.u32 %rd2, %r92, 4, %rd91; mad.lo.u32 %r1, %r90, 3, 1; mov.u32 %r2, 0;" + body +
          " st.global.u32 [%rd2], %r2;",
      threads, options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(warp_wide)

BOOST_AUTO_TEST_CASE(special_registers) {
  RunOptions options;
  options.grid = {2, 3, 2};
  options.block = {5, 4, 3};
  using Value = Word (*)(Word cta, Word thread);
  const std::vector<std::pair<std::string, Value>> registers = {
      {"%tid.x", [](Word, Word thread) -> Word { return thread % 5; }},
      {"%tid.y", [](Word, Word thread) -> Word { return thread / 5 % 4; }},
      {"%tid.z", [](Word, Word thread) -> Word { return thread / 20; }},
      {"%ctaid.x", [](Word cta, Word) -> Word { return cta % 2; }},
      {"%ctaid.y", [](Word cta, Word) -> Word { return cta / 2 % 3; }},
      {"%ctaid.z", [](Word cta, Word) -> Word { return cta / 6; }},
      {"%ntid.x", [](Word, Word) -> Word { return 5U; }},
      {"%ntid.y", [](Word, Word) -> Word { return 4U; }},
      {"%ntid.z", [](Word, Word) -> Word { return 3U; }},
      {"%nctaid.x", [](Word, Word) -> Word { return 2U; }},
      {"%nctaid.y", [](Word, Word) -> Word { return 3U; }},
      {"%nctaid.z", [](Word, Word) -> Word { return 2U; }},
      {"%laneid", [](Word, Word thread) -> Word { return thread % 32; }},
      {"%warpid", [](Word, Word thread) -> Word { return thread / 32; }},
      {"%lanemask_eq", [](Word, Word thread) -> Word { return 1U << thread % 32; }},
      {"%lanemask_le", [](Word, Word thread) -> Word { return (2U << thread % 32) - 1; }},
      {"%lanemask_lt", [](Word, Word thread) -> Word { return (1U << thread % 32) - 1; }},
      {"%lanemask_ge", [](Word, Word thread) -> Word { return 0U - (1U << thread % 32); }},
      {"%lanemask_gt", [](Word, Word thread) -> Word { return 0U - (2U << thread % 32); }},
      {"WARP_SZ", [](Word, Word) -> Word { return 32U; }},
  };
  std::string body =
      "mov.u32 %r1, %tid.z; mov.u32 %r2, %tid.y; mad.lo.u32 %r1, %r1, 4, %r2; mov.u32 %r2, %tid.x; "
      "mad.lo.u32 %r1, %r1, 5, %r2;mov.u32 %r3, %ctaid.z; mov.u32 %r4, %ctaid.y; mad.lo.u32 %r3, "
      "%r3, 3, %r4; mov.u32 %r4, %ctaid.x; mad.lo.u32 %r3, %r3, 2, %r4;mad.lo.u32 %r1, %r3, 60, "
      "%r1; mad.wide.u32 %rd1, %r1, 80, %rd91;";
  for (std::size_t k = 0; k < registers.size(); ++k)
    body += "mov.u32 %r5, " + registers[k].first + "; st.global.u32 [%rd1+" +
            std::to_string(4 * k) + "], %r5;";
  const auto out = runBody<Word>(body, 12 * 60 * registers.size(), options);
  for (Word i = 0; i < out.size(); ++i) {
    const auto& [name, value] = registers[i % 20];
    BOOST_TEST(out[i] == value(i / 20 / 60, i / 20 % 60), name << " of thread " << i / 20);
  }
}

BOOST_AUTO_TEST_CASE(clocks_never_run_backwards) {
  const auto out = runBody<std::uint64_t>(
      "mov.u64 %rd1, %clock64; mov.u32 %r1, %clock; mov.u64 %rd2, %globaltimer; cvt.u64.u32 %rd3, "
      "%r1; st.global.v2.u64 [%rd91], {%rd1, %rd3}; st.global.u64 [%rd91+16], %rd2;",
      4);
  BOOST_TEST(out[0] < out[1]);
  BOOST_TEST(out[1] < out[2]);
}

BOOST_AUTO_TEST_CASE(clocks_are_those_of_the_model) {
  struct Time final : ModelState {
    std::uint64_t cycles() const override { return 0x500000007; }
    std::uint64_t nanoseconds() const override { return 0x900000003; }
  };
  const Time time;
  Bench bench(kernelText(
      "mov.u64 %rd1, %clock64; mov.u64 %rd2, %globaltimer; mov.u32 %r1, %clock; mov.u32 %r2, "
      "%clock_hi; mov.u32 %r3, %globaltimer_lo; mov.u32 %r4, %globaltimer_hi; st.global.v2.u64 "
      "[%rd91], {%rd1, %rd2}; st.global.v4.u32 [%rd91+16], {%r1, %r2, %r3, %r4};"));
  const std::uint64_t out = bench.output<std::uint64_t>(4);
  bench.launch.block = {1, 1, 1};
  bench.executor.setModel(&time);
  bench.run();
  const auto words = bench.values<std::uint64_t>(out, 4);
  BOOST_TEST(
      words == (std::vector<std::uint64_t>{0x500000007, 0x900000003, 0x500000007, 0x900000003}),
      tt::per_element());
  bench.executor.setModel(nullptr);
  bench.run();
  BOOST_TEST(bench.values<std::uint64_t>(out, 1)[0] < 100U);  // the count of executed instructions
}

BOOST_AUTO_TEST_CASE(votes) {
  const auto ballot = results("setp.gt.u32 %p1, %r90, 20; vote.sync.ballot.b32 %r2, %p1, -1;");
  for (const Word value : ballot) BOOST_TEST(value == 0xffe00000U);
  const auto old = results(
      "and.b32 %r3, %r90, 1; setp.eq.u32 %p1, %r3, 1; @%p1 vote.ballot.b32 %r2, !%p1; @!%p1 "
      "vote.ballot.b32 %r2, !%p1;");
  for (unsigned lane = 0; lane < 32; ++lane)
    BOOST_TEST(old[lane] == (lane % 2 == 1 ? 0 : 0x55555555U));
  const auto modes = results(R"(
setp.lt.u32 %p1, %r90, 8; setp.lt.u32 %p2, %r90, 32; setp.gt.u32 %p3, %r90, 99;
vote.all.pred %p4, %p1; vote.sync.any.pred %p5, %p1, 0xffffffff; vote.uni.pred %p6, %p1; vote.all.pred %p7, %p2; vote.any.pred %p8, %p3; vote.uni.pred %p9, %p3;
selp.u32 %r3, 1, 0, %p4; add.u32 %r2, %r2, %r3; selp.u32 %r3, 2, 0, %p5; add.u32 %r2, %r2, %r3; selp.u32 %r3, 4, 0, %p6; add.u32 %r2, %r2, %r3;
selp.u32 %r3, 8, 0, %p7; add.u32 %r2, %r2, %r3; selp.u32 %r3, 16, 0, %p8; add.u32 %r2, %r2, %r3; selp.u32 %r3, 32, 0, %p9; add.u32 %r2, %r2, %r3;)");
  for (const Word value : modes) BOOST_TEST(value == 2U + 8U + 32U);
  for (const Word value : results("activemask.b32 %r2;", 20)) BOOST_TEST(value == 0xfffffU);
}

BOOST_AUTO_TEST_CASE(shuffles) {
  const auto value = [](int lane) { return static_cast<Word>(lane) * 3 + 1; };
  const auto down = results("shfl.sync.down.b32 %r2|%p1, %r1, 5, 31, -1; @!%p1 mov.u32 %r2, 7;");
  const auto up = results("shfl.up.b32 %r2|%p1, %r1, 3, 0;");
  const auto butterfly = results("shfl.sync.bfly.b32 %r2, %r1, 6, 0x1f, 0xffffffff;");
  const auto segment = results("shfl.sync.idx.b32 %r2, %r1, 3, 0x181f, -1;");  // segments of 8
  const auto upSegment = results(
      "shfl.sync.up.b32 %r2|%p1, %r1, 2, 0x1000, -1; @!%p1 mov.u32 %r2, 9;");  // segments of 16
  const auto floats = results(
      "cvt.rn.f32.u32 %f1, %r1; shfl.sync.idx.b32 %f2, %f1, 31, 31, -1; cvt.rzi.u32.f32 %r2, %f2;");
  for (int lane = 0; lane < 32; ++lane) {
    const auto k = static_cast<std::size_t>(lane);
    BOOST_TEST(down[k] == (lane + 5 < 32 ? value(lane + 5) : 7));
    BOOST_TEST(up[k] == value(lane >= 3 ? lane - 3 : lane));
    BOOST_TEST(butterfly[k] == value(lane ^ 6));
    BOOST_TEST(segment[k] == value(lane / 8 * 8 + 3));
    BOOST_TEST(upSegment[k] == (lane % 16 >= 2 ? value(lane - 2) : 9));
    BOOST_TEST(floats[k] == value(31));
  }
}

BOOST_AUTO_TEST_CASE(matches_and_reductions) {
  const auto any = results("rem.u32 %r3, %r90, 3; match.any.sync.b32 %r2, %r3, -1;");
  for (unsigned lane = 0; lane < 32; ++lane) {
    Word wanted = 0;
    for (unsigned k = lane % 3; k < 32; k += 3) wanted |= 1U << k;
    BOOST_TEST(any[lane] == wanted);
  }
  for (const Word value :
       results("mov.u64 %rd5, 6; match.all.sync.b64 %r2|%p1, %rd5, -1; @%p1 add.u32 %r2, %r2, 1;"))
    BOOST_TEST(value == 0U);
  for (const Word value :
       results("match.all.sync.b32 %r2|%p1, %r1, -1; @!%p1 add.u32 %r2, %r2, 3;"))
    BOOST_TEST(value == 3U);
  for (const Word value : results("redux.sync.add.u32 %r2, %r1, -1;"))
    BOOST_TEST(value == 3U * 496 + 32);
  for (const Word value : results("sub.s32 %r3, 5, %r1; redux.sync.min.s32 %r2, %r3, -1;"))
    BOOST_TEST(value == static_cast<Word>(5 - 94));
  const auto elected = results(
      "and.b32 %r3, %r90, 1; setp.ne.u32 %p2, %r3, 0; mov.b32 %r2, 0;@!%p2 bra E; elect.sync "
      "%r2|%p1, 0xaaaaaaaa; @%p1 add.u32 %r2, %r2, 100; E:");
  for (unsigned lane = 0; lane < 32; ++lane)
    BOOST_TEST(elected[lane] == (lane % 2 == 0 ? 0U : lane == 1 ? 101U : 1U));
  const auto one = results("elect.sync _|%p1, -1; @%p1 mov.u32 %r2, 7;", 20);
  for (unsigned lane = 0; lane < 20; ++lane) BOOST_TEST(one[lane] == (lane == 0 ? 7U : 0U));
  for (const Word value : results("redux.sync.xor.b32 %r2, %r90, -1;", 20)) BOOST_TEST(value == 0U);
}

// A reader whose source takes no part gets 0. The predicate tells only whether the source is in
// range.
BOOST_AUTO_TEST_CASE(sources_that_do_not_take_part_are_left_out) {
  const auto value = [](Word lane) { return lane * 3 + 1; };
  const auto half = results(
      "setp.ge.u32 %p1, %r90, 16; @%p1 bra J; shfl.sync.down.b32 %r2|%p2, %r1, 8, 31, 0xffff; @%p2 "
      "add.u32 %r2, %r2, 1000; J:");
  const auto old = results("setp.ge.u32 %p1, %r90, 16; @!%p1 shfl.down.b32 %r2|%p2, %r1, 8, 31;");
  const auto butterfly = results(
      "and.b32 %r3, %r90, 1; setp.eq.u32 %p1, %r3, 1; @%p1 shfl.sync.bfly.b32 %r2, %r1, 1, 31, "
      "-1;");
  for (Word k = 0; k < 32; ++k) {
    const Word down = k < 8 ? value(k + 8) : k < 24 ? 0 : value(k);
    BOOST_TEST(half[k] == (k < 16 ? down + 1000 : 0));
    BOOST_TEST(old[k] == (k < 16 ? down : 0));
    BOOST_TEST(butterfly[k] == 0U);
  }
}

// After `if (thread >= 20) return;`, with the mask of a whole warp: reductions are written so.
BOOST_AUTO_TEST_CASE(full_masks_after_lanes_have_returned) {
  const std::string leave = "setp.ge.u32 %p9, %r90, 20; @%p9 bra DONE;";
  const auto run = [&](const std::string& body) {
    return runBody<Word>("mad.wide.u32 %rd2, %r92, 4, %rd91; mad.lo.u32 %r1, %r90, 3, 1;" + leave +
                             body + " st.global.u32 [%rd2], %r2; DONE:",
                         32);
  };
  const auto down = run("shfl.sync.down.b32 %r2, %r1, 16, 31, -1;");
  const auto index = run("shfl.sync.idx.b32 %r2, %r1, 25, 31, -1;");
  const auto ballot = run("setp.eq.u32 %p1, 0, 0; vote.sync.ballot.b32 %r2, %p1, -1;");
  const auto all =
      run("setp.lt.u32 %p1, %r90, 20; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r2, 1, 2, %p2;");
  const auto sum = run("redux.sync.add.u32 %r2, %r90, -1;");
  const auto equal = run("mov.u32 %r3, 4; match.any.sync.b32 %r2, %r3, -1; bar.warp.sync -1;");
  for (Word k = 0; k < 20; ++k) {
    BOOST_TEST(down[k] == (k < 4 ? (k + 16) * 3 + 1 : k < 16 ? 0 : k * 3 + 1));
    BOOST_TEST(index[k] == 0U);
    BOOST_TEST(ballot[k] == 0xfffffU);
    BOOST_TEST(all[k] == 1U);
    BOOST_TEST(sum[k] == 190U);
    BOOST_TEST(equal[k] == 0xfffffU);
  }
  for (Word k = 20; k < 32; ++k) BOOST_TEST(down[k] == 0U);
}

// A warp split into tiles: each lane names the lanes of its own tile.
BOOST_AUTO_TEST_CASE(tiles_with_masks_of_their_own) {
  const std::string mask = "and.b32 %r3, %r90, 24; shl.b32 %r4, 0xff, %r3;";
  const auto ballot =
      results(mask + "setp.ne.u32 %p1, %r90, 9; vote.sync.ballot.b32 %r2, %p1, %r4;");
  const auto any = results(
      mask +
      "setp.eq.u32 %p1, %r90, 9; vote.sync.any.pred %p2, %p1, %r4; selp.u32 %r2, 1, 0, %p2;");
  const auto sum = results(mask + "redux.sync.add.u32 %r2, %r90, %r4;");
  const auto shift = results(mask + "shfl.sync.down.b32 %r2, %r90, 4, 31, %r4;");
  const auto in =
      results(mask + "bar.warp.sync %r4; and.b32 %r5, %r90, 1; match.any.sync.b32 %r2, %r5, %r4;");
  for (Word k = 0; k < 32; ++k) {
    const Word tile = 0xffU << (k & 24U);
    BOOST_TEST(ballot[k] == (tile & ~(1U << 9)));
    BOOST_TEST(any[k] == (k / 8 == 1 ? 1U : 0U));
    BOOST_TEST(sum[k] == (k & 24U) * 8 + 28);
    BOOST_TEST(shift[k] == (k % 8 < 4 ? k + 4 : k < 28 ? 0 : k));
    BOOST_TEST(in[k] == (tile & (k % 2 == 1 ? 0xaaaaaaaaU : 0x55555555U)));
  }
}

BOOST_AUTO_TEST_CASE(members_must_be_named) {
  for (const std::string instruction :
       {"vote.sync.any.pred %p2, %p1, 0xff;", "shfl.sync.idx.b32 %r3, %r1, 0, 31, 0xff;",
        "redux.sync.add.u32 %r3, %r1, 0xff;", "bar.warp.sync 0xff;",
        "match.any.sync.b32 %r3, %r1, 0xff;"}) {
    expectError([&] { results("setp.eq.u32 %p1, 0, 0;" + instruction); },
                {"not in the member mask 0xff", "lane 8"});
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
