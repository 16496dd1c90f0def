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
  static const std::vector<MathFunction> functions = {
      {"exp", [](Real x, Real) { return std::exp(x); }, -800, 800},
      {"exp2", [](Real x, Real) { return std::exp2(x); }, -1200, 1200},
      {"exp10", [](Real x, Real) { return std::pow(Real(10), x); }, -350, 350},
      {"expm1", [](Real x, Real) { return std::expm1(x); }, -800, 800},
      {"log", [](Real x, Real) { return std::log(x); }, 0, big},
      {"log2", [](Real x, Real) { return std::log2(x); }, 0, big},
      {"log10", [](Real x, Real) { return std::log10(x); }, 0, big},
      {"log1p", [](Real x, Real) { return std::log1p(x); }, -1, big},
      {"pow", [](Real x, Real y) { return std::pow(x, y); }, 0, 30},
      {"sin", [](Real x, Real) { return std::sin(x); }, -big, big},
      {"cos", [](Real x, Real) { return std::cos(x); }, -big, big},
      {"tan", [](Real x, Real) { return std::tan(x); }, -big, big},
      {"sinpi", [](Real x, Real) { return sinOfHalfTurns(x); }, -1e6, 1e6},
      {"cospi", [](Real x, Real) { return cosOfHalfTurns(x); }, -1e6, 1e6},
      {"asin", [](Real x, Real) { return std::asin(x); }, -1, 1},
      {"acos", [](Real x, Real) { return std::acos(x); }, -1, 1},
      {"atan", [](Real x, Real) { return std::atan(x); }, -big, big},
      {"atan2", [](Real x, Real y) { return std::atan2(x, y); }, -3, 3},
      {"sinh", [](Real x, Real) { return std::sinh(x); }, -720, 720},
      {"cosh", [](Real x, Real) { return std::cosh(x); }, -720, 720},
      {"tanh", [](Real x, Real) { return std::tanh(x); }, -big, big},
      {"asinh", [](Real x, Real) { return std::asinh(x); }, -big, big},
      {"acosh", [](Real x, Real) { return std::acosh(x); }, 1, big},
      {"atanh", [](Real x, Real) { return std::atanh(x); }, -1, 1},
      {"cbrt", [](Real x, Real) { return std::cbrt(x); }, -big, big},
      {"rcbrt", [](Real x, Real) { return 1 / std::cbrt(x); }, -big, big},
      {"rsqrt", [](Real x, Real) { return 1 / std::sqrt(x); }, 0, big},
      {"hypot", [](Real x, Real y) { return std::hypot(x, y); }, -10, 10},
      {"rhypot", [](Real x, Real y) { return 1 / std::hypot(x, y); }, -10, 10},
      {"norm3d", [](Real x, Real y) { return std::hypot(std::hypot(x, y), x); }, -10, 10},
      {"erf", [](Real x, Real) { return std::erf(x); }, -big, big},
      {"erfc", [](Real x, Real) { return std::erfc(x); }, -28, 28},
      {"erfcx", [](Real x, Real) { return scaledErfc(x); }, -26, 1e30},
      {"erfinv", [](Real x, Real) { return inverseErf(x); }, -1, 1},
      {"erfcinv", [](Real x, Real) { return inverseErfc(x); }, 0, 2},
      {"normcdf", [](Real x, Real) { return std::erfc(-x / kRootOfTwo) / 2; }, -38, 38},
      {"normcdfinv", [](Real x, Real) { return 0 - kRootOfTwo * inverseErfc(2 * x); }, 0, 1},
      {"tgamma", [](Real x, Real) { return std::tgamma(x); }, -170, 172},
      {"lgamma", [](Real x, Real) { return std::lgamma(x); }, -1e3, big, 4e-15},
      {"cyl_bessel_i0", [](Real x, Real) { return modifiedBessel(0, x); }, -600, 600},
      {"cyl_bessel_i1", [](Real x, Real) { return modifiedBessel(1, x); }, -600, 600},
      {"j0", [](Real x, Real) { return Real(::j0l(x)); }, -300, 300, 4e-15},
      {"j1", [](Real x, Real) { return Real(::j1l(x)); }, -300, 300, 4e-15},
      {"y0", [](Real x, Real) { return Real(::y0l(x)); }, 0, 300, 4e-15},
      {"y1", [](Real x, Real) { return Real(::y1l(x)); }, 0, 300, 4e-15},
      {"fast_wave", [](Real x, Real) { return std::sin(small(x)) + 2 * std::cos(small(x)); }, -3, 3,
       4e-6},
      {"fast_exp", [](Real x, Real) { return std::exp(small(x)); }, -3, 3, 2e-6},
      {"fast_log", [](Real x, Real) { return std::log(std::fabs(small(x)) + 2); }, -3, 3, 2e-6},
      {"fast_divide", [](Real x, Real) { return 1 / (std::fabs(small(x)) + 1); }, -3, 3, 2e-6},
      {"fast_pow", [](Real x, Real) { return std::pow(std::fabs(small(x)) + 1, Real(1.5)); }, -3, 3,
       2e-6},
      {"divide", [](Real x, Real y) { return Real(double(x) / double(y)); }, -big, big, 0, true},
      {"fmin", [](Real x, Real y) { return std::fmin(x, y); }, -big, big, 0, true},
      {"fmax", [](Real x, Real y) { return std::fmax(x, y); }, -big, big, 0, true},
      {"copysign", [](Real x, Real y) { return std::copysign(x, y); }, -big, big, 0, true},
      {"floor", [](Real x, Real) { return std::floor(x); }, -big, big, 0, true},
      {"ceil", [](Real x, Real) { return std::ceil(x); }, -big, big, 0, true},
      {"trunc", [](Real x, Real) { return std::trunc(x); }, -big, big, 0, true},
      {"ilogb", [](Real x, Real) { return Real(std::ilogb(std::isfinite(x) ? x : 1)); }, -big, big,
       0, true},
      {"llround", [](Real x, Real) { return Real(std::llround(bounded(x, 3000))); }, -100, 100, 0,
       true},
      {"fmod", [](Real x, Real y) { return std::fmod(x, y); }, -100, 100, 0, true},
      {"remainder", [](Real x, Real y) { return std::remainder(x, y); }, -100, 100, 0, true},
      {"nextafter", [](Real x, Real y) { return Real(std::nextafter(double(x), double(y))); }, -100,
       100, 0, true, [](Real x, Real y) { return Real(std::nextafter(float(x), float(y))); }},
      {"ldexp", [](Real x, Real y) { return std::ldexp(x, numberOf(y)); }, -100, 100, 0, true},
      {"frexp", [](Real x, Real) { return fractionOf(x).first; }, -big, big, 0, true},
      {"frexp_exponent", [](Real x, Real) { return Real(fractionOf(x).second); }, -big, big, 0,
       true},
      {"modf", [](Real x, Real) { return partsOf(x).first; }, -big, big, 0, true},
      {"modf_whole", [](Real x, Real) { return partsOf(x).second; }, -big, big, 0, true},
      {"remquo", [](Real x, Real y) { return std::remainder(x, y); }, -100, 100, 0, true},
      {"remquo_quotient", [](Real x, Real y) { return quotientOf(x, y); }, -100, 100, 0, true},
      {"jn", [](Real x, Real n) { return Real(::jnl(numberOf(n) & 7, x)); }, -300, 300, 4e-15},
      {"yn", [](Real x, Real n) { return Real(::ynl(numberOf(n) & 7, x)); }, 0, 300, 4e-15},
      {"round", [](Real x, Real) { return std::round(x); }, -big, big, 0, true},
      {"rint", [](Real x, Real) { return std::rint(x); }, -big, big, 0, true},
      {"sqrt", [](Real x, Real) { return Real(std::sqrt(static_cast<double>(x))); }, 0, big, 0,
       true},
      {"fdim",
       [](Real x, Real y) {
         return Real(std::fdim(static_cast<double>(x), static_cast<double>(y)));
       },
       -100, 100, 0, true},
  };
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
