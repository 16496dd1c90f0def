// f16 and bf16, with every value: results are the nearest ones, found by search.

#include "tests/ptx/half_values.h"
#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {
/// Returns a * b + c rounded once, with NaN and the sign of zero by IEEE 754.
Word fused(const Values& format, double a, double b, double c) {
  const double plain = std::fma(a, b, c);
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c))
    return format.nearest(plain, 0, 'n', false);
  const Quad product = static_cast<Quad>(a) * static_cast<Quad>(b);
  const Quad sum = product + static_cast<Quad>(c);
  const Quad fromC = sum - product;
  const Quad error = (product - (sum - fromC)) + (static_cast<Quad>(c) - fromC);
  return format.nearest(sum, error, 'n', std::signbit(plain));
}

Word flushed(const Values& format, Word half) {
  return std::fabs(format.of(half)) < (&format == &values("f16") ? 0x1p-14 : 0x1p-126)
             ? half & 0x8000U
             : half;
}

using HalfOracle = std::function<Word(Word a, Word b, Word c)>;

/// Checks the operation on one value and on a pair of values.
void check(const std::string& opcode, const std::string& type, unsigned sources,
           const HalfOracle& oracle) {
  const auto low = [&](Word a, Word b, Word c) {
    return oracle(a & 0xffff, b & 0xffff, c & 0xffff);
  };
  const auto both = [=](Word a, Word b, Word c) {
    return low(a, b, c) | low(a >> 16, b >> 16, c >> 16) << 16;
  };
  const std::string name = opcode + "." + type;
  checkOperation(Operation{uniform(name, "b16", sources), oracleOf(low)});
  checkOperation(Operation{uniform(name + "x2", "b32", sources), oracleOf(both)});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(halves)

BOOST_AUTO_TEST_CASE(sums_and_products) {
  for (const std::string type : {"f16", "bf16"}) {
    const Values& format = values(type);
    const auto of = [&](Word half) { return format.of(half); };
    const Word one = type == "f16" ? 0x3c00 : 0x3f80;
    const auto add = [&](Word a, Word b, Word) { return fused(format, of(a), 1.0, of(b)); };
    const auto fma = [&](Word a, Word b, Word c) { return fused(format, of(a), of(b), of(c)); };
    check("add", type, 2, add);
    check("sub.rn", type, 2,
          [&](Word a, Word b, Word) { return fused(format, of(a), 1.0, -of(b)); });
    check("mul", type, 2, [&](Word a, Word b, Word) {
      return fused(format, of(a), of(b), std::signbit(of(a)) != std::signbit(of(b)) ? -0.0 : 0.0);
    });
    check("fma.rn", type, 3, fma);
    check("fma.rn.relu", type, 3, [&](Word a, Word b, Word c) {
      const Word value = fma(a, b, c);
      return !format.isNan(value) && (value & 0x8000U) != 0 ? 0 : value;
    });
    if (type != "f16") continue;  // bf16 lacks the rest
    check("add.sat", type, 2,
          [&](Word a, Word b, Word) { return saturated(format, add(a, b, 0), one); });
    const auto flushedFma = [&](Word a, Word b, Word c) {
      return flushed(format, fma(flushed(format, a), flushed(format, b), flushed(format, c)));
    };
    check("fma.rn.ftz", type, 3, flushedFma);
    check("fma.rn.ftz.sat", type, 3,
          [&](Word a, Word b, Word c) { return saturated(format, flushedFma(a, b, c), one); });
    check("mul.ftz.sat", type, 2, [&](Word a, Word b, Word) {
      const Word product = fused(format, of(flushed(format, a)), of(flushed(format, b)), 0.0);
      return saturated(format, flushed(format, product), one);
    });
  }
}

BOOST_AUTO_TEST_CASE(signs_and_extremes) {
  for (const std::string type : {"f16", "bf16"}) {
    const Values& format = values(type);
    check("neg", type, 1, [](Word a, Word, Word) { return a ^ 0x8000U; });
    check("abs", type, 1, [](Word a, Word, Word) { return a & 0x7fffU; });
    const auto extreme = [&](Word a, Word b, bool larger, bool nan) -> Word {
      if (format.isNan(a) && format.isNan(b)) return 0x7fff;
      if (format.isNan(a) || format.isNan(b)) return nan ? 0x7fff : format.isNan(a) ? b : a;
      const double x = format.of(a), y = format.of(b);
      if (x == y) return (a & 0x8000U) != 0 ? (larger ? b : a) : (larger ? a : b);
      return (x > y) == larger ? a : b;
    };
    check("min", type, 2, [&](Word a, Word b, Word) { return extreme(a, b, false, false); });
    check("max", type, 2, [&](Word a, Word b, Word) { return extreme(a, b, true, false); });
    check("max.NaN", type, 2, [&](Word a, Word b, Word) { return extreme(a, b, true, true); });
    check("min.xorsign.abs", type, 2, [&](Word a, Word b, Word) {
      const Word value = extreme(a & 0x7fffU, b & 0x7fffU, false, false);
      return format.isNan(a) && format.isNan(b) ? value : value | ((a ^ b) & 0x8000U);
    });
  }
}

BOOST_AUTO_TEST_CASE(functions) {
  for (const std::string type : {"f16", "bf16"}) {
    const Values& format = values(type);
    check("ex2.approx" + std::string(type == "f16" ? "" : ".ftz"), type, 1,
          [&](Word a, Word, Word) {
            const Word from = type == "f16" ? a : flushed(format, a);
            const Word value =
                format.nearest(static_cast<Quad>(std::exp2(format.of(from))), 0, 'n', false);
            return type == "f16" ? value : flushed(format, value);
          });
    check("tanh.approx", type, 1, [&](Word a, Word, Word) {
      const double value = std::tanh(format.of(a));
      return format.nearest(static_cast<Quad>(value), 0, 'n', std::signbit(value));
    });
  }
}

BOOST_AUTO_TEST_CASE(comparisons) {
  const Values& f16 = values("f16");
  const auto less = [&](Word a, Word b) { return f16.of(a & 0xffff) < f16.of(b & 0xffff); };
  checkOperation("setp.lt.f16 pred, b16, b16", less);
  checkOperation("setp.geu.and.bf16 pred, b16, b16, pred", [](Word a, Word b, bool p) {
    return !(values("bf16").of(a) < values("bf16").of(b)) && p;
  });
  checkOperation("set.lt.u32.f16 b32, b16, b16",
                 [=](Word a, Word b) { return less(a, b) ? -1 : 0; });
  const auto pair = [=](Word yes) {
    return [=](Word a, Word b) {
      return (less(a, b) ? yes : 0) | (less(a >> 16, b >> 16) ? yes << 16 : 0);
    };
  };
  checkOperation("set.lt.f16x2.f16x2 b32, b32, b32", pair(0x3c00));
  checkOperation("set.lt.u32.f16x2 b32, b32, b32", pair(0xffff));
  // Each half of a pair has its own predicate: 1.0 < 2.0, and not 2.0 < NaN. With a single half,
  // the second predicate is the opposite of the first.
  const auto out = runBody<std::uint32_t>(
      "mov.b32 %r1, 0x40003c00; mov.b32 %r2, 0x7fff4000; setp.lt.f16x2 %p1|%p2, %r1, %r2; mov.b32 "
      "{%rs1, %rs2}, %r1; setp.lt.f16 %p3|%p4, %rs1, %rs2; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, "
      "2, 0, %p2; selp.b32 %r5, 4, 0, %p3; selp.b32 %r6, 8, 0, %p4; or.b32 %r3, %r3, %r4; or.b32 "
      "%r5, %r5, %r6; or.b32 %r3, %r3, %r5; st.global.u32 [%rd91], %r3;",
      1);
  BOOST_TEST(out[0] == 5U);
}

BOOST_AUTO_TEST_CASE(atomics) {
  const auto out = runBody<std::uint32_t>(R"(
mov.b32 %r1, 0x40003c00; mov.b16 %rs1, 0x3c00; mov.b16 %rs3, 0x4000;
atom.global.add.noftz.f16x2 %r2, [%rd91], %r1; red.global.add.noftz.f16 [%rd91+4], %rs1;
atom.add.noftz.bf16 %rs2, [%rd91+10], %rs3; mov.b32 %r4, 0x40003f80; atom.global.add.noftz.bf16x2 %r3, [%rd91+12], %r4;
setp.ne.u32 %p1, %r90, 31; @%p1 exit; st.global.u32 [%rd91+16], %r2; st.global.u16 [%rd91+20], %rs2;)",
                                          6);
  BOOST_TEST(out[0] == 0x54005000U);  // 64, 32
  BOOST_TEST(out[1] == 0x5000U);
  BOOST_TEST(out[2] == 0x42800000U);  // bf16 64 in the upper half
  BOOST_TEST(out[3] == 0x42804200U);
  BOOST_TEST(out[4] == 0x53c04fc0U);  // before the last lane: 62, 31
  BOOST_TEST(out[5] == 0x4278U);
}

// The toolkit's headers keep halves in registers of .f16, packed and unpacked.
BOOST_AUTO_TEST_CASE(registers_of_the_type) {
  const auto out = runBody<std::uint32_t>(R"(
{ .reg .f16 low, high; .reg .f16x2 pair; mov.b32 pair, 0x44003c00; mov.b32 {low, high}, pair; add.f16 low, low, high; mov.b32 %r1, {high, low};
  st.global.b16 [%rd91+4], low; fma.rn.f16x2 pair, pair, pair, pair; st.global.b32 [%rd91+8], pair; }
st.global.u32 [%rd91], %r1;)",
                                          3);
  BOOST_TEST(out[0] == 0x45004400U);
  BOOST_TEST(out[1] == 0x4500U);
  BOOST_TEST(out[2] == 0x4d004000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
