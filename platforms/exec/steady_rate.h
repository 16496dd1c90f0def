// Tells when the CTAs of a timed launch end at a steady rate, and what further ones would take.
//
// A wave is as many CTAs as are resident on the platform. After 9 waves, for instance, waves 2 to 5
// take 1.204 cycles per warp instruction, waves 6 to 9 take 1.211. They differ by less than 1 %,
// and after 8 waves two windows of three did, too: the launch is steady. The first wave fills the
// machine and does not count.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/platforms/exec/spread.h>

namespace fermata::exec {

/// Two windows of a steady launch differ by this share at most.
inline constexpr double kSteady = 0.01;
/// Waves of a launch that end before two windows are compared.
inline constexpr unsigned kLeastWaves = 7;
/// Share by which the rest of a launch may be off at least: CTAs fall out of step over many waves,
/// and the rate moves on more slowly than two windows can tell. 20 launches of 9 kernels on 3
/// platforms were within 2.3 %.
inline constexpr double kSlowChange = 0.025;

/// Sums since the launch began, at the end of a wave.
struct WorkMark {
  std::uint64_t instructions = 0;                 ///< warp instructions
  std::array<std::uint64_t, kSampled> figures{};  ///< by Sampled
};

class SteadyRate {
 public:
  /// Adds the end of a wave.
  void add(const WorkMark& mark) { marks_.push_back(mark); }
  /// Returns whether the last two windows differ in cycles per warp instruction by kSteady at most,
  /// and did so one wave ago. A window is half of the waves so far without the first.
  bool isSteady() const;
  /// Returns the figures of further warp instructions at the rates of the last two windows. An
  /// estimate is off by the spread of the waves, by the difference of the two windows, or by
  /// kSlowChange, whichever is largest. Precondition: isSteady().
  Estimates of(std::uint64_t instructions) const;

 private:
  double rate(Sampled figure, std::size_t from, std::size_t to) const;
  std::size_t last() const { return marks_.size() - 1; }
  static std::size_t window(std::size_t last) { return last / 2; }
  double drift(Sampled figure, std::size_t last) const;
  bool agree(std::size_t last) const;
  Estimate of(Sampled figure, double instructions) const;

  std::vector<WorkMark> marks_;
};

}  // namespace fermata::exec
