// Room of a streaming multiprocessor for CTAs of several grids at once: each takes neighbouring
// warp slots, a window of the scratchpad, registers and threads, wherever they are free. Plain C++.
#pragma once

#include <fermata/models/core/occupancy.h>
#include <fermata/models/vocabulary/slot_mask.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace fermata {

/// Holds the needs of a CTA.
struct CtaNeeds {
  unsigned warps = 0;
  std::uint64_t registers = 0;
  std::uint32_t window = 0;  ///< bytes of the scratchpad
  std::uint32_t shared = 0;  ///< `window`, with what the system takes for a CTA
};
CtaNeeds needsOf(const Grid& grid, const OccupancyLimits& limits);

class SmRoom {
 public:
  struct Place {
    unsigned firstSlot = 0;
    std::uint32_t windowBase = 0;
  };

  /// Begins with a multiprocessor of these limits without CTAs.
  void clear(const OccupancyLimits& limits);
  /// Returns how many such CTAs have room, if slots and windows lie well.
  unsigned room(const CtaNeeds& needs) const;
  /// Returns the first place for such a CTA: the lowest free slots, an even number first if it has
  /// several warps. Its window starts at a multiple of the power of two that covers its size
  /// (occupancy.h says why), or behind others if there is none. Nothing: there is no place.
  std::optional<Place> find(const CtaNeeds& needs) const;
  void take(const CtaNeeds& needs, const Place& place);
  /// Precondition: take() had the same values.
  void giveBack(const CtaNeeds& needs, const Place& place);

 private:
  struct Window {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  static SlotMask slotsOf(unsigned first, unsigned warps) {
    const SlotMask all = warps == kMaxWarpSlots ? ~SlotMask{0} : slotBit(warps) - 1;
    return all << first;
  }
  std::optional<unsigned> freeSlots(unsigned warps) const;
  std::optional<std::uint32_t> freeWindow(const CtaNeeds& needs, std::uint32_t step) const;

  OccupancyLimits limits_;
  SlotMask free_ = 0;  ///< warp slots without a warp
  unsigned ctas_ = 0;
  unsigned warps_ = 0;
  std::uint64_t registers_ = 0;  ///< taken
  std::uint32_t shared_ = 0;     ///< bytes taken, with those of the system
  std::vector<Window> windows_;  ///< that are not empty, by address
};

}  // namespace fermata
