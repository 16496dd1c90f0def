// The addresses that a row of a trace gives to its lanes.
#pragma once

#include <array>
#include <cstdint>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::sass {

/// Either a run, in which lane l has base + stride * (l - first lane), or one address for each lane
/// of the mask in rising order.
struct RowAddresses {
  LaneMask lanes = 0;
  bool run = true;
  std::uint64_t base = 0;
  std::int64_t stride = 0;
  std::array<std::uint64_t, kWarpLanes> each;  ///< if no run: one for each lane of the mask

  unsigned count() const { return laneCount(lanes); }

  /// Turns a run into one address for each lane.
  void expand() {
    if (!run) return;
    run = false;
    if (lanes == 0) return;
    const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
    unsigned k = 0;
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      each[k++] = base + static_cast<std::uint64_t>(stride * static_cast<int>(lane - first));
    }
  }

  /// Keeps the lanes of `kept` alone.
  void keep(LaneMask kept) {
    if ((lanes & ~kept) == 0) return;
    expand();
    unsigned from = 0, to = 0;
    for (LaneMask left = lanes; left != 0; left &= left - 1, ++from) {
      if ((kept & left & (~left + 1)) != 0) each[to++] = each[from];
    }
    lanes &= kept;
  }
};

}  // namespace fermata::sass
