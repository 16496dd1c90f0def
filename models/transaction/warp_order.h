// Keeps the accesses of a warp in order where lanes are left: once lanes of one are, the warp's
// later ones, which may already be on their way, must not overtake it. Each path that leaves lanes
// has one for what it is asked, the core's memory port one for all paths.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <algorithm>
#include <vector>

namespace fermata {

/// Used for each try: `mayServe`, then `left` or `served`.
class WarpOrder {
 public:
  /// No earlier access of the same warp has lanes left.
  bool mayServe(const WarpAccess& access) const {
    if (left_.empty()) return true;
    if (access.slot >= left_.size()) return true;
    const std::vector<std::uint64_t>& warp = left_[access.slot];
    return std::none_of(warp.begin(), warp.end(),
                        [&](std::uint64_t sequence) { return sequence < access.sequence; });
  }
  /// Lanes of the access stay, and this access will be tried again: not one whose producer takes
  /// the outcome, which brings them in another and meanwhile has none on its way.
  void left(const WarpAccess& access) {
    if (access.instruction.takesOutcome) return;
    if (access.slot >= left_.size()) left_.resize(access.slot + 1);
    std::vector<std::uint64_t>& warp = left_[access.slot];
    if (std::find(warp.begin(), warp.end(), access.sequence) == warp.end())
      warp.push_back(access.sequence);
  }
  /// Its last lanes have been served.
  void served(const WarpAccess& access) {
    if (left_.empty()) return;
    if (access.slot >= left_.size()) return;
    std::vector<std::uint64_t>& warp = left_[access.slot];
    warp.erase(std::remove(warp.begin(), warp.end(), access.sequence), warp.end());
  }

 private:
  std::vector<std::vector<std::uint64_t>> left_;  ///< by warp slot: sequences, mostly none
};

}  // namespace fermata
