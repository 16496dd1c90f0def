// Tracks the CTAs of a grid that have started and their warps that have exited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <fermata/models/vocabulary/grid.h>

namespace fermata::traces {

/// Tracks one grid. CTAs start in order, 0, 1, 2 ..., and end in any order: when each warp exited.
class OpenCtas {
 public:
  /// Begins a grid.
  void begin(const Grid& grid) {
    ctas_ = grid.ctas;
    first_ = 0;
    open_.clear();
    allExited_ = static_cast<LaneMask>((std::uint64_t{1} << grid.warpsPerCta()) - 1);
  }
  /// Returns true if every CTA has ended; also true before the first grid.
  bool allEnded() const { return open_.empty() && first_ == ctas_; }
  /// Returns the first CTA that has not ended: every CTA below has.
  std::uint64_t first() const { return first_; }

  /// Returns how many CTAs of the grid run: those that no other CTA has taken.
  std::uint64_t ctas() const { return ctas_; }
  /// Takes CTAs that have not started, which then never do. Returns false if there are fewer.
  bool take(std::uint64_t ctas) {
    if (ctas > ctas_ - next()) return false;
    ctas_ -= ctas;
    return true;
  }

  /// Returns the number of the CTA that starts next.
  std::uint64_t next() const { return first_ + open_.size(); }
  /// Starts the next CTA. Precondition: next() is a CTA of the grid.
  void start() { open_.push_back(0); }

  /// Returns true if the CTA has started; it may have ended out of order.
  bool isOpen(std::uint64_t cta) const { return cta - first_ < open_.size(); }  // wraps below
  /// Precondition of the next two: isOpen(cta), and the CTA has this warp.
  bool hasExited(std::uint64_t cta, unsigned warp) const {
    return (open_[static_cast<std::size_t>(cta - first_)] >> warp & 1U) != 0;
  }
  void exit(std::uint64_t cta, unsigned warp) {
    open_[static_cast<std::size_t>(cta - first_)] |= LaneMask{1} << warp;
    while (!open_.empty() && open_.front() == allExited_) {
      open_.pop_front();
      ++first_;
    }
  }

 private:
  std::uint64_t ctas_ = 0;
  std::uint64_t first_ = 0;
  LaneMask allExited_ = 0;
  std::deque<LaneMask> open_;  ///< exited warps as bits, by CTA from first_ on
};

}  // namespace fermata::traces
