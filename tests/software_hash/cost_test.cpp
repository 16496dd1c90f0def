// The instructions that an access costs, and the growth of windows.
#include "tests/software_hash/support.h"

namespace {

using namespace fermata::software_hash;
using namespace fermata::software_hash::test;

int inserted(const std::string& body, const std::string& hash, bool reuse = true) {
  const std::string text = kernelText(body, ".shared .align 16 .b8 tile[4096];");
  return rewriteText(text, hash, reuse).changes.front().inserted;
}

BOOST_AUTO_TEST_SUITE(cost)

BOOST_AUTO_TEST_CASE(of_the_common_hashes) {
  const std::map<std::string, unsigned> expected = {
      {"xor k1=0 k2=5 mask=7", 3},   // shift, and, xor
      {"xor k1=0 k2=5 mask=31", 3},  // shift, and, xor: no less for a full mask
      {"xor k1=0 k2=1 mask=16", 3},  // k2 < m: one bank bit XOR another
      {"xor k1=1 k2=6 mask=3", 7},   // kept bits; 5 to 7 down; 0 up: 1 + 2 * 2 + 2
      {"xor k1=6 k2=4 mask=1", 10},  // kept bits; 7 to 10 down; 0 to 3 up; 6 down: 1 + 3 * 2 + 3
      {"xor k1=1 k2=0 mask=0", 7},   // a permutation
      {"perm k=1", 7},
  };
  for (const auto& [text, count] : expected) {
    BOOST_TEST(SoftwareHash(request(text)).instructions() == count, text);
    BOOST_TEST(inserted("ld.shared.u32 %r1, [%r53];", text) == static_cast<int>(count), text);
    BOOST_TEST(inserted("ld.shared.u32 %r1, [%r53+8];", text) == static_cast<int>(count) + 1);
    BOOST_TEST(inserted("st.shared.u32 [%rd1+-8], 1;", text) == static_cast<int>(count) + 1);
    BOOST_TEST(inserted("st.shared.u32 [tile+8], 1;", text) == 0);
    BOOST_TEST(inserted("st.shared.u32 [8], 1;", text) == 0);
  }
}

BOOST_AUTO_TEST_CASE(is_paid_once_in_straight_line_code) {
  const std::string hash = "xor k1=0 k2=5 mask=7";
  const std::string sum = "ld.shared.u32 %r1, [%r53]; st.shared.u32 [%r53], %r2;";
  BOOST_TEST(inserted(sum, hash) == 3);
  BOOST_TEST(inserted(sum, hash, false) == 6);
  // Another offset needs another hash.
  BOOST_TEST(inserted("ld.shared.u32 %r1, [%r53]; ld.shared.u32 %r1, [%r53+4];", hash) == 7);
  // Control may come to a label from elsewhere, but always with the hash done.
  BOOST_TEST(inserted("ld.shared.u32 %r1, [%r53]; L: st.shared.u32 [%r53], %r2;", hash) == 3);
  // The register changes: by an instruction, by a guarded one, or by the access itself.
  for (const std::string change : {"add.s32 %r53, %r53, 4;", "@%p1 mov.u32 %r53, 4;",
                                   "ld.shared.u32 %r53, [%r53];", "mov.b64 {%r53, %r9}, %rd1;"}) {
    BOOST_TEST(
        inserted("ld.shared.u32 %r1, [%r53];" + change + "st.shared.u32 [%r53], %r2;", hash) == 6,
        change);
  }
  // Storing the address register, or through it, does not change it.
  BOOST_TEST(inserted("st.shared.u32 [%r53], %r53; atom.shared.add.u32 %r1, [%r53], 1;"
                      "@%p1 bra M; red.shared.add.u32 [%r53], %r53; M:",
                      hash) == 3);
}

BOOST_AUTO_TEST_CASE(of_a_neighbour_is_at_most_a_flip) {
  const std::string hash = "xor k1=0 k2=5 mask=7";    // address bits 7 to 9 enter bits 2 to 4
  const std::string rows = "shl.b32 %r1, %r52, 5; ";  // bits 0 to 4 are zero: 3 at first
  const auto twice = [&](const std::string& offset) {
    return inserted(rows + "ld.shared.u32 %r2, [%r1]; ld.shared.u32 %r3, [%r1" + offset + "];",
                    hash);
  };
  BOOST_TEST(twice("+4") == 3 + 1);
  BOOST_TEST(twice("+28") == 3 + 1);
  BOOST_TEST(twice("+32") == 3 + 4);  // may carry
  BOOST_TEST(twice("+1024") == 3);    // above all bits that the hash reads
  BOOST_TEST(twice("+-1024") == 3);
  BOOST_TEST(twice("+1028") == 3 + 1);
  // A field in the middle of a structure that a loop steps over, and its neighbours.
  const std::string fields =
      "mov.u32 %r1, 24; L: ld.shared.u32 %r2, [%r1]; ld.shared.u32 %r2, [%r1+-8];"
      "ld.shared.u32 %r2, [%r1+4]; add.s32 %r1, %r1, 32; @%p1 bra L;";
  BOOST_TEST(inserted(fields, hash) == 1 + 3 + 3);
  BOOST_TEST(inserted(fields, hash, false) == 3 + 4 + 4);
}

BOOST_AUTO_TEST_CASE(of_what_a_loop_keeps_is_paid_before_it) {
  const std::string hash = "xor k1=0 k2=5 mask=7";
  const std::string loop = "mov.u32 %r9, 0; L: ld.shared.u32 %r1, [%r53]; @%p1 bra L;";
  const std::string text = kernelText(loop, ".shared .align 16 .b8 tile[4096];");
  const std::string hashed = rewriteText(text, hash).text;
  BOOST_TEST(hashed.find("xor.b32") < hashed.find("L: "));
  // In braces a register's name may mean another register: the hash stays there.
  const std::string inner =
      "mov.u32 %r9, 0; L: { .reg .u32 %t; mov.u32 %t, %r9; ld.shared.u32 %r1, [%r53]; } @%p1 bra "
      "L;";
  const std::string kept =
      rewriteText(kernelText(inner, ".shared .align 16 .b8 tile[4096];"), hash).text;
  BOOST_TEST(kept.find("xor.b32") > kept.find("L: "));
  // A value from the previous round is a different address.
  BOOST_TEST(inserted("L: ld.shared.u32 %r1, [%r9]; @%p1 bra M; mov.u32 %r9, 8; M:"
                      "ld.shared.u32 %r1, [%r9]; @%p2 bra L;",
                      hash) == 6);
}

BOOST_AUTO_TEST_CASE(of_wide_accesses_is_that_of_their_words) {
  const std::string hash = "xor k1=0 k2=5 mask=7";
  // Two words: two hashes, one addition and one more access.
  BOOST_TEST(inserted("ld.shared.v2.u32 {%r1, %r2}, [%r53];", hash) == 3 + 4 + 1);
  BOOST_TEST(inserted("st.shared.v4.f32 [%r53], {%f1, %f2, %f3, %f4};", hash) == 3 + 3 * 4 + 3);
  // A 64-bit register also has to be joined or parted.
  BOOST_TEST(inserted("ld.shared.u64 %rd1, [%r53];", hash) == 3 + 4 + 1 + 1);
  BOOST_TEST(inserted("st.shared.v2.f64 [%r53], {%fd1, %fd2};", hash) == 3 + 3 * 4 + 3 + 2);
  BOOST_TEST(inserted("st.shared.u64 [%r53], 5;", hash) == 3 + 4 + 1);
  // With words of 8 bytes these are one access or two.
  const auto in8 = [](const std::string& body) {
    HashRequest request = test::request("xor k1=0 k2=5 mask=7");
    request.bankBytes = 8;
    request.words = 6144;
    const std::string text = kernelText(body, ".shared .align 16 .b8 tile[4096];");
    return rewrite(*fermata::ptx::parse(text, "t.ptx"), request, Lines::OneEach)
        .changes[0]
        .inserted;
  };
  BOOST_TEST(in8("ld.shared.u64 %rd1, [%r53];") == 3);
  BOOST_TEST(in8("st.shared.v2.f32 [%r53], {%f1, %f2};") == 3);
  BOOST_TEST(in8("ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r53];") == 3 + 4 + 1);
  BOOST_TEST(in8("st.shared.v2.u64 [%r53], {%rd1, 5};") == 3 + 4 + 1);
  BOOST_TEST(in8("atom.shared.add.u64 %rd1, [%r53], 1;") == 3);
  // Bytes within one word stay one access.
  BOOST_TEST(inserted("ld.shared.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%r53];", hash) == 3);
  BOOST_TEST(inserted("ld.shared.v4.u16 {%rs1, %rs2, %rs3, %rs4}, [%r53];", hash) == 3 + 4 + 1);
}

/// Declares and uses shared variables; returns the static bytes after the rewriting.
std::uint64_t grown(const std::string& declarations, const std::string& use,
                    const std::string& hash) {
  const std::string text = kernelText(use, declarations);
  const Rewritten rewritten = rewriteText(text, hash);
  const auto module = fermata::ptx::parse(rewritten.text, "grown.ptx");
  BOOST_TEST(module->kernel("k").staticSharedBytes() == rewritten.changes.front().staticAfter);
  return rewritten.changes.front().staticAfter;
}

BOOST_AUTO_TEST_CASE(in_bytes_is_paid_at_the_end_of_the_window) {
  const std::string whole = "xor k1=0 k2=5 mask=31";
  const std::string use = "st.shared.u32 [%r53], 1; mov.u32 %r1, tile;";
  BOOST_TEST(grown(".shared .align 4 .b8 tile[4096];", use, whole) == 4096U);
  // Words 256 to 271 lie in row 8, in banks whose number is XORed with 8: no growth.
  BOOST_TEST(grown(".shared .align 4 .b8 tile[1088];", use, whole) == 1088U);
  // Words 32 to 39 become 33, 32, 35 .. 38: no growth.
  BOOST_TEST(grown(".shared .align 4 .b8 tile[160];", use, whole) == 160U);
  // Words 64 and 65, in row 2, become 66 and 67.
  BOOST_TEST(grown(".shared .f32 tile[66];", use, whole) == 272U);
  BOOST_TEST(grown(".shared .f32 tile[3][22];", use, whole) == 272U);
  BOOST_TEST(grown(".shared .v2 .f32 tile[33];", use, whole) == 272U);
  // With k1=1, address bit 0 selects the row: word 1 is bank 0 of row 1.
  BOOST_TEST(grown(".shared .u32 tile, other[1];", use + "mov.u32 %r2, other;",
                   "xor k1=1 k2=0 mask=0") == 132U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
