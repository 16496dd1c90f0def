// cvt between all types, against 128-bit integers and 113-bit floats.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint64_t;
__extension__ typedef __int128 Wide;

unsigned widthOf(const std::string& type) {
  return static_cast<unsigned>(std::stoul(type.substr(1)));
}

Wide valueOf(const std::string& type, Word raw) {
  const unsigned width = widthOf(type);
  if (width < 64) raw &= (Word{1} << width) - 1;
  const bool negative = type[0] == 's' && (raw >> (width - 1) & 1U) != 0;
  return static_cast<Wide>(raw) - (negative ? static_cast<Wide>(1) << width : 0);
}
Wide lowest(const std::string& type) {
  return type[0] == 's' ? -(static_cast<Wide>(1) << (widthOf(type) - 1)) : 0;
}
Wide highest(const std::string& type) {
  return (static_cast<Wide>(1) << (widthOf(type) - (type[0] == 's' ? 1 : 0))) - 1;
}
Wide clamped(const std::string& type, Wide value) {
  return value < lowest(type) ? lowest(type) : value > highest(type) ? highest(type) : value;
}

/// Returns the register type for a type: 8-bit values are held in 32-bit registers.
std::string held(const std::string& type) {
  return widthOf(type) == 8 ? "b32" : type;
}

/// Returns the register's content for a result: 8-bit results are extended.
Word stored(const std::string& type, Wide value) {
  const Wide wrapped = valueOf(type, static_cast<Word>(value));
  return static_cast<Word>(wrapped);
}

const std::vector<std::string> kIntegers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

double rounded(char mode, double x) {
  return mode == 'n'   ? std::nearbyint(x)
         : mode == 'z' ? std::trunc(x)
         : mode == 'm' ? std::floor(x)
                       : std::ceil(x);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conversions)

BOOST_AUTO_TEST_CASE(between_integers) {
  for (const std::string& to : kIntegers) {
    for (const std::string& from : kIntegers) {
      BOOST_TEST_CONTEXT(to << " from " << from) {
        checkOperation({"cvt." + to + "." + from,
                        held(to),
                        {held(from)},
                        [=](Word a, Word, Word, Word) { return stored(to, valueOf(from, a)); }},
                       held(from));
        checkOperation(
            {"cvt.sat." + to + "." + from,
             held(to),
             {held(from)},
             [=](Word a, Word, Word, Word) { return stored(to, clamped(to, valueOf(from, a))); }},
            held(from));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(floats_to_integers) {
  for (const std::string& to : kIntegers) {
    for (const std::string from : {"f32", "f64"}) {
      for (const char mode : {'n', 'z', 'm', 'p'}) {
        const std::string opcode = std::string("cvt.r") + mode + "i." + to + "." + from;
        BOOST_TEST_CONTEXT(opcode) {
          checkOperation(
              {opcode,
               held(to),
               {from},
               [=](Word a, Word, Word, Word) {
                 const double x = from == "f32" ? static_cast<double>(as<float>(a)) : as<double>(a);
                 if (std::isnan(x)) {
                   const bool top = from == "f64" || widthOf(to) == 64;
                   return top ? stored(to, static_cast<Wide>(1) << (widthOf(to) - 1)) : 0;
                 }
                 if (std::fabs(x) > 1e25) return stored(to, x < 0 ? lowest(to) : highest(to));
                 return stored(to, clamped(to, static_cast<Wide>(rounded(mode, x))));
               }},
              from);
        }
      }
    }
  }
  checkOperation(
      {"cvt.rpi.ftz.s32.f32",
       "s32",
       {"f32"},
       [](Word a, Word, Word, Word) {
         const float x = as<float>(a);
         if (std::isnan(x) || std::fpclassify(x) == FP_SUBNORMAL) return Word{0};
         return stored(
             "s32", clamped("s32", std::fabs(x) > 1e20F ? (x < 0 ? lowest("s64") : highest("s64"))
                                                        : static_cast<Wide>(std::ceil(x))));
       }},
      "f32");
}

BOOST_AUTO_TEST_CASE(integers_to_floats) {
  for (const std::string& from : kIntegers) {
    // 80-bit floats hold any 64-bit integer, so each conversion rounds once.
    checkOperation({"cvt.rn.f32." + from,
                    "f32",
                    {held(from)},
                    [=](Word a, Word, Word, Word) {
                      return bits(static_cast<float>(static_cast<long double>(valueOf(from, a))));
                    }},
                   held(from));
    checkOperation({"cvt.rn.f64." + from,
                    "f64",
                    {held(from)},
                    [=](Word a, Word, Word, Word) {
                      return bits(static_cast<double>(static_cast<long double>(valueOf(from, a))));
                    }},
                   held(from));
  }
}

BOOST_AUTO_TEST_CASE(between_floats) {
  const auto result = [](float x) { return std::isnan(x) ? Word{0x7fffffff} : bits(x); };
  const auto clamp = [](float x) { return std::isnan(x) || x <= 0 ? 0.0F : x >= 1 ? 1.0F : x; };
  checkOperation(
      {"cvt.rn.f32.f64",
       "f32",
       {"f64"},
       [=](Word a, Word, Word, Word) { return result(static_cast<float>(as<double>(a))); }},
      "f64");
  checkOperation(
      {"cvt.f64.f32",
       "f64",
       {"f32"},
       [=](Word a, Word, Word, Word) { return bits(static_cast<double>(as<float>(a))); }},
      "f32");
  checkOperation({"cvt.sat.f32.f32",
                  "f32",
                  {"f32"},
                  [=](Word a, Word, Word, Word) { return bits(clamp(as<float>(a))); }},
                 "f32");
  checkOperation({"cvt.ftz.sat.f32.f32",
                  "f32",
                  {"f32"},
                  [=](Word a, Word, Word, Word) {
                    const float x = as<float>(a);
                    return bits(std::fpclassify(x) == FP_SUBNORMAL ? 0.0F : clamp(x));
                  }},
                 "f32");
  for (const char mode : {'n', 'z', 'm', 'p'}) {
    checkOperation(
        {std::string("cvt.r") + mode + "i.f32.f32",
         "f32",
         {"f32"},
         [=](Word a, Word, Word, Word) {
           return result(static_cast<float>(rounded(mode, static_cast<double>(as<float>(a)))));
         }},
        "f32");
    checkOperation({std::string("cvt.r") + mode + "i.f64.f64",
                    "f64",
                    {"f64"},
                    [=](Word a, Word, Word, Word) {
                      const double x = as<double>(a);
                      return bits(std::isnan(x) ? x + x : rounded(mode, x));
                    }},
                   "f64");
  }
}

// Registers may be wider than the types of the instruction.
BOOST_AUTO_TEST_CASE(wide_registers) {
  checkOperation({"cvt.s8.s32",
                  "b64",
                  {"b32"},
                  [](Word a, Word, Word, Word) { return stored("s8", valueOf("s8", a)); }},
                 "u32");
  checkOperation(
      {"cvt.u32.u16", "b64", {"b64"}, [](Word a, Word, Word, Word) { return a & 0xffff; }}, "u64");
  checkOperation({"cvt.s64.s32",
                  "b64",
                  {"b64"},
                  [](Word a, Word, Word, Word) { return stored("s32", valueOf("s32", a)); }},
                 "u64");
  checkOperation({"cvt.s16.s64",
                  "b32",
                  {"b64"},
                  [](Word a, Word, Word, Word) { return stored("s16", valueOf("s16", a)); }},
                 "u64");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
