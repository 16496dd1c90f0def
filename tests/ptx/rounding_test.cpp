// Rounding towards zero, down and up: against the neighbour on the right side of the exact result,
// which 113 bits hold.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/ptx/operation.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint64_t;
__extension__ typedef __float128 Quad;

/// Compares the exact result with a candidate: returns -1, 0 or 1.
template <class T>
using Sign = std::function<int(T candidate)>;

/// Returns the value rounded in `direction`, found from the nearest value.
template <class T>
T directed(T nearest, char direction, const Sign<T>& exactAgainst) {
  const T infinity = std::numeric_limits<T>::infinity();
  T below = nearest;
  while (exactAgainst(below) < 0) below = std::nextafter(below, -infinity);
  T above = nearest;
  while (exactAgainst(above) > 0) above = std::nextafter(above, infinity);
  if (exactAgainst(below) > 0 && below == nearest) above = std::nextafter(below, infinity);
  if (exactAgainst(above) < 0 && above == nearest) below = std::nextafter(above, -infinity);
  if (exactAgainst(nearest) == 0) return nearest;
  if (direction == 'm') return below;
  if (direction == 'p') return above;
  return std::fabs(below) < std::fabs(above) ? below : above;
}

int signOf(Quad value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

template <class T>
void check(const std::string& name, unsigned sources, const std::function<T(T, T, T)>& nearest,
           const std::function<Quad(T, T, T, T)>& difference) {
  const std::string type = sizeof(T) == 4 ? "f32" : "f64";
  for (const char direction : {'z', 'm', 'p'}) {
    const std::string opcode = name + ".r" + direction + "." + type;
    BOOST_TEST_CONTEXT(opcode) {
      checkOperation({opcode, type, std::vector<std::string>(sources, type),
                      [=](Word a, Word b, Word c, Word) {
                        const T x = as<T>(a), y = as<T>(b), z = as<T>(c);
                        const T value = directed<T>(nearest(x, y, z), direction, [&](T candidate) {
                          return signOf(difference(x, y, z, candidate));
                        });
                        // An exact zero sum is negative when rounded down (IEEE 754, 6.3).
                        const bool zero =
                            direction == 'm' && value == 0 && difference(x, y, z, T(0)) == 0;
                        return bits(zero ? -T(0) : value);
                      }},
                     type + "tame");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rounding)

BOOST_AUTO_TEST_CASE(single) {
  check<float>(
      "add", 2, [](float a, float b, float) { return a + b; },
      [](float a, float b, float, float r) { return static_cast<Quad>(a) + b - r; });
  check<float>(
      "sub", 2, [](float a, float b, float) { return a - b; },
      [](float a, float b, float, float r) { return static_cast<Quad>(a) - b - r; });
  check<float>(
      "mul", 2, [](float a, float b, float) { return a * b; },
      [](float a, float b, float, float r) { return static_cast<Quad>(a) * b - r; });
  check<float>(
      "fma", 3, [](float a, float b, float c) { return std::fma(a, b, c); },
      [](float a, float b, float c, float r) { return static_cast<Quad>(a) * b + c - r; });
  // The sign of a / b - r is that of (a - r b) b.
  check<float>(
      "div", 2, [](float a, float b, float) { return a / b; },
      [](float a, float b, float, float r) {
        return (static_cast<Quad>(a) - static_cast<Quad>(r) * b) * (b < 0 ? -1 : 1);
      });
  check<float>(
      "rcp", 1, [](float a, float, float) { return 1.0F / a; },
      [](float a, float, float, float r) {
        return (1 - static_cast<Quad>(r) * a) * (a < 0 ? -1 : 1);
      });
}

BOOST_AUTO_TEST_CASE(doubles) {
  check<double>(
      "add", 2, [](double a, double b, double) { return a + b; },
      [](double a, double b, double, double r) { return static_cast<Quad>(a) + b - r; });
  check<double>(
      "mul", 2, [](double a, double b, double) { return a * b; },
      [](double a, double b, double, double r) { return static_cast<Quad>(a) * b - r; });
  check<double>(
      "div", 2, [](double a, double b, double) { return a / b; },
      [](double a, double b, double, double r) {
        return (static_cast<Quad>(a) - static_cast<Quad>(r) * b) * (b < 0 ? -1 : 1);
      });
}

BOOST_AUTO_TEST_CASE(roots) {
  for (const char direction : {'z', 'm', 'p'}) {
    checkOperation({std::string("sqrt.r") + direction + ".f32",
                    "f32",
                    {"f32"},
                    [=](Word a, Word, Word, Word) {
                      const float x = as<float>(a);
                      if (x < 0) return Word{0x7fffffff};
                      return bits(directed<float>(std::sqrt(x), direction, [&](float r) {
                        return r < 0 ? 1 : signOf(x - static_cast<Quad>(r) * r);
                      }));
                    }},
                   "f32tame");
  }
}

BOOST_AUTO_TEST_CASE(conversions) {
  for (const char direction : {'z', 'm', 'p'}) {
    const std::string r = std::string(".r") + direction;
    const auto from = [&](const std::string& type, const std::function<Quad(Word)>& value) {
      checkOperation({"cvt" + r + ".f32." + type,
                      "f32",
                      {type},
                      [=](Word a, Word, Word, Word) {
                        const Quad exact = value(a);
                        return bits(directed<float>(static_cast<float>(exact), direction,
                                                    [&](float x) { return signOf(exact - x); }));
                      }},
                     type[0] == 'f' ? type + "tame" : type);
    };
    from("u32", [](Word a) { return static_cast<Quad>(static_cast<std::uint32_t>(a)); });
    from("s32", [](Word a) { return static_cast<Quad>(static_cast<std::int32_t>(a)); });
    from("u64", [](Word a) { return static_cast<Quad>(a); });
    from("s64", [](Word a) { return static_cast<Quad>(static_cast<std::int64_t>(a)); });
    from("f64", [](Word a) { return static_cast<Quad>(as<double>(a)); });
    checkOperation({"cvt" + r + ".f64.u64",
                    "f64",
                    {"u64"},
                    [=](Word a, Word, Word, Word) {
                      return bits(directed<double>(
                          static_cast<double>(a), direction,
                          [&](double x) { return signOf(static_cast<Quad>(a) - x); }));
                    }},
                   "u64");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
