// Tells when the CTAs of a timed launch end at a steady rate, and what further ones would take.
//
// A wave is as many CTAs as are resident on the platform. After 5 waves, for instance, waves 2 and
// 3 take 1.204 cycles per warp instruction, waves 4 and 5 take 1.211. They differ by less than 1 %:
// the launch is steady. The first wave fills the machine and does not count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fermata/platforms/exec/spread.h>

namespace fermata::exec {

/// Two windows of a steady launch differ by this share at most.
inline constexpr double kSteady = 0.01;
/// Waves of a launch that end before it can be steady.
inline constexpr unsigned kLeastWaves = 5;

/// Sums since the launch began, at the end of a wave.
struct WorkMark {
  std::uint64_t instructions = 0;                 ///< warp instructions
  std::array<std::uint64_t, kSampled> figures{};  ///< by Sampled
};

class SteadyRate {
 public:
  /// Adds the end of a wave.
  void add(const WorkMark& mark) { marks_.push_back(mark); }
  /// Returns whether the last two windows differ in cycles per warp instruction by kSteady at most.
  /// A window is a third of the waves so far, two at least.
  bool isSteady() const;
  /// Returns the figures of further warp instructions at the rates of the last two windows. An
  /// estimate is off by the spread of the waves, or by the difference of the two windows.
  /// Precondition: isSteady().
  Estimates of(std::uint64_t instructions) const;

 private:
  double rate(Sampled figure, std::size_t from, std::size_t to) const;
  std::size_t window() const { return std::max<std::size_t>(marks_.size() / 3, 2); }
  std::size_t last() const { return marks_.size() - 1; }
  double drift(Sampled figure) const;
  Estimate of(Sampled figure, double instructions) const;

  std::vector<WorkMark> marks_;
};

}  // namespace fermata::exec
