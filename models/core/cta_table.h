// The resident CTAs: the warp slots and the window of the scratchpad that each of them holds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/sm_room.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/slot_mask.h>

namespace fermata {

/// A resident CTA.
struct Cta {
  std::uint64_t number = 0;    ///< number within the grid
  std::uint64_t serial = 0;    ///< rises with each CTA placed, across grids
  const Grid* grid = nullptr;  ///< the grid that it is of
  unsigned member = 0;         ///< number of the grid in its set, if there is one
  unsigned first = 0;          ///< first warp slot
  unsigned warps = 1;
  unsigned live = 0;             ///< warps that have not exited
  unsigned pending = 0;          ///< accesses whose response has not come
  std::uint32_t windowBase = 0;  ///< first byte of the CTA's window in the scratchpad
  Cycle retires = 0;             ///< cycle in which the last result known so far arrives
  Cycle free = 0;                ///< the CTA's first instruction issues no sooner
  bool resident = false;

  /// True once every warp has exited and every response is known: the CTA retires in cycle
  /// `retires`.
  bool draining() const { return resident && live == 0 && pending == 0; }
};

/// All CTAs of a grid have one size, so places are fixed while a grid runs alone: place i holds
/// warp slots [i * warps, (i + 1) * warps) and the scratchpad window that starts at i *
/// windowStride. A cluster takes neighbouring places, by rank: the first is a multiple of its CTAs.
///
/// CTAs of several grids take the room that they find (sm_room.h).
class CtaTable {
 public:
  /// Makes `places` empty places for CTAs of the grid, `clusterCtas` of a cluster here.
  /// Precondition: as many fit.
  void configure(const Grid& grid, unsigned clusterCtas, unsigned places,
                 std::uint32_t windowStride);
  /// Makes the table empty, for CTAs of several grids on a multiprocessor with these limits.
  void mix(const OccupancyLimits& limits);
  /// Returns how many CTAs of the grid have room; 0: not one. Call mix() first, as for placeOf().
  unsigned roomFor(const Grid& grid) const;
  /// Places a CTA of a member of a set. Precondition: roomFor() is not 0.
  Cta& placeOf(const Grid& grid, unsigned member, std::uint64_t number);

  /// True if a CTA or, with clusters, a whole cluster has a place.
  bool hasPlace() const {
    return clusterCtas_ == 1 ? resident_ < places_.size() : emptyGroup() < places_.size();
  }
  unsigned resident() const { return resident_; }
  Cta& place(std::uint64_t number);
  /// The next CTA in this place begins in cycle `free` or later.
  void remove(Cta& cta, Cycle free);
  /// Records that a warp of the CTA has exited.
  void warpExited(Cta& cta) {
    if (--cta.live == 0) ++exited_;
  }
  /// Returns how many CTAs have no live warp and have not been removed.
  unsigned exited() const { return exited_; }
  Cta& ofSlot(unsigned slot) { return places_[placeOfSlot_[slot]]; }
  const Cta& ofSlot(unsigned slot) const { return places_[placeOfSlot_[slot]]; }
  std::vector<Cta>& places() { return places_; }
  const std::vector<Cta>& places() const { return places_; }
  /// Returns the first warp slot of the cluster that has this slot.
  unsigned clusterFirst(unsigned slot) const {
    if (clusterCtas_ == 1) return ofSlot(slot).first;
    const unsigned warps = clusterCtas_ * warps_;
    return slot / warps * warps;
  }

 private:
  std::size_t emptyGroup() const;
  void fill(Cta& cta, std::uint64_t number);

  std::vector<Cta> places_;
  std::array<std::uint8_t, kMaxWarpSlots> placeOfSlot_{};  ///< index in places_, by warp slot
  std::uint64_t placed_ = 0;
  unsigned warps_ = 1;
  unsigned clusterCtas_ = 1;
  std::size_t group_ = 0;  ///< first place of the cluster that is being placed
  unsigned resident_ = 0;
  unsigned exited_ = 0;
  bool mixed_ = false;
  SmRoom room_;             ///< of mix()
  OccupancyLimits limits_;  ///< of mix()
};

}  // namespace fermata
