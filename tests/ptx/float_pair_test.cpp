// add sub mul fma of .f32x2: each half against host arithmetic in the same rounding.
#include <boost/test/unit_test.hpp>
#include <cfenv>
#include <cmath>

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

float flushIf(bool flush, float x) {
  return flush && std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}

/// Computes in a rounding of the host. volatile keeps the arithmetic between both changes.
float rounded(const std::string& name, int rounding, float a, float b, float c) {
  const volatile float x = a, y = b, z = c;
  std::fesetround(rounding);
  const volatile float result = name == "add"   ? x + y
                                : name == "sub" ? x - y
                                : name == "mul" ? x * y
                                                : std::fma(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

struct Rounded {
  std::string modifier;
  int rounding;
};

void check(const std::string& name, const Rounded& how, bool flush) {
  const std::string opcode = name + how.modifier + (flush ? ".ftz" : "") + ".f32x2";
  const auto pair = [=](Word a, Word b, Word c) {
    Word both = 0;
    for (const unsigned shift : {0U, 32U}) {
      const auto half = [&](Word word) {
        return flushIf(flush, as<float>(word >> shift & 0xffffffff));
      };
      both |= outcome(flushIf(flush, rounded(name, how.rounding, half(a), half(b), half(c))))
              << shift;
    }
    return both;
  };
  checkOperation({uniform(opcode, "b64", name == "fma" ? 3 : 2), oracleOf(pair)}, "f32x2");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(float_pairs)

BOOST_AUTO_TEST_CASE(both_halves_in_all_roundings) {
  for (const Rounded& how : {Rounded{".rn", FE_TONEAREST}, Rounded{".rz", FE_TOWARDZERO},
                             Rounded{".rm", FE_DOWNWARD}, Rounded{".rp", FE_UPWARD}}) {
    for (const bool flush : {false, true}) {
      for (const std::string name : {"add", "sub", "mul", "fma"}) check(name, how, flush);
    }
  }
  check("add", {"", FE_TONEAREST}, false);
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
  const std::string wrong = refused("add.f32x2 %fd1, %fd2, %fd3;");
  BOOST_TEST(wrong.find("of type .f64 in 'add.f32x2'; expected .b64") != std::string::npos, wrong);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
