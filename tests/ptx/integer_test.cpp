// Integer arithmetic against 128-bit arithmetic.

#include "tests/ptx/operation.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

__extension__ typedef unsigned __int128 UnsignedWide;

template <class F>
void check(const std::string& name, const std::vector<std::string>& types, const F& formula) {
  for (const std::string& type : types) checkUniform(name, type, formula);
}

const std::vector<std::string> kAll = {"u16", "s16", "u32", "s32", "u64", "s64"};
const std::vector<std::string> kSigned = {"s16", "s32", "s64"};
const std::vector<std::string> kNarrow = {"u16", "s16", "u32", "s32"};

}  // namespace

BOOST_AUTO_TEST_SUITE(integers)

BOOST_AUTO_TEST_CASE(sums_and_products) {
  check("add", kAll, [](Wide a, Wide b) { return a + b; });
  check("sub", kAll, [](Wide a, Wide b) { return a - b; });
  check("mul.lo", kAll, [](Word a, Word b) { return a * b; });
  check("mad.lo", kAll, [](Word a, Word b, Word c) { return a * b + c; });
  check("min", kAll, [](Wide a, Wide b) { return a < b ? a : b; });
  check("max", kAll, [](Wide a, Wide b) { return a < b ? b : a; });
  check("sad", kAll, [](Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
  check("neg", kSigned, [](Wide a) { return -a; });
  check("abs", kSigned, [](Wide a) { return a < 0 ? -a : a; });
}

BOOST_AUTO_TEST_CASE(high_halves) {
  for (const std::string& type : kNarrow) {
    const unsigned width = widthOf(type);
    check("mul.hi", {type}, [=](Wide a, Wide b) { return (a * b) >> width; });
    check("mad.hi", {type}, [=](Wide a, Wide b, Wide c) { return ((a * b) >> width) + c; });
  }
  check("mul.hi", {"s64"}, [](Wide a, Wide b) { return (a * b) >> 64; });
  check("mul.hi", {"u64"}, [](Word a, Word b) { return static_cast<UnsignedWide>(a) * b >> 64; });
}

BOOST_AUTO_TEST_CASE(wide_products) {
  for (const std::string& type : kNarrow) {
    const std::string wide = type.substr(0, 1) + std::to_string(2 * widthOf(type));
    const std::string operands = type + " " + wide + ", " + type + ", " + type;
    checkOperation("mul.wide." + operands, [](Wide a, Wide b) { return a * b; });
    checkOperation("mad.wide." + operands + ", " + wide,
                   [](Wide a, Wide b, Wide c) { return a * b + c; });
  }
}

// Division by zero gives all ones, and the dividend as remainder. The most negative number divided
// by -1 gives itself, and 0 as remainder.
BOOST_AUTO_TEST_CASE(division) {
  check("div", kAll, [](Wide a, Wide b) { return b == 0 ? static_cast<Wide>(-1) : a / b; });
  check("rem", kAll, [](Wide a, Wide b) { return b == 0 ? a : a % b; });
}

BOOST_AUTO_TEST_CASE(twenty_four_bits) {
  for (const std::string type : {"u32", "s32"}) {
    const auto product = [part = type.substr(0, 1) + "24"](Word a, Word b) {
      return valueOf(part, a) * valueOf(part, b);
    };
    check("mul24.lo", {type}, product);
    check("mul24.hi", {type}, [=](Word a, Word b) { return product(a, b) >> 16; });
    check("mad24.lo", {type}, [=](Word a, Word b, Wide c) { return product(a, b) + c; });
    check("mad24.hi", {type}, [=](Word a, Word b, Wide c) { return (product(a, b) >> 16) + c; });
  }
}

BOOST_AUTO_TEST_CASE(saturation) {
  const auto clamp = [](Wide value) {
    return std::min(std::max(value, -Wide{0x80000000}), Wide{0x7fffffff});
  };
  check("add.sat", {"s32"}, [=](Wide a, Wide b) { return clamp(a + b); });
  check("sub.sat", {"s32"}, [=](Wide a, Wide b) { return clamp(a - b); });
  check("mad.hi.sat", {"s32"}, [=](Wide a, Wide b, Wide c) { return clamp(((a * b) >> 32) + c); });
}

BOOST_AUTO_TEST_CASE(byte_products) {
  for (const std::string types : {"u32.u32", "u32.s32", "s32.u32", "s32.s32"}) {
    const std::string a8 = types.substr(0, 1) + "8", b8 = types.substr(4, 1) + "8";
    checkOperation("dp4a." + types + " b32, b32, b32, b32", [=](Word a, Word b, Wide c) {
      for (unsigned k = 0; k < 32; k += 8) c += valueOf(a8, a >> k) * valueOf(b8, b >> k);
      return c;
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
