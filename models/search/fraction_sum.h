// Exact sums of fractions with small denominators. Exactness decides whether two features tie.
#pragma once

#include <array>
#include <cstdint>

#include <fermata/models/search/uint128.h>

namespace fermata::search {

class FractionSum {
 public:
  static constexpr std::uint32_t kMostDenominator = 128;

  /// sum += numerator / denominator. The denominator is 1 to 128; at most 2^64 calls.
  void add(Uint128 numerator, std::uint32_t denominator);
  /// Returns the sum, rounded to a double.
  double value() const;

  friend bool operator<(const FractionSum& a, const FractionSum& b);

 private:
  static constexpr unsigned kLimbs = 7;  // 184 bits of common denominator, 128 + 64 of sum
  /// Numerator over the least common multiple of 1 to 128, lowest limb first.
  std::array<std::uint64_t, kLimbs> units_{};
};

}  // namespace fermata::search
