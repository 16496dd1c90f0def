// Seeded random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace fermata::images {

/// A small seeded generator (SplitMix64, Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// Returns 64 random bits.
  std::uint64_t next();
  /// Returns a uniform number in [0, bound), the upper half of a product. Precondition: bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Returns a uniform number in [0, 1) with 53 random bits.
  double unit();

 private:
  std::uint64_t state_;
};

}  // namespace fermata::images
