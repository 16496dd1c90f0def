// Rounding to nearest, towards zero, down and up, of single numbers and of pairs (.f32x2): against
// the host's arithmetic in the same mode.
#include <cfenv>

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Direction {
  std::string name;
  int mode;
};
const Direction kDirections[] = {
    {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};

/// Computes in a rounding of the host. The compiler does not see the function that it calls, so it
/// cannot move the arithmetic out of the mode.
template <class T, class... A>
T rounded(int mode, T (*f)(A...), A... x) {
  T (*volatile opaque)(A...) = f;
  std::fesetround(mode);
  const T result = opaque(x...);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T, class... A>
void check(const std::string& name, T (*f)(A...)) {
  for (const Direction& direction : kDirections)
    checkUniform(name + direction.name, sizeof(T) == 4 ? "f32" : "f64",
                 [=](A... x) { return rounded(direction.mode, f, x...); });
}

template <class T>
void checkArithmetic() {
  check(
      "add", +[](T a, T b) { return a + b; });
  check(
      "sub", +[](T a, T b) { return a - b; });
  check(
      "mul", +[](T a, T b) { return a * b; });
  check(
      "div", +[](T a, T b) { return a / b; });
  check(
      "fma", +[](T a, T b, T c) { return std::fma(a, b, c); });
  check(
      "rcp", +[](T a) { return 1 / a; });
}

/// Checks conversions; `from` is the type of the instruction that T stands for.
template <class To, class From>
void checkConversion(const std::string& from) {
  const std::string to = sizeof(To) == 4 ? "f32" : "f64";
  for (const Direction& direction : kDirections)
    checkOperation("cvt" + direction.name + "." + to + "." + from + " " + to + ", " + from,
                   [=](From x) {
                     To (*const convert)(From) = [](From value) { return static_cast<To>(value); };
                     return rounded(direction.mode, convert, x);
                   });
}

float flushIf(bool flush, float x) {
  return flush && std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}

template <class>
using WordOf = Word;

template <class... A>
void checkPair(const std::string& opcode, int mode, bool flush, float (*f)(A...)) {
  checkOperation(
      uniform(opcode + (flush ? ".ftz.f32x2" : ".f32x2"), "b64", sizeof...(A)),
      [=](WordOf<A>... words) {
        Word both = 0;
        for (const unsigned shift : {0U, 32U}) {
          const float value = rounded(mode, f, flushIf(flush, as<float>(words >> shift))...);
          both |= outcome(flushIf(flush, value)) << shift;
        }
        return both;
      },
      "f32x2");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rounding)

BOOST_AUTO_TEST_CASE(single) {
  checkArithmetic<float>();
}

BOOST_AUTO_TEST_CASE(doubles) {
  checkArithmetic<double>();
}

BOOST_AUTO_TEST_CASE(roots) {
  check(
      "sqrt", +[](float a) { return std::sqrt(a); });
}

BOOST_AUTO_TEST_CASE(conversions) {
  checkConversion<float, std::uint32_t>("u32");
  checkConversion<float, std::int32_t>("s32");
  checkConversion<float, std::uint64_t>("u64");
  checkConversion<float, std::int64_t>("s64");
  checkConversion<float, double>("f64");
  checkConversion<double, std::uint64_t>("u64");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(float_pairs)

BOOST_AUTO_TEST_CASE(both_halves_in_all_roundings) {
  const auto add = +[](float a, float b) { return a + b; };
  for (const Direction& direction : kDirections) {
    for (const bool flush : {false, true}) {
      const auto check = [&](const std::string& name, auto f) {
        checkPair(name + direction.name, direction.mode, flush, f);
      };
      check("add", add);
      check(
          "sub", +[](float a, float b) { return a - b; });
      check(
          "mul", +[](float a, float b) { return a * b; });
      check(
          "fma", +[](float a, float b, float c) { return std::fma(a, b, c); });
    }
  }
  checkPair("add", FE_TONEAREST, false, add);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const auto refused = [](const std::string& statement) {
    return parseError(kernelText(statement));
  };
  for (const char* statement :
       {"add.sat.f32x2 %rd1, %rd2, %rd3;", "fma.f32x2 %rd1, %rd2, %rd3, %rd4;",
        "add.f32x2 %fd1, %fd2, %fd3;", "add.f32x2 %r1, %r2, %r3;", "div.rn.f32x2 %rd1, %rd2, %rd3;",
        "min.f32x2 %rd1, %rd2, %rd3;", "mov.f32x2 %rd1, %rd2;", "add.f32x2 %rd1, %rd2, 1;",
        "ld.global.f32x2 %rd1, [%rd2];", "selp.f32x2 %rd1, %rd2, %rd3, %p1;",
        "cvt.f32x2.f32 %rd1, %f1;", "setp.lt.f32x2 %p1, %rd2, %rd3;", ".reg .f32x2 %x<2>;"})
    BOOST_TEST(refused(statement) != "", statement);
  expect(refused("add.f32x2 %fd1, %fd2, %fd3;"), {"of type .f64 in 'add.f32x2'; expected .b64"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
