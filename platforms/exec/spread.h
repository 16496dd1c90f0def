// Figures that are measured on a sample, and how far off they may be.
#pragma once

#include <array>
#include <cstddef>

namespace fermata::exec {

struct Estimate {
  double value = 0;
  double half = 0;  ///< half the width of the 95 % interval
};

/// Figures of a launch that a sample estimates.
enum class Sampled : unsigned { Cycles, SharedAccesses, ConflictCycles };
inline constexpr unsigned kSampled = 3;
using Estimates = std::array<Estimate, kSampled>;  ///< by Sampled

/// No estimate claims to be closer than this share of its value.
inline constexpr double kLeastHalf = 0.005;
/// Share of its value by which an estimate may be off if nothing tells.
inline constexpr double kUnknownHalf = 0.1;

/// Mean and spread of equal measurements.
class Spread {
 public:
  void add(double value);
  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Returns half the width of the 95 % interval (Student's t) for the mean of `further`
  /// measurements, at least kLeastHalf of the mean. One measurement: kUnknownHalf of it.
  double half(std::size_t further) const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< of the distances to the mean
};

}  // namespace fermata::exec
