// The CTAs that are resident: which warp slots and which window of the scratchpad each holds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/slot_mask.h>
#include <fermata/models/timing/cycle.h>

namespace fermata {

/// A resident CTA.
struct Cta {
  std::uint64_t number = 0;      ///< in the grid
  std::uint64_t serial = 0;      ///< rises from CTA to CTA placed, of whatever grid
  unsigned first = 0;            ///< its first warp slot
  unsigned live = 0;             ///< warps that have not exited
  unsigned pending = 0;          ///< accesses whose response has not come
  std::uint32_t windowBase = 0;  ///< first byte of its shared memory
  Cycle retires = 0;             ///< when its last result arrives
  bool resident = false;

  /// Every warp has exited and every response is known: it retires in cycle `retires`.
  bool draining() const { return resident && live == 0 && pending == 0; }
};

/// All CTAs of a grid are of one size, so places are fixed while it runs: place i holds warp slots
/// [i * warps, (i + 1) * warps) and the window of the scratchpad that starts at i * windowStride.
class CtaTable {
 public:
  /// Precondition: `places` CTAs of the grid fit.
  void configure(const Grid& grid, unsigned places, std::uint32_t windowStride);

  bool hasPlace() const { return resident_ < places_.size(); }
  unsigned resident() const { return resident_; }
  Cta& place(std::uint64_t number);
  void remove(Cta& cta);
  /// A warp of the CTA has exited.
  void warpExited(Cta& cta) {
    if (--cta.live == 0) ++exited_;
  }
  /// CTAs whose warps have all exited, and which have not been removed.
  unsigned exited() const { return exited_; }
  Cta& ofSlot(unsigned slot) { return places_[placeOf_[slot]]; }
  const Cta& ofSlot(unsigned slot) const { return places_[placeOf_[slot]]; }
  std::vector<Cta>& places() { return places_; }
  const std::vector<Cta>& places() const { return places_; }
  unsigned warpsPerCta() const { return warps_; }

 private:
  std::vector<Cta> places_;
  std::array<std::uint8_t, kMaxWarpSlots> placeOf_{};  ///< by warp slot
  std::uint64_t placed_ = 0;
  unsigned warps_ = 1;
  unsigned resident_ = 0;
  unsigned exited_ = 0;
};

}  // namespace fermata
