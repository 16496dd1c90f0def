// Keeps the accesses of a warp in order. Once an access has lanes left, later accesses of the warp,
// which may already be on their way, must not overtake it. Each path that leaves lanes has a
// WarpOrder for the accesses it receives; the core's memory port has one for all paths.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <algorithm>
#include <vector>

namespace fermata {

/// Call order for each try: `mayServe`, then `left` or `served`.
class WarpOrder {
 public:
  /// True if no earlier access of the same warp has lanes left.
  bool mayServe(const WarpAccess& access) const {
    if (left_.empty()) return true;
    if (access.slot >= left_.size()) return true;
    const std::vector<std::uint64_t>& warp = left_[access.slot];
    return std::none_of(warp.begin(), warp.end(),
                        [&](std::uint64_t sequence) { return sequence < access.sequence; });
  }
  /// Records that the access has lanes left and will be tried again. Ignores an access whose
  /// producer takes the outcome: the producer brings these lanes in another access, and its warp
  /// has no other access on its way meanwhile.
  void left(const WarpAccess& access) {
    if (access.instruction.takesOutcome) return;
    if (access.slot >= left_.size()) left_.resize(access.slot + 1);
    std::vector<std::uint64_t>& warp = left_[access.slot];
    if (std::find(warp.begin(), warp.end(), access.sequence) == warp.end())
      warp.push_back(access.sequence);
  }
  /// Records that the last lanes of the access have been served.
  void served(const WarpAccess& access) {
    if (left_.empty()) return;
    if (access.slot >= left_.size()) return;
    std::vector<std::uint64_t>& warp = left_[access.slot];
    warp.erase(std::remove(warp.begin(), warp.end(), access.sequence), warp.end());
  }

 private:
  std::vector<std::vector<std::uint64_t>> left_;  ///< [warp slot]: sequence numbers; mostly empty
};

}  // namespace fermata
