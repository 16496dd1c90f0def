// Rounding towards zero, down and up: against the neighbour on the right side of the exact result,
// which 113 bits hold.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/ptx/operation.h"

namespace fermata::ptx::test {
namespace {

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

const std::string kDirections[] = {"z", "m", "p"};

/// Checks an operation with the directed roundings. `difference` is the exact result less a
/// candidate.
template <class T, class F, class D>
void check(const std::string& name, const F& nearest, const D& difference) {
  for (const std::string& direction : kDirections) {
    const auto oracle = [=](auto... x) {
      const T value = directed<T>(nearest(x...), direction[0],
                                  [&](T candidate) { return signOf(difference(candidate, x...)); });
      // An exact zero sum is negative when rounded down (IEEE 754, 6.3).
      return direction == "m" && value == 0 && difference(T(0), x...) == 0 ? -T(0) : value;
    };
    const auto join = [&](auto typed) {
      checkUniform(name + ".r" + direction, sizeof(T) == 4 ? "f32" : "f64", typed,
                   sizeof(T) == 4 ? "f32tame" : "f64tame");
    };
    if constexpr (std::is_invocable_v<F, T>)
      join([=](T a) { return oracle(a); });
    else if constexpr (std::is_invocable_v<F, T, T>)
      join([=](T a, T b) { return oracle(a, b); });
    else
      join([=](T a, T b, T c) { return oracle(a, b, c); });
  }
}

template <class T>
void checkAll() {
  check<T>(
      "add", [](T a, T b) { return a + b; }, [](Quad r, T a, T b) { return Quad(a) + b - r; });
  check<T>(
      "mul", [](T a, T b) { return a * b; }, [](Quad r, T a, T b) { return Quad(a) * b - r; });
  // The sign of a / b - r is that of (a - r b) b.
  check<T>(
      "div", [](T a, T b) { return a / b; },
      [](Quad r, T a, T b) { return (a - r * b) * (b < 0 ? -1 : 1); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rounding)

BOOST_AUTO_TEST_CASE(single) {
  checkAll<float>();
  check<float>(
      "sub", [](float a, float b) { return a - b; },
      [](Quad r, float a, float b) { return Quad(a) - b - r; });
  check<float>(
      "fma", [](float a, float b, float c) { return std::fma(a, b, c); },
      [](Quad r, float a, float b, float c) { return Quad(a) * b + c - r; });
  check<float>(
      "rcp", [](float a) { return 1.0F / a; },
      [](Quad r, float a) { return (1 - r * a) * (a < 0 ? -1 : 1); });
}

BOOST_AUTO_TEST_CASE(doubles) {
  checkAll<double>();
}

BOOST_AUTO_TEST_CASE(roots) {
  for (const std::string& direction : kDirections) {
    checkUniform(
        "sqrt.r" + direction, "f32",
        [=](float x) {
          if (x < 0) return std::nanf("");
          return directed<float>(std::sqrt(x), direction[0], [&](float r) {
            return r < 0 ? 1 : signOf(x - static_cast<Quad>(r) * r);
          });
        },
        "f32tame");
  }
}

BOOST_AUTO_TEST_CASE(conversions) {
  for (const std::string& direction : kDirections) {
    const auto from = [&](auto to, const std::string& type, auto exactOf,
                          const std::string& valueType = "") {
      using T = decltype(to);
      const std::string name = sizeof(T) == 4 ? "f32" : "f64";
      checkOperation(
          "cvt.r" + direction + "." + name + "." + type + " " + name + ", " + type,
          [=](Word a) {
            const Quad exact = exactOf(a);
            return directed<T>(static_cast<T>(exact), direction[0],
                               [&](T x) { return signOf(exact - x); });
          },
          valueType);
    };
    for (const std::string type : {"u32", "s32", "u64", "s64"})
      from(0.0F, type, [=](Word a) { return static_cast<Quad>(valueOf(type, a)); });
    from(
        0.0F, "f64", [](Word a) { return static_cast<Quad>(as<double>(a)); }, "f64tame");
    from(0.0, "u64", [](Word a) { return static_cast<Quad>(a); });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
