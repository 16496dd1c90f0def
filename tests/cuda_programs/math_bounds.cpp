#include "tests/cuda_programs/math_bounds.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

namespace fermata::test {

namespace {

using Real = long double;

const Real kPi = std::acos(Real(-1));
const Real kRootOfTwo = std::sqrt(Real(2));

/// Reduces x in half turns, which is exact, before it multiplies by pi.
Real sinOfHalfTurns(Real x) {
  Real r = std::remainder(x, Real(2));
  if (std::fabs(r) > Real(0.5)) r = std::copysign(Real(1), r) - r;
  return std::fmod(x, Real(1)) == 0 ? std::copysign(Real(0), x) : std::sin(kPi * r);
}
Real cosOfHalfTurns(Real x) {
  const Real r = std::fabs(std::remainder(x, Real(2)));
  return r == Real(0.5) ? Real(0) : std::sin(kPi * (Real(0.5) - r));
}
Real scaledErfc(Real x) {
  if (x < 100) return std::exp(x * x) * std::erfc(x);
  const Real r = 1 / (x * x);
  const Real cubic = 15 * r * r * r / 8 * (1 - 7 * r / 2);
  return (1 - r / 2 + 3 * r * r / 4 - cubic) / (x * std::sqrt(kPi));
}
Real inverseErf(Real y);
/// Returns x with erfc(x) = y: bisection in double, then Newton's steps.
Real inverseErfc(Real y) {
  if (y == 0) return INFINITY;
  if (y == 2) return -INFINITY;
  if (y > Real(0.5) && y < Real(1.5)) return inverseErf(1 - y);
  if (!(y > 0 && y < 2)) return NAN;
  Real low = -6.5L, high = 27.5L;
  for (int i = 0; i < 16; ++i) {
    const Real middle = (low + high) / 2;
    (std::erfc(middle) > y ? low : high) = middle;
  }
  Real x = (low + high) / 2;
  for (int i = 0; i < 4; ++i) x += (std::erfc(x) - y) / (2 / std::sqrt(kPi) * std::exp(-x * x));
  return x;
}
Real inverseErf(Real y) {
  if (std::fabs(y) > 1) return NAN;
  if (std::fabs(y) == 1) return std::copysign(Real(INFINITY), y);
  if (std::fabs(y) >= Real(0.5)) return std::copysign(inverseErfc(1 - std::fabs(y)), y);
  Real x = y * std::sqrt(kPi) / 2;
  for (int i = 0; i < 6; ++i) x -= (std::erf(x) - y) / (2 / std::sqrt(kPi) * std::exp(-x * x));
  return x;
}

/// These three bound arguments as math_functions.cu does.
Real bounded(Real x, Real most) {
  return std::fmin(std::fmax(x, -most), most);
}
int numberOf(Real y) {
  return static_cast<int>(bounded(y, 3000));
}
Real small(Real x) {
  return bounded(x, 3);
}
std::pair<Real, int> fractionOf(Real x) {
  int exponent = 0;
  const Real fraction = std::frexp(x, &exponent);
  return {fraction, std::isfinite(x) ? exponent : 0};
}
std::pair<Real, Real> partsOf(Real x) {
  Real whole = 0;
  const Real part = std::modf(x, &whole);
  return {part, whole};
}
Real quotientOf(Real x, Real y) {
  int quotient = 0;
  if (std::isnan(std::remquo(x, y, &quotient)) || std::isinf(y)) return 0;
  return quotient % 8;
}

/// Sums the series, whose terms are all positive.
Real modifiedBessel(int order, Real x) {
  const Real a = std::fabs(x);
  if (!(a < 2000)) return order == 1 ? x * INFINITY : a * INFINITY;
  Real term = order == 0 ? Real(1) : a / 2, value = term;
  for (int k = 1; term > value * std::numeric_limits<Real>::epsilon() / 4; ++k) {
    term *= a * a / 4 / (Real(k) * (k + order));
    value += term;
  }
  return order == 1 ? std::copysign(value, x) : value;
}

}  // namespace

const std::vector<MathFunction>& mathFunctions() {
  const double big = 1e308;
#define REFERENCE(name, value, ...) \
  {#name, [](Real x, [[maybe_unused]] Real y) -> Real { return value; }, __VA_ARGS__},
#define UNARY(name, value, ...) REFERENCE(name, value, __VA_ARGS__)
#define BINARY(name, value, ...) REFERENCE(name, value, __VA_ARGS__)
#define FUNCTION(name, of_double, of_float, value, ...) REFERENCE(name, value, __VA_ARGS__)
  static const std::vector<MathFunction> functions = {
#include "tests/cuda_programs/math_functions.inl"
  };
#undef UNARY
#undef BINARY
#undef FUNCTION
#undef REFERENCE
  return functions;
}

std::map<std::string, Bound> readBounds(const std::string& page) {
  std::map<std::string, Bound> bounds;
  std::ifstream in(page);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string bar, name, second, third;
    Bound bound{};
    if (!(words >> bar >> name >> second >> bound.ofDouble >> third >> bound.ofFloat)) continue;
    if (bar != "|" || name.size() < 3 || name.front() != '`') continue;
    bounds[name.substr(1, name.size() - 2)] = bound;
  }
  return bounds;
}

}  // namespace fermata::test
