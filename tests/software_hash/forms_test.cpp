// Every form of a shared access: the rewritten kernel computes the same results.
#include "tests/software_hash/support.h"

namespace {

using namespace fermata;
using namespace fermata::software_hash::test;
using software_hash::Lines;

const char* const kTile = ".shared .align 16 .b8 tile[2048];";
const char* const kStoreResult = R"(
  add.s32 %r59, %r51, %r53;
  st.global.u32 [%r59], %r58;
)";

struct Form {
  std::string name;
  std::string body;  ///< leaves a result in %r58
  std::string items = kTile;
  std::uint32_t dynamic = 0;
};
std::ostream& operator<<(std::ostream& out, const Form& form) {
  return out << form.name;
}

const std::vector<Form> kForms = {
    {"words, with offsets", R"(
  mov.u32 %r1, tile; add.s32 %r2, %r1, %r53;
  st.shared.u32 [%r2], %r52; st.shared.u32 [%r2+512], 7; st.volatile.shared.s32 [%r2+1028], %r53;
  bar.sync 0;
  xor.b32 %r3, %r53, 20; add.s32 %r3, %r1, %r3;
  ld.shared.u32 %r4, [%r3]; ld.volatile.shared.u32 %r5, [%r3 + 1024]; ld.shared.b32 %r6, [%r3+-0+512];
  mad.lo.s32 %r58, %r4, 1000, %r5; add.s32 %r58, %r58, %r6;)"},
    {"negative offsets and the base overwritten", R"(
  mov.u32 %r1, tile; add.s32 %r2, %r1, %r53; add.s32 %r2, %r2, 512;
  st.shared.u32 [%r2], %r53; st.shared.u32 [%r2+-512], %r52;
  bar.sync 0;
  ld.shared.u32 %r2, [%r2];  add.s32 %r2, %r2, %r1; ld.shared.u32 %r58, [%r2];)"},
    {"names and constants as addresses", R"(
  setp.eq.u32 %p1, %r52, 3;
  @%p1 st.shared.u32 [tile], 11; @%p1 st.shared.u32 [tile+132], 12; @%p1 st.shared.u32 [other+4], 13;
  @%p1 st.shared.u32 [2000], 14; @%p1 st.shared.u32 [tile+256+-4], 15;
  bar.sync 0;
  mov.u32 %r1, tile; ld.shared.u32 %r2, [%r1+132]; ld.shared.u32 %r3, [other+4]; ld.shared.u32 %r4, [%r1];
  add.s32 %r5, %r1, 2000; ld.shared.u32 %r5, [%r5]; ld.shared.u32 %r6, [%r1+252];
  mad.lo.s32 %r58, %r2, 100, %r3; mad.lo.s32 %r58, %r58, 100, %r4; mad.lo.s32 %r58, %r58, 100, %r5;
  mad.lo.s32 %r58, %r58, 10, %r6;)",
     ".shared .align 4 .b8 tile[2004]; .shared .u32 other[5];"},
    {"64-bit address registers", R"(
  mov.u64 %rd1, tile; cvt.u64.u32 %rd2, %r53; add.s64 %rd3, %rd1, %rd2;
  st.shared.u32 [%rd3], %r52; st.shared.u32 [%rd3+1024], %r53;
  bar.sync 0;
  xor.b64 %rd4, %rd2, 124; add.s64 %rd4, %rd4, %rd1;
  ld.shared.u32 %r1, [%rd4]; ld.shared.u32 %r2, [%rd4+1024]; mad.lo.s32 %r58, %r1, 1000, %r2;)"},
    {"guards", R"(
  mov.u32 %r1, tile; add.s32 %r2, %r1, %r53; and.b32 %r3, %r52, 1; setp.eq.u32 %p1, %r3, 0;
  st.shared.u32 [%r2], 5; @%p1 st.shared.u32 [%r2], %r53; mov.u32 %r4, 9;
  @!%p1 ld.shared.u32 %r4, [%r2]; @%p1 st.shared.v2.u32 [%r2], {%r4, %r52};
  @%p1 ld.shared.v2.u32 {%r5, %r6}, [%r2]; @%p1 ld.shared.u64 %rd1, [%r2];
  @%p1 st.shared.u64 [%r2+1024], %rd1; ld.shared.u32 %r7, [%r2];
  @%p1 ld.shared.u32 %r8, [%r2+1028];
  mad.lo.s32 %r58, %r5, 100, %r6; mad.lo.s32 %r58, %r58, 100, %r7; mad.lo.s32 %r58, %r58, 100, %r8;
  add.s32 %r58, %r58, %r4;)"},
    {"vectors and 64 bits", R"(
  mov.u32 %r1, tile; shl.b32 %r2, %r52, 4; add.s32 %r2, %r2, %r1; shl.b32 %r3, %r52, 3;
  add.s32 %r4, %r1, %r3;
  st.shared.v4.u32 [%r2], {%r52, 77, %r53, -3};
  bar.sync 0;
  ld.shared.v2.u32 {%r5, %r6}, [%r4]; ld.shared.u64 %rd1, [%r4 + 512];
  ld.shared.v4.u32 {%r7, _, _, %r8}, [%r2]; ld.shared.v2.u64 {%rd2, %rd3}, [%r2];
  ld.shared.v2.b64 {_, %rd4}, [%r2];
  bar.sync 0;
  st.shared.v2.u64 [%r2], {%rd3, 0x123456789abcdef}; ld.shared.u32 %r9, [%r2+12];
  st.shared.f64 [%r2], 0d400921FB54442D18; ld.shared.u32 %r10, [%r2+4]; ld.shared.f64 %fd1, [%r2];
  st.shared.f64 [%r2+8], 1.5; ld.shared.u32 %r11, [%r2+12]; st.shared.v2.f64 [%r2], {%fd1, %fd1};
  ld.shared.u32 %r12, [%r2+8]; cvt.u32.u64 %r13, %rd1; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r14, %rd1;
  cvt.u32.u64 %r15, %rd2; cvt.u32.u64 %r16, %rd4;
  mov.u32 %r58, 0;
  mad.lo.s32 %r58, %r58, 31, %r5; mad.lo.s32 %r58, %r58, 31, %r6; mad.lo.s32 %r58, %r58, 31, %r7;
  mad.lo.s32 %r58, %r58, 31, %r8; mad.lo.s32 %r58, %r58, 31, %r9; mad.lo.s32 %r58, %r58, 31, %r10;
  mad.lo.s32 %r58, %r58, 31, %r11; mad.lo.s32 %r58, %r58, 31, %r12; mad.lo.s32 %r58, %r58, 31, %r13;
  mad.lo.s32 %r58, %r58, 31, %r14; mad.lo.s32 %r58, %r58, 31, %r15; mad.lo.s32 %r58, %r58, 31, %r16;)"},
    {"a vector load over its own base", R"(
  mov.u32 %r1, tile; shl.b32 %r2, %r52, 3; add.s32 %r2, %r2, %r1;
  st.shared.v2.u32 [%r2], {%r52, %r53}; ld.shared.v2.u32 {%r2, %r3}, [%r2];
  mad.lo.s32 %r58, %r2, 1000, %r3;)"},
    {"bytes and halves", R"(
  mov.u32 %r1, tile; add.s32 %r2, %r1, %r52; shl.b32 %r3, %r52, 1; add.s32 %r3, %r3, %r1;
  st.shared.u8 [%r2], %r52; st.shared.u16 [%r3+512], 1000; st.shared.u8 [%r2+1027], 250;
  bar.sync 0;
  and.b32 %r4, %r53, 60; add.s32 %r4, %r4, %r1; ld.shared.u32 %r5, [%r4]; ld.shared.s8 %r6, [%r2+1027];
  ld.shared.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%r4]; ld.shared.v4.u16 {%rs5, %rs6, %rs7, %rs8}, [%r1+512];
  ld.shared.v2.u16 {%rs9, %rs10}, [%r4+512];
  cvt.u32.u16 %r7, %rs3; cvt.u32.u16 %r8, %rs8; cvt.u32.u16 %r9, %rs9;
  mad.lo.s32 %r58, %r5, 31, %r6; mad.lo.s32 %r58, %r58, 31, %r7; mad.lo.s32 %r58, %r58, 31, %r8;
  mad.lo.s32 %r58, %r58, 31, %r9;)"},
    {"atomics", R"(
  mov.u32 %r1, tile; and.b32 %r2, %r53, 60; add.s32 %r2, %r2, %r1;
  atom.shared.add.u32 %r3, [%r2], 3; red.shared.max.u32 [%r2+64], %r52;
  atom.shared.cas.b32 %r4, [%r2+128], 0, %r52; atom.shared.exch.b32 %r5, [tile+1280], %r52;
  bar.sync 0;
  ld.shared.u32 %r6, [%r2]; ld.shared.u32 %r7, [%r2+64]; ld.shared.u32 %r8, [%r2+128];
  mad.lo.s32 %r58, %r3, 31, %r4; mad.lo.s32 %r58, %r58, 31, %r6; mad.lo.s32 %r58, %r58, 31, %r7;
  mad.lo.s32 %r58, %r58, 31, %r8; add.s32 %r58, %r58, %r5;)"},
    {"names that look like ours, scopes and statements over lines", R"(
  .reg .b32 %swh0, %swh1; mov.u32 %swh1, tile;
  { .reg .b32 a; add.s32 a, %swh1, %r53; st.shared.u32 [
    a ], %r52; { .reg .b32 a; mov.u32 a, %swh1; add.s32 a, a, %r53; ld.shared.u32 %swh0
    , [a]; } }
  mov.u32 %r58, %swh0;)"},
    {"a loop", R"(
  mov.u32 %r1, tile; add.s32 %r2, %r1, %r53; mov.u32 %r58, 0; mov.u32 %r3, 0;
L: st.shared.u32 [%r2], %r3; ld.shared.u32 %r4, [%r2]; mad.lo.s32 %r58, %r58, 3, %r4;
  add.s32 %r3, %r3, 1; add.s32 %r2, %r2, 256; setp.lt.u32 %p1, %r3, 5; @%p1 bra L;)"},
    {"dynamic memory behind static", R"(
  mov.u32 %r1, tile; mov.u32 %r2, more; add.s32 %r3, %r1, %r53; add.s32 %r4, %r2, %r53;
  st.shared.u32 [%r3], %r52; st.shared.u32 [%r4], %r53; st.shared.u32 [more+256], 6;
  bar.sync 0;
  xor.b32 %r5, %r53, 12; add.s32 %r6, %r2, %r5; ld.shared.u32 %r7, [%r6]; ld.shared.u32 %r8, [%r2+256];
  ld.shared.u32 %r9, [%r3]; mad.lo.s32 %r58, %r7, 31, %r8; mad.lo.s32 %r58, %r58, 31, %r9;)",
     ".shared .f32 tile[67]; .extern .shared .align 4 .b8 more[];", 260},
};

BOOST_AUTO_TEST_SUITE(forms)

BOOST_DATA_TEST_CASE(compute_the_same, bdata::make(kForms), form) {
  const std::string text = kernelText(form.body + kStoreResult, form.items);
  const auto expected = run(text, 64, form.dynamic);
  BOOST_TEST(expected[5] != 0U);
  for (const std::string& hash : kHashes) {
    for (const bool reuse : {true, false}) {
      for (const Lines lines : {Lines::Kept, Lines::OneEach}) {
        BOOST_TEST_CONTEXT(hash) {
          const auto rewritten = rewriteText(text, hash, reuse, lines);
          std::uint32_t dynamic = form.dynamic;
          if (dynamic != 0) {
            const std::uint64_t fixed = rewritten.changes[0].staticAfter;
            dynamic = static_cast<std::uint32_t>(
                software_hash::SoftwareHash(request(hash)).windowBytes(fixed + dynamic) - fixed);
          }
          BOOST_TEST(run(rewritten.text, 64, dynamic) == expected);
        }
      }
    }
  }
}

/// Shared variables of functions that two entries call: `first` lies at one place in both entries,
/// `second` at different places.
BOOST_AUTO_TEST_CASE(in_functions_and_several_entries) {
  const std::string items = R"(
.shared .align 4 .b8 first[100]; .shared .align 4 .b8 second[400];
.func (.reg .b32 result) f(.reg .b32 t)
{
  .reg .b32 %r<9>;
  mov.u32 %r1, second; shl.b32 %r2, t, 2; add.s32 %r2, %r2, %r1;
  st.shared.u32 [%r2], t; st.shared.u32 [second+256], 5; ld.shared.u32 %r3, [second+256];
  ld.shared.u32 %r4, [%r2]; add.s32 result, %r3, %r4;
  ret;
}
.visible .entry other()
{
  .reg .b32 %r<9>;
  st.shared.u32 [second], 1; call (%r1), f, (3);
  ret;
}
)";
  const std::string body =
      "st.shared.u32 [first+4], 9; call (%r1), f, (%r52); bar.sync 0; ld.shared.u32 %r2, [first+4];"
      "mad.lo.s32 %r58, %r1, 100, %r2;";
  const std::string text = kernelText(body + kStoreResult, items);
  const auto expected = run(text);
  BOOST_TEST(expected[5] == 1009U);
  for (const std::string& hash : kHashes) {
    const auto rewritten = rewriteText(text, hash);
    BOOST_TEST(run(rewritten.text) == expected);
    BOOST_TEST(has(rewritten.text, ", second+256;\n"));  // known only at run time
    BOOST_TEST(!has(rewritten.text, ", first+"));        // known at rewriting
  }
}

BOOST_AUTO_TEST_CASE(keep_their_lines_and_source_lines) {
  const std::string text = kernelText(
      "  .loc 1 7 0\n  ld.shared.u32 %r1,\n [tile+4]; ld.shared.v2.u32 {%r2,\n %r3}, [%r53];\n"
      "  .loc 1 9 0\n  st.shared.u32 [%r53], %r1;\n",
      std::string(kTile) + "\n.file 1 \"a.cu\"\n");
  const auto plain = ptx::parse(text, "a.ptx");
  const auto kept = ptx::parse(rewriteText(text, kHashes[2], true, Lines::Kept).text, "a.ptx");
  const auto spread = ptx::parse(rewriteText(text, kHashes[2], true, Lines::OneEach).text, "a.ptx");
  const auto lines = [](const ptx::Module& module, const std::string& opcode) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    const ptx::Kernel& kernel = module.kernel("k");
    for (std::uint32_t pc = 0; pc < kernel.instructionCount(); ++pc) {
      if (kernel.text(pc).opcode == opcode)
        all.emplace_back(kernel.text(pc).line, kernel.text(pc).ptxLine);
    }
    return all;
  };
  const auto stores = lines(*plain, "st.shared.u32");
  BOOST_REQUIRE(stores.size() == 1U);
  BOOST_TEST(stores[0].first == 9U);
  BOOST_TEST((lines(*kept, "st.shared.u32") == stores));
  BOOST_TEST(lines(*spread, "st.shared.u32")[0].first == 9U);
  for (const auto& [source, line] : lines(*kept, "xor.b32"))
    BOOST_TEST((source == 7 || source == 9));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
