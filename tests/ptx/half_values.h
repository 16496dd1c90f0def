// Every value of f16, bf16, e4m3 and e5m2, by search: an oracle of rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata::ptx::test {

__extension__ typedef __float128 Quad;

/// All finite values of a format in rising order; finds the nearest to a number by search.
class Values {
 public:
  Values(int exponentBits, int fractionBits)
      : fraction_(fractionBits),
        bias_((1 << (exponentBits - 1)) - 1),
        infinity_(((1U << exponentBits) - 1) << fractionBits) {
    for (std::uint32_t bits = 0; bits < infinity_; ++bits) positive_.push_back(of(bits));
    positive_.push_back(std::ldexp(1.0, bias_ + 1));  // the value at which overflow would begin
  }

  bool isNan(std::uint64_t half) const { return (half & 0x7fffU) > infinity_; }
  double of(std::uint64_t half) const {
    const std::uint64_t rest = half & 0x7fffU;
    if (rest > infinity_) return std::nan("");
    const int exponent = static_cast<int>(rest >> fraction_);
    const double digits = static_cast<double>(rest & ((1U << fraction_) - 1));
    double value = exponent == 0 ? std::ldexp(digits, 1 - bias_ - fraction_)
                                 : std::ldexp(digits + std::ldexp(1.0, fraction_),
                                              exponent - bias_ - fraction_);
    if (rest == infinity_) value = HUGE_VAL;
    return (half & 0x8000U) != 0 ? -value : value;
  }

  /// Returns the bits of value + error, rounded; |error| is less than any step. Directions: 'n'
  /// nearest even, 'z' to zero, 'm' down, 'p' up.
  std::uint64_t nearest(Quad value, Quad error, char direction, bool negativeZero) const {
    if (value != value) return 0x7fff;
    const bool negative = value < 0 || (value == 0 && negativeZero);
    const std::uint64_t sign = negative ? 0x8000 : 0;
    const Quad size = negative ? -value : value;
    const Quad more = negative ? -error : error;
    if (size > static_cast<Quad>(1e300)) return sign | infinity_;
    auto above = std::lower_bound(positive_.begin(), positive_.end(), size,
                                  [](double a, Quad b) { return static_cast<Quad>(a) < b; });
    auto below = above;
    const bool exact = above != positive_.end() && static_cast<Quad>(*above) == size;
    if (exact && more == 0) return sign | number(above);
    if (above == positive_.end()) {
      above = below = positive_.end() - 1;
      return sign | (toZero(direction, negative) ? infinity_ - 1 : infinity_);
    }
    if (exact && more > 0) ++above;
    if (!exact || more < 0) --below;
    if (direction != 'n') return sign | number(toZero(direction, negative) ? below : above);
    const Quad middle = (static_cast<Quad>(*below) + static_cast<Quad>(*above)) / 2;
    const bool up =
        size > middle || (size == middle && (more > 0 || (more == 0 && (number(below) & 1U) != 0)));
    return sign | number(up ? above : below);
  }

 private:
  static bool toZero(char direction, bool negative) {
    return direction == 'z' || direction == (negative ? 'p' : 'm');
  }
  std::uint64_t number(std::vector<double>::const_iterator at) const {
    return static_cast<std::uint64_t>(at - positive_.begin());
  }

  int fraction_, bias_;
  std::uint32_t infinity_;
  std::vector<double> positive_;  ///< indexed by bits
};

inline const Values& values(const std::string& type) {
  static const Values f16(5, 10), bf16(8, 7);
  return type.substr(0, 3) == "f16" ? f16 : bf16;
}

inline std::uint64_t saturated(const Values& format, std::uint64_t half, std::uint64_t one) {
  if (format.isNan(half) || (half & 0x8000U) != 0) return 0;
  return std::min(half, one);
}

/// Returns the value of 8 bits (OCP 8-bit Floating Point Specification, revision 1.0, table 1).
inline double float8Value(const std::string& type, std::uint64_t bits) {
  const int fractionBits = type == "e4m3" ? 3 : 2, bias = type == "e4m3" ? 7 : 15;
  const auto magnitude = static_cast<int>(bits & 0x7fU);
  const int exponent = magnitude >> fractionBits, digits = magnitude % (1 << fractionBits);
  if (magnitude == 0x7f || (type == "e5m2" && magnitude > 0x7c)) return std::nan("");
  double value = std::ldexp(exponent == 0 ? digits : digits + (1 << fractionBits),
                            (exponent == 0 ? 1 : exponent) - bias - fractionBits);
  if (type == "e5m2" && magnitude == 0x7c) value = HUGE_VAL;
  return (bits & 0x80U) != 0 ? -value : value;
}

/// Returns all finite values from 0 on, by their bits.
inline const std::vector<double>& float8Values(const std::string& type) {
  const auto listed = [](const std::string& of) {
    std::vector<double> list;
    while (std::isfinite(float8Value(of, list.size())))
      list.push_back(float8Value(of, list.size()));
    return list;
  };
  static const std::vector<double> e4m3 = listed("e4m3"), e5m2 = listed("e5m2");
  return type == "e4m3" ? e4m3 : e5m2;
}

/// Returns the bits of the nearest finite value; between two equally near ones the even one.
inline std::uint64_t nearestFloat8(const std::string& type, double value) {
  if (value != value) return 0x7f;
  const std::vector<double>& all = float8Values(type);
  const double magnitude = std::fmin(std::fabs(value), all.back());
  std::uint64_t best = 0;
  for (std::uint64_t bits = 1; bits < all.size(); ++bits) {
    const double off = std::fabs(all[bits] - magnitude), least = std::fabs(all[best] - magnitude);
    if (off < least || (off == least && bits % 2 == 0)) best = bits;
  }
  return best | (std::signbit(value) ? 0x80U : 0U);
}

}  // namespace fermata::ptx::test
