// Which CTAs of a grid have started and which of their warps have exited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <fermata/models/transaction/grid.h>

namespace fermata::traces {

/// CTAs start in order, 0, 1, 2 ..., and end in any: when each warp has exited.
class OpenCtas {
 public:
  /// A grid begins.
  void begin(const Grid& grid) {
    ctas_ = grid.ctas;
    first_ = 0;
    open_.clear();
    allExited_ = static_cast<LaneMask>((std::uint64_t{1} << grid.warpsPerCta()) - 1);
  }
  /// Every CTA has ended; so before the first grid.
  bool allEnded() const { return open_.empty() && first_ == ctas_; }
  /// Every CTA below has ended.
  std::uint64_t first() const { return first_; }

  /// Number of the CTA that starts next.
  std::uint64_t next() const { return first_ + open_.size(); }
  /// Precondition: next() is a CTA of the grid.
  void start() { open_.push_back(0); }

  /// Has started, and maybe ended out of order.
  bool isOpen(std::uint64_t cta) const { return cta - first_ < open_.size(); }  // wraps below
  /// Precondition of these two: isOpen(cta), and it has this warp.
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
  std::deque<LaneMask> open_;  ///< from first_ on, the exited warps as bits
};

}  // namespace fermata::traces
