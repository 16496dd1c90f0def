// Floating point rounded to nearest, against host arithmetic, 113-bit arithmetic and closed forms.

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

__extension__ typedef __float128 Quad;

float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}
float clamp01(float x) {
  return std::isnan(x) || x <= 0 ? 0.0F : x >= 1 ? 1.0F : x;
}

/// Returns the oracle of an f32 operation that flushes (.ftz) or saturates (.sat).
Oracle varied(const Oracle& plain, bool ftz, bool sat) {
  return [=](const std::vector<std::string>& types, const Word* sources) {
    std::vector<Word> in(sources, sources + types.size());
    for (Word& each : in)
      if (ftz) each = bits(flush(as<float>(each)));
    float value = as<float>(plain(types, in.data()));
    if (ftz) value = flush(value);
    return outcome(sat ? clamp01(value) : value);
  };
}

/// Checks the f32 operation in its variants: plain, .ftz, and if it saturates .sat, .ftz.sat.
template <class F>
void checkVariants(const std::string& name, const F& formula, bool saturates = false) {
  for (const bool ftz : {false, true}) {
    for (const bool sat : {false, true}) {
      if (sat && !saturates) continue;
      const std::string opcode = name + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32";
      checkOperation(Operation{uniform(opcode, "f32", Signature<F>::kSources),
                               varied(oracleOf(formula), ftz, sat)});
    }
  }
}

/// Returns a * b + c rounded once. The 113-bit sum may lose bits that decide a tie of floats.
float fusedOracle(float a, float b, float c) {
  const Quad product = static_cast<Quad>(a) * b;
  const Quad sum = product + c;
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return static_cast<float>(sum);
  if (sum == 0)
    return product == 0 && c == 0 ? static_cast<float>(static_cast<float>(a * b) + c) : 0.0F;
  // The lost bits, computed exactly (two-sum), break the tie.
  const Quad lost = (product - (sum - (sum - product))) + (c - (sum - product));
  float nearest = static_cast<float>(sum);
  if (lost != 0 && std::isfinite(nearest)) {
    const float up = std::nextafter(nearest, INFINITY), down = std::nextafter(nearest, -INFINITY);
    if ((static_cast<Quad>(nearest) + up) / 2 == sum && lost > 0) nearest = up;
    if ((static_cast<Quad>(nearest) + down) / 2 == sum && lost < 0) nearest = down;
  }
  return nearest;
}

/// The lesser or the greater number: a NaN loses, and -0 is less than 0.
template <class T>
T least(T a, T b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
template <class T>
T greatest(T a, T b) {
  return -least(-a, -b);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(floats)

BOOST_AUTO_TEST_CASE(single_arithmetic) {
  const auto sum = [](float a, float b) { return a + b; };
  checkVariants("add", sum, true);
  checkVariants("add.rn", sum, true);
  checkVariants(
      "sub", [](float a, float b) { return a - b; }, true);
  checkVariants(
      "mul", [](float a, float b) { return a * b; }, true);
  checkVariants("div.rn", [](float a, float b) { return a / b; });
  checkVariants("sqrt.rn", [](float a) { return std::sqrt(a); });
  checkVariants("rcp.rn", [](float a) { return 1.0F / a; });
}

BOOST_AUTO_TEST_CASE(single_fused) {
  checkVariants("fma.rn", &fusedOracle, true);
  checkVariants("mad.rn", &fusedOracle, true);
  // The last bit of a 48-bit product decides: (1 + 2^-12)(1 + 2^-12) - (1 + 2^-11) = 2^-24.
  const auto out = runBody<float>(
      "mov.f32 %f1, 0f3F800800; mov.f32 %f2, 0fBF801000; fma.rn.f32 %f3, %f1, %f1, %f2; "
      "st.global.f32 [%rd91], %f3;",
      1);
  BOOST_TEST(out[0] == 0x1p-24F);
}

BOOST_AUTO_TEST_CASE(single_minimum_and_sign) {
  const auto nanWins = [](float (*choose)(float, float)) {
    return [=](float a, float b) { return std::isnan(a) || std::isnan(b) ? NAN : choose(a, b); };
  };
  checkVariants("min", &least<float>);
  checkVariants("max", &greatest<float>);
  checkVariants("min.NaN", nanWins(least<float>));
  checkVariants("max.NaN", nanWins(greatest<float>));
  const Word sign = 0x80000000;
  checkUniform("neg", "f32", [=](Word a) { return a ^ sign; });
  checkUniform("abs", "f32", [=](Word a) { return a & ~sign; });
  checkUniform("abs.ftz", "f32", [=](float a) { return bits(flush(a)) & ~sign; });
  checkUniform("neg.ftz", "f32", [=](float a) { return bits(flush(a)) ^ sign; });
  checkUniform("copysign", "f32", [=](Word a, Word b) { return (b & ~sign) | (a & sign); });
}

BOOST_AUTO_TEST_CASE(double_arithmetic) {
  checkUniform("add", "f64", [](double a, double b) { return a + b; });
  checkUniform("sub.rn", "f64", [](double a, double b) { return a - b; });
  checkUniform("mul", "f64", [](double a, double b) { return a * b; });
  checkUniform("div.rn", "f64", [](double a, double b) { return a / b; });
  checkUniform("fma.rn", "f64", [](double a, double b, double c) { return std::fma(a, b, c); });
  checkUniform("sqrt.rn", "f64", [](double a) { return std::sqrt(a); });
  checkUniform("rcp.rn", "f64", [](double a) { return 1.0 / a; });
  const Word sign = Word{1} << 63;
  checkUniform("neg", "f64", [=](Word a) { return a ^ sign; });
  checkUniform("abs", "f64", [=](Word a) { return a & ~sign; });
  checkUniform("copysign", "f64", [](double a, double b) { return std::copysign(b, a); });
  checkUniform("min", "f64", &least<double>);
  checkUniform("max", "f64", &greatest<double>);
  // (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104; rounding twice would lose it.
  const auto out = runBody<double>(
      "mov.f64 %fd1, 0d3FF0000000000001; mov.f64 %fd2, 0dBFF0000000000002; fma.rn.f64 %fd3, %fd1, "
      "%fd1, %fd2; st.global.f64 [%rd91], %fd3;",
      1);
  BOOST_TEST(out[0] == 0x1p-104);
}

// The documented error: at most 1 unit in the last place of f32 from the exact value.
BOOST_AUTO_TEST_CASE(approximate_functions) {
  const auto one = [](const std::string& name, double (*f)(double)) {
    const auto value = [=](float a) { return static_cast<float>(f(static_cast<double>(a))); };
    checkUniform(name + ".approx", "f32", value, "", 1);
    checkUniform(
        name + ".approx.ftz", "f32", [=](float a) { return flush(value(flush(a))); }, "", 1);
  };
  one("sin", [](double x) { return std::sin(x); });
  one("cos", [](double x) { return std::cos(x); });
  one("ex2", [](double x) { return std::exp2(x); });
  one("lg2", [](double x) { return std::log2(x); });
  one("sqrt", [](double x) { return std::sqrt(x); });
  one("rsqrt", [](double x) { return 1.0 / std::sqrt(x); });
  one("rcp", [](double x) { return 1.0 / x; });
  const auto full = [](float a, float b) {
    return static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
  };
  checkUniform("div.full", "f32", full, "", 1);
  // A divisor above 2^126 gives 0, or NaN if the dividend is infinite.
  checkUniform(
      "div.approx", "f32",
      [=](float x, float y) {
        if (!std::isfinite(y) || std::fabs(y) <= 0x1p126F || std::isnan(x)) return full(x, y);
        if (std::isinf(x)) return std::nanf("");
        return std::signbit(x) != std::signbit(y) ? -0.0F : 0.0F;
      },
      "", 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
