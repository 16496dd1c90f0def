// Floating point rounded to nearest, against host arithmetic, 113-bit arithmetic and closed forms.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint64_t;
__extension__ typedef __float128 Quad;

float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}
Word result(float x) {
  return std::isnan(x) ? 0x7fffffff : bits(x);
}
float clamp01(float x) {
  return std::isnan(x) || x <= 0 ? 0.0F : x >= 1 ? 1.0F : x;
}

using Formula = std::function<float(float, float, float)>;

/// Checks the f32 operation in its variants: plain, .ftz, and if it saturates .sat, .ftz.sat.
void checkVariants(const std::string& name, unsigned sources, const Formula& formula,
                   bool saturates) {
  for (const bool ftz : {false, true}) {
    for (const bool sat : {false, true}) {
      if (sat && !saturates) continue;
      const std::string opcode = name + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32";
      BOOST_TEST_CONTEXT(opcode) {
        checkOperation({opcode, "f32", std::vector<std::string>(sources, "f32"),
                        [=](Word a, Word b, Word c, Word) {
                          float x = as<float>(a), y = as<float>(b), z = as<float>(c);
                          if (ftz) x = flush(x), y = flush(y), z = flush(z);
                          float value = formula(x, y, z);
                          if (ftz) value = flush(value);
                          return result(sat ? clamp01(value) : value);
                        }},
                       "f32");
      }
    }
  }
}

void checkDouble(const std::string& name, unsigned sources,
                 const std::function<double(double, double, double)>& formula) {
  checkOperation({name + ".f64", "f64", std::vector<std::string>(sources, "f64"),
                  [=](Word a, Word b, Word c, Word) {
                    const double value = formula(as<double>(a), as<double>(b), as<double>(c));
                    return bits(value);
                  }},
                 "f64");
}

/// Returns a * b + c rounded once. The 113-bit sum may lose bits that decide a tie of floats.
float fusedOracle(float a, float b, float c) {
  const Quad product = static_cast<Quad>(a) * b;
  const Quad sum = product + c;
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return a * b + c;
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

float minOracle(float a, float b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
float maxOracle(float a, float b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? b : a) : a < b ? b : a;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(floats)

BOOST_AUTO_TEST_CASE(single_arithmetic) {
  checkVariants(
      "add", 2, [](float a, float b, float) { return a + b; }, true);
  checkVariants(
      "add.rn", 2, [](float a, float b, float) { return a + b; }, true);
  checkVariants(
      "sub", 2, [](float a, float b, float) { return a - b; }, true);
  checkVariants(
      "mul", 2, [](float a, float b, float) { return a * b; }, true);
  checkVariants(
      "div.rn", 2, [](float a, float b, float) { return a / b; }, false);
  checkVariants(
      "sqrt.rn", 1, [](float a, float, float) { return std::sqrt(a); }, false);
  checkVariants(
      "rcp.rn", 1, [](float a, float, float) { return 1.0F / a; }, false);
}

BOOST_AUTO_TEST_CASE(single_fused) {
  checkVariants("fma.rn", 3, &fusedOracle, true);
  checkVariants("mad.rn", 3, &fusedOracle, true);
  // The last bit of a 48-bit product decides: (1 + 2^-12)(1 + 2^-12) - (1 + 2^-11) = 2^-24.
  const auto out = runBody<float>(
      "mov.f32 %f1, 0f3F800800; mov.f32 %f2, 0fBF801000; fma.rn.f32 %f3, %f1, %f1, %f2; "
      "st.global.f32 [%rd91], %f3;",
      std::vector<float>{}, 1);
  BOOST_TEST(out[0] == 0x1p-24F);
}

BOOST_AUTO_TEST_CASE(single_minimum_and_sign) {
  checkVariants(
      "min", 2, [](float a, float b, float) { return minOracle(a, b); }, false);
  checkVariants(
      "max", 2, [](float a, float b, float) { return maxOracle(a, b); }, false);
  const auto nanWins = [](float a, float b, float value) {
    return std::isnan(a) || std::isnan(b) ? NAN : value;
  };
  checkVariants(
      "min.NaN", 2, [=](float a, float b, float) { return nanWins(a, b, minOracle(a, b)); }, false);
  checkVariants(
      "max.NaN", 2, [=](float a, float b, float) { return nanWins(a, b, maxOracle(a, b)); }, false);
  checkOperation(
      {"neg.f32", "f32", {"f32"}, [](Word a, Word, Word, Word) { return a ^ 0x80000000; }}, "f32");
  checkOperation(
      {"abs.f32", "f32", {"f32"}, [](Word a, Word, Word, Word) { return a & 0x7fffffff; }}, "f32");
  checkOperation({"abs.ftz.f32",
                  "f32",
                  {"f32"},
                  [](Word a, Word, Word, Word) { return bits(flush(as<float>(a))) & 0x7fffffff; }},
                 "f32");
  checkOperation({"neg.ftz.f32",
                  "f32",
                  {"f32"},
                  [](Word a, Word, Word, Word) { return bits(flush(as<float>(a))) ^ 0x80000000; }},
                 "f32");
  checkOperation({"copysign.f32",
                  "f32",
                  {"f32", "f32"},
                  [](Word a, Word b, Word, Word) { return (b & 0x7fffffff) | (a & 0x80000000); }},
                 "f32");
}

BOOST_AUTO_TEST_CASE(double_arithmetic) {
  checkDouble("add", 2, [](double a, double b, double) { return a + b; });
  checkDouble("sub.rn", 2, [](double a, double b, double) { return a - b; });
  checkDouble("mul", 2, [](double a, double b, double) { return a * b; });
  checkDouble("div.rn", 2, [](double a, double b, double) { return a / b; });
  checkDouble("fma.rn", 3, [](double a, double b, double c) { return std::fma(a, b, c); });
  checkDouble("sqrt.rn", 1, [](double a, double, double) { return std::sqrt(a); });
  checkDouble("rcp.rn", 1, [](double a, double, double) { return 1.0 / a; });
  checkOperation(
      {"neg.f64", "f64", {"f64"}, [](Word a, Word, Word, Word) { return a ^ (Word{1} << 63); }},
      "f64");
  checkOperation(
      {"abs.f64", "f64", {"f64"}, [](Word a, Word, Word, Word) { return a & ~(Word{1} << 63); }},
      "f64");
  checkOperation({"copysign.f64",
                  "f64",
                  {"f64", "f64"},
                  [](Word a, Word b, Word, Word) {
                    return bits(std::copysign(as<double>(b), as<double>(a)));
                  }},
                 "f64");
  checkDouble("min", 2, [](double a, double b, double) {
    return std::isnan(a)   ? b
           : std::isnan(b) ? a
           : a == b        ? (std::signbit(a) ? a : b)
                           : std::min(a, b);
  });
  checkDouble("max", 2, [](double a, double b, double) {
    return std::isnan(a)   ? b
           : std::isnan(b) ? a
           : a == b        ? (std::signbit(a) ? b : a)
                           : std::max(a, b);
  });
  // (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104; rounding twice would lose it.
  const auto out = runBody<double>(
      "mov.f64 %fd1, 0d3FF0000000000001; mov.f64 %fd2, 0dBFF0000000000002; fma.rn.f64 %fd3, %fd1, "
      "%fd1, %fd2; st.global.f64 [%rd91], %fd3;",
      std::vector<double>{}, 1);
  BOOST_TEST(out[0] == 0x1p-104);
}

// The documented error: at most 1 unit in the last place of f32 from the exact value.
BOOST_AUTO_TEST_CASE(approximate_functions) {
  const auto one = [](const std::string& name, double (*f)(double)) {
    checkOperation({name + ".approx.f32",
                    "f32",
                    {"f32"},
                    [=](Word a, Word, Word, Word) {
                      return result(static_cast<float>(f(static_cast<double>(as<float>(a)))));
                    },
                    1},
                   "f32");
    checkOperation(
        {name + ".approx.ftz.f32",
         "f32",
         {"f32"},
         [=](Word a, Word, Word, Word) {
           return result(flush(static_cast<float>(f(static_cast<double>(flush(as<float>(a)))))));
         },
         1},
        "f32");
  };
  one("sin", [](double x) { return std::sin(x); });
  one("cos", [](double x) { return std::cos(x); });
  one("ex2", [](double x) { return std::exp2(x); });
  one("lg2", [](double x) { return std::log2(x); });
  one("sqrt", [](double x) { return std::sqrt(x); });
  one("rsqrt", [](double x) { return 1.0 / std::sqrt(x); });
  one("rcp", [](double x) { return 1.0 / x; });
  const auto full = [](Word a, Word b, Word, Word) {
    return result(
        static_cast<float>(static_cast<double>(as<float>(a)) / static_cast<double>(as<float>(b))));
  };
  checkOperation({"div.full.f32", "f32", {"f32", "f32"}, full, 1}, "f32");
  // A divisor above 2^126 gives 0, or NaN if the dividend is infinite.
  checkOperation({"div.approx.f32",
                  "f32",
                  {"f32", "f32"},
                  [=](Word a, Word b, Word c, Word d) {
                    const float x = as<float>(a), y = as<float>(b);
                    if (!std::isfinite(y) || std::fabs(y) <= 0x1p126F || std::isnan(x))
                      return full(a, b, c, d);
                    return std::isinf(x) ? Word{0x7fffffff}
                                         : bits(std::signbit(x) != std::signbit(y) ? -0.0F : 0.0F);
                  },
                  1},
                 "f32");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
