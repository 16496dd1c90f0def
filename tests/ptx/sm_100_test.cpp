// Instructions of sm_100 beside tcgen05: extremes of three floats and of a warp's, loads and stores
// of 32 bytes, blocks of zeros, conversions of floats of 4 and 6 bits and of scales.
#include <cmath>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

std::uint32_t bitsOf(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  return bits;
}
const float kNan = std::nanf("");
constexpr std::uint32_t kNanBits = 0x7fffffff;

/// Runs an instruction on %f1 %f2 %f3 of one thread.
std::uint32_t ofThree(const std::string& opcode, float a, float b, float c) {
  return runBody<std::uint32_t>(
      "ld.global.f32 %f1, [%rd90]; ld.global.f32 %f2, [%rd90+4]; ld.global.f32 %f3, [%rd90+8]; " +
          opcode + " %f4, %f1, %f2, %f3; st.global.f32 [%rd91], %f4;",
      std::vector<std::uint32_t>{bitsOf(a), bitsOf(b), bitsOf(c)}, 1)[0];
}

/// Returns the results of a conversion from one or two floats to a pair.
std::uint32_t pairOf(const std::string& opcode, float upper, float lower) {
  const bool byte = opcode.find("e2m1") != std::string::npos;
  return runBody<std::uint32_t>(
      std::string(".reg .b8 %b<6>; .reg .b16 %h<3>; ld.global.f32 %f1, [%rd90]; "
                  "ld.global.f32 %f2, [%rd90+4]; ") +
          opcode + (byte ? " %b1" : " %h1") + ", %f1, %f2; " +
          (byte ? "mov.b32 %r1, {%b1, %b2, %b2, %b2}; st.global.b32 [%rd91], %r1;"
                : "st.global.b16 [%rd91], %h1;"),
      std::vector<std::uint32_t>{bitsOf(upper), bitsOf(lower)}, 1)[0];
}

/// Numbers of an element, by its bits, worked out from the definition.
double smallFloat(unsigned bits, int exponentBits, int fractionBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> fractionBits) % (1 << exponentBits);
  const double fraction = bits % (1U << fractionBits) / std::ldexp(1.0, fractionBits);
  const double size =
      exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return bits >> (exponentBits + fractionBits) != 0 ? -size : size;
}
struct Small {
  const char* name;
  int exponentBits, fractionBits;
};
const Small kSmall[] = {{"e2m1x2", 2, 1}, {"e2m3x2", 2, 3}, {"e3m2x2", 3, 2}};

/// Returns the nearest element of a type, ties to even.
unsigned nearest(const Small& type, double value) {
  const unsigned count = 1U << (type.exponentBits + type.fractionBits);
  const auto of = [&](unsigned bits) {
    return smallFloat(bits, type.exponentBits, type.fractionBits);
  };
  unsigned best = 0;
  for (unsigned bits = 1; bits < count; ++bits) {
    const double mine = std::fabs(of(bits) - std::fabs(value));
    const double its = std::fabs(of(best) - std::fabs(value));
    if (mine < its || (mine == its && bits % 2 == 0)) best = bits;
  }
  return best | (std::signbit(value) ? count : 0);
}

/// Fills `tile` with ones, runs the stores, and returns the tile.
std::vector<std::uint32_t> afterBlocks(const std::string& stores, unsigned threads) {
  RunOptions options;
  options.block.x = threads;
  return runBody<std::uint32_t>(
      "mov.u32 %r1, tile; mov.u32 %r2, 0; mov.u32 %r3, 1; mov.u32 %r5, %tid.x; F: shl.b32 %r4, "
      "%r2, 2; add.u32 %r4, %r4, %r1; st.shared.u32 [%r4], %r3; add.u32 %r2, %r2, 1; setp.lt.u32 "
      "%p1, %r2, 256; @%p1 bra F; bar.sync 0; " +
          stores +
          "bar.sync 0; mov.u32 %r2, 0; G: shl.b32 %r4, %r2, 2; cvt.u64.u32 %rd1, %r4; add.u32 %r4, "
          "%r4, %r1; ld.shared.u32 %r3, [%r4]; add.u64 %rd1, %rd1, %rd91; st.global.u32 [%rd1], "
          "%r3; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 256; @%p1 bra G;",
      std::vector<std::uint32_t>(1), 256, options, ".shared .align 16 .b32 tile[256];");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sm_100)

BOOST_AUTO_TEST_CASE(blocks_of_zeros) {
  const auto zeroed = [](const std::vector<std::pair<unsigned, unsigned>>& words) {
    std::vector<std::uint32_t> tile(256, 1);
    for (const auto& [first, end] : words) std::fill(tile.begin() + first, tile.begin() + end, 0U);
    return tile;
  };
  BOOST_TEST(afterBlocks("st.bulk.weak.shared::cta [%r1+8], 600, 0;", 1) == zeroed({{2, 152}}),
             tt::per_element());
  BOOST_TEST(afterBlocks("st.bulk.shared::cta [%r1], 0, 0;", 1) == zeroed({}), tt::per_element());
  // A generic address and a size in a register; each thread has a block of its own.
  BOOST_TEST(afterBlocks("mul.lo.u32 %r6, %r5, 512; add.u32 %r6, %r6, %r1; cvt.u64.u32 %rd2, %r6; "
                         "cvta.shared.u64 %rd2, %rd2; mul.lo.u32 %r7, %r5, 400; add.u32 %r7, %r7, "
                         "16; cvt.u64.u32 %rd3, %r7; st.bulk [%rd2], %rd3, 0;",
                         2) == zeroed({{0, 4}, {128, 232}}),
             tt::per_element());
  const auto refusal = [](const std::string& stores, const std::string& why) {
    expectError([&] { afterBlocks(stores, 1); }, {why});
  };
  refusal("st.bulk.shared::cta [%r1], 12, 0;", "a block of 12 bytes; expected a multiple of 8");
  refusal("st.bulk.shared::cta [%r1+4], 8, 0;", "misaligned; expected a multiple of 8");
  refusal("st.bulk.shared::cta [%r1+1016], 16, 0;", "the CTA has 1024 bytes");
  refusal("st.bulk [%rd91], 16, 0;", "expected one in shared memory");
  refuses("st.bulk.shared::cta [%r1], 8, 1;", "the value of a block is 1; expected 0 to 0");
  refuses("st.bulk.shared::cluster [%r1], 8, 0;", "unsupported form");
}

BOOST_AUTO_TEST_CASE(extremes_of_three) {
  BOOST_TEST(ofThree("min.f32", 3, -1, 2) == bitsOf(-1));
  BOOST_TEST(ofThree("max.f32", 3, -1, 7) == bitsOf(7));
  BOOST_TEST(ofThree("min.f32", kNan, 5, 4) == bitsOf(4));
  BOOST_TEST(ofThree("max.f32", kNan, kNan, kNan) == kNanBits);
  BOOST_TEST(ofThree("max.NaN.f32", 1, kNan, 3) == kNanBits);
  BOOST_TEST(ofThree("min.NaN.f32", 1, 2, 3) == bitsOf(1));
  BOOST_TEST(ofThree("min.abs.f32", 1, -0.5F, 3) == bitsOf(0.5F));
  BOOST_TEST(ofThree("max.abs.f32", 1, -4, 3) == bitsOf(4));
  BOOST_TEST(ofThree("min.f32", 0.0F, -0.0F, 1) == bitsOf(-0.0F));
  BOOST_TEST(ofThree("max.f32", -0.0F, 0.0F, -1) == bitsOf(0.0F));
  BOOST_TEST(ofThree("max.ftz.f32", -1, 1e-40F, -2) == bitsOf(0.0F));
  refuses("min.xorsign.abs.f32 %f1, %f2, %f3, %f4;", "unsupported form");
  refuses("min.f64 %fd1, %fd2, %fd3, %fd4;", "expected 3");
}

BOOST_AUTO_TEST_CASE(extremes_of_a_warp) {
  std::vector<std::uint32_t> in(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    in[lane] = bitsOf(static_cast<float>(static_cast<int>(lane * 37 % 64) - 40));
  in[9] = bitsOf(kNan);
  const auto of = [&](const std::string& opcode) {
    return runBody<std::uint32_t>(
        "mul.wide.u32 %rd1, %r90, 4; add.u64 %rd2, %rd1, %rd90; add.u64 %rd3, %rd1, %rd91; "
        "ld.global.f32 %f1, [%rd2]; " +
            opcode + " %f2, %f1, 0xffffffff; st.global.f32 [%rd3], %f2;",
        in, 32);
  };
  const auto all = [&](float value) { return std::vector<std::uint32_t>(32, bitsOf(value)); };
  float least = 100, greatest = -100, size = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (lane == 9) continue;
    const float value = static_cast<float>(static_cast<int>(lane * 37 % 64) - 40);
    least = std::fmin(least, value);
    greatest = std::fmax(greatest, value);
    size = std::fmax(size, std::fabs(value));
  }
  BOOST_TEST(of("redux.sync.min.f32") == all(least));
  BOOST_TEST(of("redux.sync.max.f32") == all(greatest));
  BOOST_TEST(of("redux.sync.max.abs.f32") == all(size));
  BOOST_TEST(of("redux.sync.min.NaN.f32") == std::vector<std::uint32_t>(32, kNanBits));
  refuses("redux.sync.add.f32 %f1, %f2, 0xffffffff;", "expected .sync.min or .sync.max");
}

BOOST_AUTO_TEST_CASE(accesses_of_32_bytes) {
  std::vector<std::uint32_t> in(8 * 32);
  for (unsigned k = 0; k < in.size(); ++k) in[k] = 977 * k + 5;
  const std::string addresses =
      "mul.wide.u32 %rd1, %r90, 32; add.u64 %rd2, %rd1, %rd90; add.u64 %rd3, %rd1, %rd91; ";
  BOOST_TEST(runBody<std::uint32_t>(
                 addresses + "ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd2]; "
                             "st.global.v8.b32 [%rd3], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};",
                 in, in.size()) == in,
             boost::test_tools::per_element());
  // The address is overwritten by the first half.
  BOOST_TEST(
      runBody<std::uint32_t>(addresses + "ld.global.v4.b64 {%rd2, %rd4, %rd5, %rd6}, [%rd2]; "
                                         "st.global.v4.b64 [%rd3], {%rd2, %rd4, %rd5, %rd6};",
                             in, in.size()) == in,
      boost::test_tools::per_element());
  refuses("ld.shared.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%r9];",
          "32 in global memory");
  refuses("ld.global.v8.b64 {%rd1, %rd2, %rd3, %rd4, %rd5, %rd6, %rd7, %rd8}, [%rd9];",
          "32 in global memory");
  refuses("ld.global.v8.b16 {%rs1, %rs2, %rs3, %rs4, %rs5, %rs6, %rs7, %rs8}, [%rd9];",
          "32 in global memory");
}

BOOST_AUTO_TEST_CASE(small_floats_are_rounded_to_nearest) {
  for (const Small& type : kSmall) {
    BOOST_TEST_CONTEXT(type.name) {
      const unsigned each = type.fractionBits == 1 ? 4 : 8;
      const std::string opcode = std::string("cvt.rn.satfinite.") + type.name + ".f32";
      for (const float value : {0.0F, 0.3F, -0.25F, 0.75F, 1.25F, -2.5F, 3.0F, 5.0F, -7.3F, 100.0F,
                                0.03125F, 0.09375F}) {
        const unsigned wanted = nearest(type, static_cast<double>(value)) << each |
                                nearest(type, -2 * static_cast<double>(value));
        BOOST_TEST(pairOf(opcode, value, -2 * value) == wanted, value);
      }
      const unsigned most = nearest(type, 1000);
      BOOST_TEST(pairOf(opcode, kNan, -INFINITY) == (most << each | nearest(type, -1000)));
      const std::string clamped = std::string("cvt.rn.satfinite.relu.") + type.name + ".f32";
      BOOST_TEST(pairOf(clamped, -1, 1) == nearest(type, 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(small_floats_become_halves) {
  for (const Small& type : kSmall) {
    const bool byte = type.fractionBits == 1;
    const unsigned width = 1U + static_cast<unsigned>(type.exponentBits + type.fractionBits);
    for (unsigned bits = 0; bits < 1U << width; ++bits) {
      const std::uint32_t pair = bits << (byte ? 4 : 8) | (bits ^ 1U);
      const std::string reg = byte ? "%b1" : "%h1";
      const auto out = runBody<std::uint32_t>(
          ".reg .b8 %b<6>; .reg .b16 %h<3>; ld.global.b32 %r2, [%rd90]; " +
              std::string(byte ? "mov.b32 {%b1, %b2, %b3, %b4}, %r2; " : "cvt.u16.u32 %h1, %r2; ") +
              "cvt.rn.f16x2." + type.name + " %r1, " + reg +
              "; st.global.b32 [%rd91], %r1; mov.b32 {%h1, %h2}, %r1; cvt.f32.f16 %f1, %h1; "
              "cvt.f32.f16 %f2, %h2; st.global.f32 [%rd91+4], %f1; st.global.f32 [%rd91+8], %f2;",
          std::vector<std::uint32_t>{pair}, 3);
      const auto value = [&](unsigned one) {
        return bitsOf(static_cast<float>(smallFloat(one, type.exponentBits, type.fractionBits)));
      };
      BOOST_TEST(out[1] == value(bits ^ 1U), type.name << ' ' << bits);
      BOOST_TEST(out[2] == value(bits), type.name << ' ' << bits);
    }
  }
}

BOOST_AUTO_TEST_CASE(scales_are_powers_of_two) {
  const std::string down = "cvt.rz.satfinite.ue8m0x2.f32", up = "cvt.rp.satfinite.ue8m0x2.f32";
  BOOST_TEST(pairOf(down, 1, 3) == (127U << 8 | 128U));
  BOOST_TEST(pairOf(up, 1, 3) == (127U << 8 | 129U));
  BOOST_TEST(pairOf(down, 0, INFINITY) == 254U);
  BOOST_TEST(pairOf("cvt.rp.ue8m0x2.f32", INFINITY, kNan) == 0xffffU);
  const auto out = runBody<std::uint32_t>(
      ".reg .b16 %h<3>; mov.b32 %r1, 0x40003f80; cvt.rp.satfinite.ue8m0x2.bf16x2 %h1, %r1; "
      "st.global.b16 [%rd91], %h1; cvt.rn.bf16x2.ue8m0x2 %r2, %h1; st.global.b32 [%rd91+4], %r2;",
      2);
  BOOST_TEST((out[0] & 0xffffU) == (128U << 8 | 127U));
  BOOST_TEST(out[1] == 0x40003f80U);
  refuses("cvt.rn.satfinite.ue8m0x2.f32 %rs1, %f1, %f2;", "expected .rz or .rp");
  refuses("cvt.rn.e2m3x2.f32 %rs1, %f1, %f2;", "expected .rn.satfinite of .f32");
}

// Without further CTAs the answer says so, and its bytes are counted at the mbarrier.
BOOST_AUTO_TEST_CASE(a_launch_without_more_clusters_gives_none_away) {
  const std::string query = "clusterlaunchcontrol.query_cancel.";
  const auto out = runBody<std::uint32_t>(
      ".reg .b128 %q; mov.u32 %r1, answer; mov.u32 %r2, bar; setp.ne.u32 %p1, %r90, 0; @%p1 bra E; "
      "mov.u32 %r3, 9; st.shared.u32 [%r1], %r3; mbarrier.init.shared.b64 [%r2], 1; "
      "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 16; "
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], "
      "[%r2]; W: mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0; @!%p2 bra W; "
      "ld.shared.b128 %q, [%r1]; " +
          query + "is_canceled.pred.b128 %p3, %q; selp.u32 %r4, 7, 5, %p3; " + query +
          "get_first_ctaid.v4.b32.b128 {%r5, %r6, %r7, _}, %q; " + query +
          "get_first_ctaid::y.b32.b128 %r8, %q; st.global.u32 [%rd91], %r4; "
          "st.global.u32 [%rd91+4], %r5; st.global.u32 [%rd91+8], %r8; E:",
      3, {}, ".shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;");
  BOOST_TEST(out == (std::vector<std::uint32_t>{5, 0, 0}), boost::test_tools::per_element());
  refuses(query + "is_canceled.pred.b128 %p1, %rd1;", "expected a register of type .b128");
  refuses("clusterlaunchcontrol.cancel;", "expected .try_cancel or .query_cancel");
}

// CTAs that go on with the work of those which have not begun: each index is done once, by as many
// CTAs as threads run them.
BOOST_DATA_TEST_CASE(each_cta_is_taken_once, bdata::xrange(1U, 4U), jobs) {
  const std::string query = "clusterlaunchcontrol.query_cancel.";
  RunOptions options;
  options.grid = {20, 10, 5};
  options.executor.jobs = jobs;
  const auto out = runBody<std::uint32_t>(
      ".reg .b128 %q; mov.u32 %r1, answer; mov.u32 %r2, bar; mov.u32 %r3, 0; mov.u32 %r5, "
      "%ctaid.x; mov.u32 %r6, %ctaid.y; mov.u32 %r7, %ctaid.z; setp.eq.u32 %p1, %r90, 0; "
      "@%p1 mbarrier.init.shared.b64 [%r2], 1; bar.sync 0; "
      "N: @!%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 16; "
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], "
      "[%r2]; mad.lo.u32 %r8, %r7, 10, %r6; mad.lo.u32 %r8, %r8, 20, %r5; mad.wide.u32 %rd1, %r8, "
      "4, %rd91; red.global.add.u32 [%rd1], 1; "
      "W: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], %r3; @!%p2 bra W; xor.b32 %r3, %r3, 1; "
      "ld.shared.b128 %q, [%r1]; bar.sync 0; " +
          query + "is_canceled.pred.b128 %p3, %q; @%p3 " + query +
          "get_first_ctaid.v4.b32.b128 {%r5, %r6, %r7, _}, %q; @%p3 bra N;",
      1000, options, ".shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;");
  BOOST_TEST(out == std::vector<std::uint32_t>(1000, 1), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
