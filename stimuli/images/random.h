// Seeded random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace fermata::images {

/// A small seeded generator (SplitMix64, Steele, Lea and Flood 2014): the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// 64 random bits.
  std::uint64_t next();
  /// Uniform in [0, bound), bound > 0, by the upper half of a product.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1): 53 bits.
  double unit();

 private:
  std::uint64_t state_;
};

}  // namespace fermata::images
