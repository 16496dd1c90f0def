// Places before operand collectors that all kinds of instructions share (shared_collectors.h): each
// scheduler has one for each kind of arithmetic, and one for memory instructions. An instruction
// issues into its place and stays there until a collector takes it, and the next one of this
// scheduler and kind issues no earlier.
#pragma once

#include <fermata/models/core/issue_kind.h>
#include <fermata/models/core/scheduler_map.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class CollectorGates {
 public:
  explicit CollectorGates(const SchedulerMap& map)
      : map_(map), gates_(map.schedulers()), slots_(map.schedulers(), 0) {
    for (unsigned slot = 0; slot < kMaxWarpSlots; ++slot) slots_[map.of(slot)] |= slotBit(slot);
  }

  /// Returns the first cycle from `from` on in which the warp's place for the kind is free.
  Cycle free(unsigned slot, IssueKind kind, Cycle from) const {
    const unsigned place = placeOf(kind);
    return place == kNoPlace ? from : std::max(from, gates_[map_.of(slot)][place]);
  }
  /// Returns the slots whose scheduler's place for the kind is taken in cycle `at`.
  SlotMask closed(IssueKind kind, Cycle at) const {
    SlotMask slots = 0;
    const unsigned place = placeOf(kind);
    if (place == kNoPlace) return slots;
    for (std::size_t s = 0; s < gates_.size(); ++s) {
      if (gates_[s][place] > at) slots |= slots_[s];
    }
    return slots;
  }
  void close(unsigned slot, unsigned place, Cycle until) { gates_[map_.of(slot)][place] = until; }

 private:
  SchedulerMap map_;
  std::vector<std::array<Cycle, kPlaces>> gates_;  ///< by scheduler, then place
  std::vector<SlotMask> slots_;                    ///< by scheduler
};

}  // namespace fermata
