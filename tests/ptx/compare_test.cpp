// setp, set, selp, slct, testp.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/ptx/operation.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint64_t;
__extension__ typedef __int128 Wide;

Wide valueOf(const std::string& type, Word raw) {
  const unsigned width = static_cast<unsigned>(std::stoul(type.substr(1)));
  if (width < 64) raw &= (Word{1} << width) - 1;
  const bool negative = type[0] == 's' && (raw >> (width - 1) & 1U) != 0;
  return static_cast<Wide>(raw) - (negative ? static_cast<Wide>(1) << width : 0);
}

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

const std::vector<std::string> kOrdered = {"eq", "ne", "lt", "le", "gt", "ge"};

}  // namespace

BOOST_AUTO_TEST_SUITE(comparisons)

BOOST_AUTO_TEST_CASE(integers) {
  for (const std::string type : {"u16", "s16", "u32", "s32", "u64", "s64"}) {
    std::vector<std::string> names = kOrdered;
    if (type[0] == 'u') names.insert(names.end(), {"lo", "ls", "hi", "hs"});
    for (const std::string& name : names) {
      checkOperation({"setp." + name + "." + type,
                      "pred",
                      {type, type},
                      [=](Word a, Word b, Word, Word) {
                        return Word{holds(name, valueOf(type, a), valueOf(type, b))};
                      }},
                     type);
    }
  }
  for (const std::string type : {"b16", "b32", "b64"}) {
    checkOperation({"setp.eq." + type,
                    "pred",
                    {type, type},
                    [](Word a, Word b, Word, Word) { return Word{a == b}; }},
                   type);
    checkOperation({"setp.ne." + type,
                    "pred",
                    {type, type},
                    [](Word a, Word b, Word, Word) { return Word{a != b}; }},
                   type);
  }
}

BOOST_AUTO_TEST_CASE(floats) {
  const auto flush = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? 0.0F : x; };
  for (const std::string name : {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu",
                                 "gtu", "geu", "num", "nan"}) {
    checkOperation({"setp." + name + ".f32",
                    "pred",
                    {"f32", "f32"},
                    [=](Word a, Word b, Word, Word) {
                      return Word{holdsFloat(name, as<float>(a), as<float>(b))};
                    }},
                   "f32");
    checkOperation({"setp." + name + ".ftz.f32",
                    "pred",
                    {"f32", "f32"},
                    [=](Word a, Word b, Word, Word) {
                      return Word{holdsFloat(name, flush(as<float>(a)), flush(as<float>(b)))};
                    }},
                   "f32");
    checkOperation({"setp." + name + ".f64",
                    "pred",
                    {"f64", "f64"},
                    [=](Word a, Word b, Word, Word) {
                      return Word{holdsFloat(name, as<double>(a), as<double>(b))};
                    }},
                   "f64");
  }
}

BOOST_AUTO_TEST_CASE(combined_with_a_predicate) {
  for (const std::string boolean : {"and", "or", "xor"}) {
    checkOperation(
        {"setp.lt." + boolean + ".s32",
         "pred",
         {"s32", "s32", "pred"},
         [=](Word a, Word b, Word c, Word) {
           const bool less = valueOf("s32", a) < valueOf("s32", b), p = (c & 1) != 0;
           return Word{boolean == "and" ? less && p : boolean == "or" ? less || p : less != p};
         }},
        "s32");
  }
}

BOOST_AUTO_TEST_CASE(set_writes_masks_and_ones) {
  checkOperation({"set.lt.u32.s32",
                  "u32",
                  {"s32", "s32"},
                  [](Word a, Word b, Word, Word) {
                    return valueOf("s32", a) < valueOf("s32", b) ? Word{0xffffffff} : Word{0};
                  }},
                 "s32");
  checkOperation({"set.geu.f32.f32",
                  "f32",
                  {"f32", "f32"},
                  [](Word a, Word b, Word, Word) {
                    return holdsFloat("geu", as<float>(a), as<float>(b)) ? Word{0x3f800000}
                                                                         : Word{0};
                  }},
                 "f32");
  checkOperation({"set.eq.and.s32.u64",
                  "s32",
                  {"u64", "u64", "pred"},
                  [](Word a, Word b, Word c, Word) {
                    return a == b && (c & 1) != 0 ? Word{0xffffffff} : Word{0};
                  }},
                 "u64");
}

BOOST_AUTO_TEST_CASE(selections) {
  for (const std::string type : {"b16", "b32", "b64", "u32", "s32", "s64"}) {
    checkOperation({"selp." + type,
                    type,
                    {type, type, "pred"},
                    [](Word a, Word b, Word c, Word) { return (c & 1) != 0 ? a : b; }},
                   type);
    checkOperation(
        {"slct." + type + ".s32",
         type,
         {type, type, "s32"},
         [](Word a, Word b, Word c, Word) { return static_cast<std::int32_t>(c) >= 0 ? a : b; }},
        type);
  }
  checkOperation({"selp.f32",
                  "f32",
                  {"f32", "f32", "pred"},
                  [](Word a, Word b, Word c, Word) { return (c & 1) != 0 ? a : b; }},
                 "f32");
  checkOperation({"selp.f64",
                  "f64",
                  {"f64", "f64", "pred"},
                  [](Word a, Word b, Word c, Word) { return (c & 1) != 0 ? a : b; }},
                 "f64");
  checkOperation({"slct.f32.f32",
                  "f32",
                  {"f32", "f32", "f32"},
                  [](Word a, Word b, Word c, Word) { return as<float>(c) >= 0 ? a : b; }},
                 "f32");
  checkOperation({"slct.ftz.u32.f32",
                  "u32",
                  {"u32", "u32", "f32"},
                  [](Word a, Word b, Word c, Word) {
                    const float x = as<float>(c);
                    return std::fpclassify(x) == FP_SUBNORMAL || x >= 0 ? a : b;
                  }},
                 "u32");
}

BOOST_AUTO_TEST_CASE(properties) {
  const auto test = [](const std::string& name, bool (*single)(float), bool (*twice)(double)) {
    checkOperation({"testp." + name + ".f32",
                    "pred",
                    {"f32"},
                    [=](Word a, Word, Word, Word) { return Word{single(as<float>(a))}; }},
                   "f32");
    checkOperation({"testp." + name + ".f64",
                    "pred",
                    {"f64"},
                    [=](Word a, Word, Word, Word) { return Word{twice(as<double>(a))}; }},
                   "f64");
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
