// Integer arithmetic against 128-bit arithmetic.
#include <boost/test/unit_test.hpp>

#include "tests/ptx/operation.h"

namespace fermata::ptx::test {
namespace {

__extension__ typedef __int128 Wide;

/// Returns the value of `bits`, read as the named type.
Wide valueOf(const std::string& type, std::uint64_t raw) {
  const unsigned width = static_cast<unsigned>(std::stoul(type.substr(1)));
  if (width < 64) raw &= (std::uint64_t{1} << width) - 1;
  if (type[0] != 's') return static_cast<Wide>(raw);
  const bool negative = (raw >> (width - 1) & 1U) != 0;
  return static_cast<Wide>(raw) - (negative ? static_cast<Wide>(1) << width : 0);
}
unsigned widthOf(const std::string& type) {
  return static_cast<unsigned>(std::stoul(type.substr(1)));
}
std::uint64_t low(Wide value) {
  return static_cast<std::uint64_t>(value);
}

using Formula = std::function<Wide(Wide, Wide, Wide)>;

void check(const std::string& name, const std::vector<std::string>& types, unsigned sources,
           const Formula& formula) {
  for (const std::string& type : types) {
    BOOST_TEST_CONTEXT(name << "." << type) {
      checkOperation({name + "." + type, type, std::vector<std::string>(sources, type),
                      [=](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t) {
                        return low(formula(valueOf(type, a), valueOf(type, b), valueOf(type, c)));
                      }},
                     type);
    }
  }
}

const std::vector<std::string> kAll = {"u16", "s16", "u32", "s32", "u64", "s64"};
const std::vector<std::string> kSigned = {"s16", "s32", "s64"};

}  // namespace

BOOST_AUTO_TEST_SUITE(integers)

BOOST_AUTO_TEST_CASE(sums_and_products) {
  check("add", kAll, 2, [](Wide a, Wide b, Wide) { return a + b; });
  check("sub", kAll, 2, [](Wide a, Wide b, Wide) { return a - b; });
  check("mul.lo", kAll, 2, [](Wide a, Wide b, Wide) { return static_cast<Wide>(low(a) * low(b)); });
  check("mad.lo", kAll, 3,
        [](Wide a, Wide b, Wide c) { return static_cast<Wide>(low(a) * low(b) + low(c)); });
  check("min", kAll, 2, [](Wide a, Wide b, Wide) { return a < b ? a : b; });
  check("max", kAll, 2, [](Wide a, Wide b, Wide) { return a < b ? b : a; });
  check("sad", kAll, 3, [](Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
  check("neg", kSigned, 1, [](Wide a, Wide, Wide) { return -a; });
  check("abs", kSigned, 1, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
}

BOOST_AUTO_TEST_CASE(high_halves) {
  for (const std::string type : {"u16", "s16", "u32", "s32"}) {
    const unsigned width = widthOf(type);
    check("mul.hi", {type}, 2, [=](Wide a, Wide b, Wide) { return (a * b) >> width; });
    check("mad.hi", {type}, 3, [=](Wide a, Wide b, Wide c) { return ((a * b) >> width) + c; });
  }
  check("mul.hi", {"s64"}, 2, [](Wide a, Wide b, Wide) { return (a * b) >> 64; });
  // Returns the upper half of an unsigned 64 x 64 product, by halves.
  checkOperation({"mul.hi.u64",
                  "b64",
                  {"u64", "u64"},
                  [](std::uint64_t a, std::uint64_t b, std::uint64_t, std::uint64_t) {
                    const std::uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff,
                                        bh = b >> 32;
                    const std::uint64_t mid = ah * bl + (al * bl >> 32);
                    const std::uint64_t mid2 = al * bh + (mid & 0xffffffff);
                    return ah * bh + (mid >> 32) + (mid2 >> 32);
                  }},
                 "u64");
}

BOOST_AUTO_TEST_CASE(wide_products) {
  for (const std::string type : {"u16", "s16", "u32", "s32"}) {
    const std::string result = type.substr(0, 1) + std::to_string(2 * widthOf(type));
    checkOperation({"mul.wide." + type,
                    result,
                    {type, type},
                    [=](std::uint64_t a, std::uint64_t b, std::uint64_t, std::uint64_t) {
                      return low(valueOf(type, a) * valueOf(type, b));
                    }},
                   type);
    checkOperation({"mad.wide." + type,
                    result,
                    {type, type, result},
                    [=](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t) {
                      return low(valueOf(type, a) * valueOf(type, b) + valueOf(result, c));
                    }},
                   type);
  }
}

// Division by zero gives all ones, and the dividend as remainder. The most negative number divided
// by -1 gives itself, and 0 as remainder.
BOOST_AUTO_TEST_CASE(division) {
  check("div", kAll, 2,
        [](Wide a, Wide b, Wide) { return b == 0 ? static_cast<Wide>(-1) : a / b; });
  check("rem", kAll, 2, [](Wide a, Wide b, Wide) { return b == 0 ? a : a % b; });
}

BOOST_AUTO_TEST_CASE(twenty_four_bits) {
  for (const std::string type : {"u32", "s32"}) {
    const std::string part = type.substr(0, 1) + "24";
    const auto product = [=](std::uint64_t a, std::uint64_t b) {
      return valueOf(part, a) * valueOf(part, b);
    };
    const auto lowOf = [=](std::uint64_t a, std::uint64_t b, std::uint64_t, std::uint64_t) {
      return low(product(a, b));
    };
    const auto highOf = [=](std::uint64_t a, std::uint64_t b, std::uint64_t, std::uint64_t) {
      return low(product(a, b) >> 16);
    };
    checkOperation({"mul24.lo." + type, type, {type, type}, lowOf}, type);
    checkOperation({"mul24.hi." + type, type, {type, type}, highOf}, type);
    checkOperation({"mad24.lo." + type,
                    type,
                    {type, type, type},
                    [=](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
                      return lowOf(a, b, c, d) + c;
                    }},
                   type);
    checkOperation({"mad24.hi." + type,
                    type,
                    {type, type, type},
                    [=](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
                      return highOf(a, b, c, d) + c;
                    }},
                   type);
  }
}

BOOST_AUTO_TEST_CASE(saturation) {
  const auto clamp = [](Wide value) {
    return value > 0x7fffffff          ? Wide{0x7fffffff}
           : value < -Wide{0x80000000} ? -Wide{0x80000000}
                                       : value;
  };
  check("add.sat", {"s32"}, 2, [=](Wide a, Wide b, Wide) { return clamp(a + b); });
  check("sub.sat", {"s32"}, 2, [=](Wide a, Wide b, Wide) { return clamp(a - b); });
  check("mad.hi.sat", {"s32"}, 3,
        [=](Wide a, Wide b, Wide c) { return clamp(((a * b) >> 32) + c); });
}

BOOST_AUTO_TEST_CASE(byte_products) {
  for (const std::string types : {"u32.u32", "u32.s32", "s32.u32", "s32.s32"}) {
    const std::string a8 = types.substr(0, 1) + "8", b8 = types.substr(4, 1) + "8";
    checkOperation({"dp4a." + types,
                    "b32",
                    {"b32", "b32", "b32"},
                    [=](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t) {
                      Wide sum = static_cast<Wide>(c);
                      for (unsigned k = 0; k < 32; k += 8)
                        sum += valueOf(a8, a >> k) * valueOf(b8, b >> k);
                      return low(sum);
                    }},
                   "u32");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
