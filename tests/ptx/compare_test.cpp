// setp, set, selp, slct, testp.

#include "tests/ptx/operation.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

template <class T>
bool holds(const std::string& name, T a, T b) {
  if (name == "eq" || name == "equ") return a == b;
  if (name == "ne" || name == "neu") return a != b;
  if (name == "lt" || name == "lo" || name == "ltu") return a < b;
  if (name == "le" || name == "ls" || name == "leu") return a <= b;
  if (name == "gt" || name == "hi" || name == "gtu") return a > b;
  if (name == "ge" || name == "hs" || name == "geu") return a >= b;
  return name == "num";
}

bool holdsFloat(const std::string& name, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (!unordered) return holds(name, a, b);
  return name == "nan" || (name.size() == 3 && name[2] == 'u');
}

float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? 0.0F : x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparisons)

BOOST_AUTO_TEST_CASE(integers) {
  const auto check = [](const std::string& name, const std::string& type) {
    checkOperation("setp." + name + "." + type + " pred, " + type + ", " + type,
                   [=](Wide a, Wide b) { return holds(name, a, b); });
  };
  for (const std::string type : {"u16", "s16", "u32", "s32", "u64", "s64"}) {
    for (const std::string name : {"eq", "ne", "lt", "le", "gt", "ge"}) check(name, type);
    if (type[0] != 'u') continue;
    for (const std::string name : {"lo", "ls", "hi", "hs"}) check(name, type);
  }
  for (const std::string type : {"b16", "b32", "b64"}) {
    for (const std::string name : {"eq", "ne"}) check(name, type);
  }
}

BOOST_AUTO_TEST_CASE(floats) {
  for (const std::string name : {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu",
                                 "gtu", "geu", "num", "nan"}) {
    checkOperation("setp." + name + ".f32 pred, f32, f32",
                   [=](float a, float b) { return holdsFloat(name, a, b); });
    checkOperation("setp." + name + ".ftz.f32 pred, f32, f32",
                   [=](float a, float b) { return holdsFloat(name, flush(a), flush(b)); });
    checkOperation("setp." + name + ".f64 pred, f64, f64",
                   [=](double a, double b) { return holdsFloat(name, a, b); });
  }
}

BOOST_AUTO_TEST_CASE(combined_with_a_predicate) {
  const auto check = [](const std::string& name, bool (*join)(bool, bool)) {
    checkOperation("setp.lt." + name + ".s32 pred, s32, s32, pred",
                   [=](Wide a, Wide b, bool p) { return join(a < b, p); });
  };
  check("and", [](bool less, bool p) { return less && p; });
  check("or", [](bool less, bool p) { return less || p; });
  check("xor", [](bool less, bool p) { return less != p; });
}

BOOST_AUTO_TEST_CASE(set_writes_masks_and_ones) {
  checkOperation("set.lt.u32.s32 u32, s32, s32", [](Wide a, Wide b) { return a < b ? -1 : 0; });
  checkOperation("set.geu.f32.f32 f32, f32, f32",
                 [](float a, float b) { return holdsFloat("geu", a, b) ? 1.0F : 0.0F; });
  checkOperation("set.eq.and.s32.u64 s32, u64, u64, pred",
                 [](Word a, Word b, bool p) { return a == b && p ? -1 : 0; });
}

BOOST_AUTO_TEST_CASE(selections) {
  const auto select = [](const std::string& type) {
    checkOperation("selp." + type + " " + type + ", " + type + ", " + type + ", pred",
                   [](Word a, Word b, bool p) { return p ? a : b; });
  };
  for (const std::string type : {"b16", "b32", "b64", "u32", "s32", "s64"}) {
    select(type);
    checkOperation("slct." + type + ".s32 " + type + ", " + type + ", " + type + ", s32",
                   [](Word a, Word b, Wide c) { return c >= 0 ? a : b; });
  }
  select("f32");
  select("f64");
  checkOperation("slct.f32.f32 f32, f32, f32, f32",
                 [](Word a, Word b, float c) { return c >= 0 ? a : b; });
  checkOperation("slct.ftz.u32.f32 u32, u32, u32, f32",
                 [](Word a, Word b, float c) { return flush(c) >= 0 ? a : b; });
}

BOOST_AUTO_TEST_CASE(properties) {
  const auto test = [](const std::string& name, bool (*single)(float), bool (*twice)(double)) {
    checkOperation("testp." + name + ".f32 pred, f32", single);
    checkOperation("testp." + name + ".f64 pred, f64", twice);
  };
  test(
      "finite", [](float x) { return x - x == 0; }, [](double x) { return x - x == 0; });
  test(
      "infinite", [](float x) { return std::isinf(x); }, [](double x) { return std::isinf(x); });
  test(
      "number", [](float x) { return x == x; }, [](double x) { return x == x; });
  test(
      "notanumber", [](float x) { return x != x; }, [](double x) { return x != x; });
  test(
      "normal", [](float x) { return std::isnormal(x); },
      [](double x) { return std::isnormal(x); });
  test(
      "subnormal", [](float x) { return x != 0 && std::fabs(x) < 0x1p-126F; },
      [](double x) { return x != 0 && std::fabs(x) < 0x1p-1022; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
