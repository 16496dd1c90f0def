// Elementary functions of the device against the host's in long double, within the bounds that the
// README of the headers states.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <type_traits>

#include "tests/cuda_programs/device_run.h"

namespace {

using namespace fermata;
using namespace fermata::test;

struct MathFunction {
  std::string name;
  long double (*reference)(long double x, long double y);
  double least, most;  ///< range of x; any bit pattern in it may occur
  /// Errors up to this times max(1, |result|) count as none: the function passes through zero.
  double absolute = 0.0;
  bool exact = false;  ///< the result is the reference, rounded once
  /// Reference for float, if it differs from `reference`.
  long double (*ofFloats)(long double x, long double y) = nullptr;
};

struct Bound {
  double ofDouble, ofFloat;  ///< bounds, in units of the last place
};
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

/// Reads the rows "| `name` | 1 | 2 |" of a page.
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

const std::string kFolder = FERMATA_SOURCE_DIR "/tests/cuda_programs/";
const std::string kPage = FERMATA_SOURCE_DIR "/stimuli/cuda/include/math/README.md";

template <class T>
T fromBits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Returns argument pairs: special values, random bit patterns in the range, and evenly spread
/// numbers.
template <class T>
std::vector<T> arguments(const MathFunction& function, std::size_t count) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> special = {Limits::infinity(),   -Limits::infinity(), Limits::quiet_NaN(),
                            Limits::denorm_min(), Limits::min(),       Limits::max(),
                            -Limits::max()};
  for (const double x : {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, 1.5, 100.0, -100.0})
    special.push_back(static_cast<T>(x));
  std::vector<T> values;
  for (const T x : special) {
    for (const T y : special) values.insert(values.end(), {x, y});
  }
  std::mt19937_64 random(7);
  const double least = std::max(function.least, -double(Limits::max()));
  const double most = std::min(function.most, double(Limits::max()));
  std::uniform_real_distribution<double> even(std::max(least, -1e3), std::min(most, 1e3));
  while (values.size() < 2 * count) {
    const T x = fromBits<T>(random()), y = fromBits<T>(random());
    if (x >= T(least) && x <= T(most)) values.insert(values.end(), {x, y});
    values.insert(values.end(), {T(even(random)), T(even(random))});
  }
  values.resize(2 * count);
  return values;
}

/// Returns the distance in units of the last place of T at `right`; 1e30 if the values differ in
/// kind (NaN, infinity, sign of zero).
template <class T>
double distance(T value, long double right, double absolute) {
  using Limits = std::numeric_limits<T>;
  const T rounded = static_cast<T>(right);
  const double apart = 1e30;
  if (std::isnan(value) || std::isnan(rounded))
    return std::isnan(value) && std::isnan(rounded) ? 0 : apart;
  if (value == rounded) {
    return value == 0 && right == 0 && std::signbit(value) != std::signbit(right) ? apart : 0;
  }
  int exponent = 0;
  std::frexp(right, &exponent);
  exponent = std::max(exponent, Limits::min_exponent);
  const long double unit = std::ldexp(1.0L, exponent - Limits::digits);
  const long double largest = std::ldexp(1.0L, Limits::max_exponent);
  const long double real =
      std::isinf(value) ? std::copysign(largest, static_cast<long double>(value)) : value;
  if (std::isinf(right)) return apart;
  const long double error = std::fabs(real - right);
  if (error <= absolute * std::max(1.0L, std::fabs(right))) return 0;
  return static_cast<double>(error / unit);
}

/// Compares bits; any NaN equals any other.
template <class T>
bool sameBits(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

/// Returns the names of the kernels behind `prefix`. The test demands a reference for each.
std::set<std::string> kernelsOf(const std::string& ptx, const std::string& prefix) {
  const std::string word = ".entry " + prefix;
  std::set<std::string> names;
  for (std::size_t at = ptx.find(word); at != std::string::npos; at = ptx.find(word, at + 1)) {
    const std::size_t begin = at + word.size();
    names.insert(ptx.substr(begin, ptx.find('(', begin) - begin));
  }
  return names;
}
std::set<std::string> namesOfAll() {
  std::set<std::string> names;
  for (const MathFunction& function : mathFunctions()) names.insert(function.name);
  return names;
}

template <class T>
void checkAll(const char* prefix, double Bound::*which, std::size_t count) {
  const std::map<std::string, Bound> bounds = readBounds(kPage);
  const std::string source = kFolder + "math_functions.cu";
  const std::string ptx = ptxOf(source, {"-O3"});
  BOOST_TEST(kernelsOf(ptx, prefix) == namesOfAll(), tt::per_element());
  DeviceRun fast(ptx), slow(ptxOf(source, {"-O0"}));
  std::size_t bounded = 0;
  for (const MathFunction& function : mathFunctions()) {
    const auto row = bounds.find(function.name);
    const bool inexact = !function.exact && function.absolute == 0.0;
    BOOST_REQUIRE_MESSAGE(!inexact || row != bounds.end(), function.name + " has no bound");
    const double bound = row != bounds.end() ? row->second.*which : function.exact ? 0.0 : 4.0;
    bounded += row != bounds.end() ? 1 : 0;
    const std::vector<T> in = arguments<T>(function, count);
    const std::vector<T> out = fast.run<T>(prefix + function.name, in, count);
    const bool special = std::is_same_v<T, float> && function.ofFloats != nullptr;
    const auto reference = special ? function.ofFloats : function.reference;
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const long double right = reference(in[2 * i], in[2 * i + 1]);
      const double d = function.exact && static_cast<T>(right) == out[i]
                           ? 0
                           : distance<T>(out[i], function.exact ? static_cast<T>(right) : right,
                                         function.absolute);
      if (d > worst) {
        worst = d;
        at = i;
      }
    }
    BOOST_TEST_MESSAGE(prefix << function.name << ' ' << worst);
    BOOST_TEST(worst <= bound, prefix << function.name << '(' << in[2 * at] << ", "
                                      << in[2 * at + 1] << ") is " << out[at] << ", " << worst
                                      << " units off; expected " << bound);
    // Optimisation must not change a bit.
    const std::size_t few = std::min<std::size_t>(count, 2048);
    const std::vector<T> again = slow.run<T>(prefix + function.name, in, few);
    const auto differ = std::mismatch(again.begin(), again.end(), out.begin(), sameBits<T>);
    BOOST_TEST((differ.first == again.end()),
               prefix << function.name << " differs at -O0: " << *differ.second);
  }
  BOOST_TEST(bounded == bounds.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(device_math)

BOOST_AUTO_TEST_CASE(doubles_are_within_their_bounds) {
  checkAll<double>("d_", &Bound::ofDouble, 1U << 15);
}

BOOST_AUTO_TEST_CASE(floats_are_within_their_bounds) {
  checkAll<float>("f_", &Bound::ofFloat, 1U << 16);
}

BOOST_AUTO_TEST_SUITE_END()
