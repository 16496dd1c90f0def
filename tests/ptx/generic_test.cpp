// Generic addresses whose lanes lie in several spaces, and address registers wider than a space.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

/// Sets up generic addresses. %rd5: the lane's word in shared memory, %rd6: in local memory (equal
/// offsets in all lanes), %rd7: in global memory (`in`). %rd8: shared for lanes 0, 3, 6.., global
/// for lanes 1, 4, 7.., local for lanes 2, 5, 8... The words hold 100, 200 and 300 + lane. %rd2:
/// the lane's word of `out`.
const std::string kSetup = R"(
.shared .align 8 .b8 tile[256]; .local .align 8 .b8 own[16];
mad.wide.u32 %rd2, %r92, 4, %rd91; mul.wide.u32 %rd3, %r90, 8;
mov.u64 %rd5, tile; cvta.shared.u64 %rd5, %rd5; add.u64 %rd5, %rd5, %rd3;
mov.u64 %rd6, own; add.u64 %rd6, %rd6, 8; cvta.local.u64 %rd6, %rd6; add.u64 %rd7, %rd90, %rd3;
add.u32 %r5, %r90, 100; st.u32 [%rd5], %r5; add.u32 %r5, %r90, 200; st.u32 [%rd7], %r5; add.u32 %r5, %r90, 300; st.u32 [%rd6], %r5;
rem.u32 %r6, %r90, 3; setp.eq.u32 %p1, %r6, 0; setp.eq.u32 %p2, %r6, 1;
selp.b64 %rd8, %rd7, %rd6, %p2; selp.b64 %rd8, %rd5, %rd8, %p1; mov.u32 %r2, 0;
)";

std::vector<Word> results(const std::string& body, const ExecutorOptions& options = {}) {
  RunOptions run;
  run.executor = options;
  return runBody<Word>(kSetup + body + " st.global.u32 [%rd2], %r2;", std::vector<Word>(64), 32,
                       run);
}

Word held(Word lane) {
  return (lane % 3 + 1) * 100 + lane;
}

ExecutorOptions carrying(bool carries) {
  ExecutorOptions options;
  options.carryData = carries;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(generic)

BOOST_DATA_TEST_CASE(a_load_of_three_spaces, bdata::make({false, true}), carries) {
  const auto out = results("ld.u32 %r2, [%rd8];", carrying(carries));
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == held(k));
}

BOOST_AUTO_TEST_CASE(the_address_may_be_the_destination) {
  const auto out = results("ld.u32 %rd8, [%rd8]; cvt.u32.u64 %r2, %rd8;");
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == held(k));
}

BOOST_AUTO_TEST_CASE(guarded_and_in_a_loop) {
  const auto out = results(
      "mov.u32 %r7, 0; L: setp.gt.u32 %p3, %r90, 8; @%p3 ld.u32 %r3, [%rd8]; @%p3 add.u32 %r2, "
      "%r2, %r3; add.u32 %r7, %r7, 1; setp.lt.u32 %p4, %r7, %r90; @%p4 bra L;");
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == (k > 8 ? k * held(k) : 0));
}

// The load is the last instruction before the paths of a branch join.
BOOST_AUTO_TEST_CASE(before_a_join) {
  const auto out = results("@%p1 bra J; ld.u32 %r2, [%rd8]; J: add.u32 %r2, %r2, 1;");
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == (k % 3 == 0 ? 1 : held(k) + 1));
}

BOOST_DATA_TEST_CASE(stores_and_vectors, bdata::make({false, true}), carries) {
  const auto out = results(
      "mov.u32 %r3, 5; mul.lo.u32 %r4, %r90, 7; and.b32 %r7, %r90, 1; cvt.u64.u32 %rd9, %r7; "
      "st.v2.u32 [%rd8], {%r3, %r4}; ld.v2.u32 {%r8, %r9}, [%rd8]; add.u32 %r2, %r8, %r9; ld.u32 "
      "%r3, [%rd5+4]; ld.u32 %r4, [%rd7+4]; ld.u32 %r5, [%rd6+4]; add.u32 %r3, %r3, %r4; add.u32 "
      "%r3, %r3, %r5; mad.lo.u32 %r2, %r3, 1000, %r2;",
      carrying(carries));
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == k * 7 * 1000 + k * 7 + 5);
}

BOOST_AUTO_TEST_CASE(atomics_of_two_spaces) {
  const auto out = results(
      "selp.b64 %rd8, %rd5, %rd7, %p1; atom.add.u32 %r2, [%rd8], 1000; atom.add.u32 %r3, [%rd8], "
      "1; red.max.u32 [%rd8], 7000; ld.u32 %r4, [%rd8]; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, "
      "%r4;");
  for (Word k = 0; k < 32; ++k) {
    const Word old = (k % 3 == 0 ? 100 : 200) + k;
    BOOST_TEST(out[k] == 2 * old + 1000 + 7000);
  }
}

// The core sees one access per space, one after another, with disjoint lanes.
BOOST_AUTO_TEST_CASE(what_the_core_learns) {
  Bench bench(kernelText(kSetup + "ld.u32 %r2, [%rd8]; mov.u32 %r3, 1;"));
  const std::uint64_t in = bench.output<Word>(64);
  std::vector<WarpInstruction> seen;
  LaneMask after = 0;
  for (const auto& [next, out] : bench.steps()) {
    if (next.operation == MemoryOperation::Load && next.bytesPerLane == 4 &&
        next.space == MemorySpace::Generic) {
      seen.push_back(out);
    } else if (seen.size() == 3 && after == 0) {
      after = out.active;
    }
  }
  BOOST_REQUIRE(seen.size() == 3U);
  BOOST_TEST(after == kAllLanes);
  const MemorySpace spaces[] = {MemorySpace::Shared, MemorySpace::Global, MemorySpace::Local};
  LaneMask all = 0;
  for (unsigned k = 0; k < 3; ++k) {
    BOOST_TEST((seen[k].space == spaces[k]));
    BOOST_TEST(seen[k].pc == seen[0].pc);
    BOOST_TEST((all & seen[k].active) == 0U);
    all |= seen[k].active;
    for (unsigned lane = k; lane < kWarpLanes; lane += 3) {
      BOOST_TEST((seen[k].active >> lane & 1U) == 1U);
      if (k == 0) BOOST_TEST(seen[k].address[lane] == 8 * lane);
      if (k == 1) BOOST_TEST(seen[k].address[lane] == in + 8 * lane);
    }
  }
  BOOST_TEST(all == kAllLanes);
}

BOOST_AUTO_TEST_CASE(one_space_is_one_access) {
  for (const std::string address : {"%rd5", "%rd6", "%rd7"}) {
    Bench bench(kernelText(kSetup + "ld.u32 %r2, [" + address + "];"));
    bench.output<Word>(64);
    bench.run();
    const auto& kernel = bench.module->kernel("k");
    BOOST_TEST(bench.executor.instructionsExecuted() == kernel.instructionCount() - 1);
  }
}

// The 64-bit index runs below 0 or wraps; only its low 32 bits count.
BOOST_DATA_TEST_CASE(addresses_of_a_space_have_32_bits,
                     bdata::make<std::string>({
                         "add.u64 %rd9, %rd9, 0x123400000000;",
                         "sub.u64 %rd9, %rd9, 4096; add.u64 %rd9, %rd9, 0xfffffff00001000;",
                         "sub.u32 %r7, 0, 4; mul.wide.u32 %rd10, %r7, 8; add.u64 %rd9, %rd9, 32; "
                         "add.u64 %rd9, %rd9, %rd10;",
                     }) * bdata::make({false, true}),
                     wrap, carries) {
  const auto out =
      results("mov.u64 %rd9, tile; add.u64 %rd9, %rd9, %rd3;" + wrap +
                  "ld.shared.u32 %r2, [%rd9]; st.shared.u32 [%rd9+4], 7; ld.shared.u32 %r3, "
                  "[%rd9+4]; atom.shared.add.u32 %r4, [%rd9+4], 2; red.shared.add.u32 [%rd9+4], 1; "
                  "ld.shared.v2.u32 {%r5, %r6}, [%rd9]; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, "
                  "%r4; add.u32 %r2, %r2, %r6; mov.u64 %rd9, own;" +
                  wrap +
                  "st.local.u32 [%rd9], 11; ld.local.u32 %r5, [own]; add.u32 %r2, %r2, %r5; "
                  "mov.u64 %rd9, out; " +
                  wrap +
                  "ld.param.u32 %r5, [%rd9]; cvt.u32.u64 %r6, %rd91; sub.u32 %r5, %r5, %r6; "
                  "add.u32 %r2, %r2, %r5;",
              carrying(carries));
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == 100 + k + 7 + 7 + 10 + 11);
}

BOOST_AUTO_TEST_CASE(constant_addresses_have_32_bits) {
  const auto out = runBody<Word>(
      "mov.u64 %rd1, c; add.u64 %rd1, %rd1, 0x700000004; ld.const.u32 %r1, [%rd1]; mad.wide.u32 "
      "%rd2, %r92, 4, %rd91; st.global.u32 [%rd2], %r1;",
      32, {}, ".const .align 4 .u32 c[2] = {5, 6};\n");
  for (const Word value : out) BOOST_TEST(value == 6U);
}

// Global addresses keep all 64 bits: a high bit is out of bounds.
BOOST_AUTO_TEST_CASE(global_addresses_have_64_bits) {
  expectError([] { results("add.u64 %rd9, %rd90, 0x100000000; ld.global.u32 %r2, [%rd9];"); },
              {"out of bounds"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
