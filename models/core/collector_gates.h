// Places before operand collectors that all kinds of arithmetic share (shared_collectors.h): each
// scheduler has one for each kind. An instruction issues into its place and stays there until a
// collector takes it, and the next one of this scheduler and kind issues no earlier.
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
    return isArithmetic(kind) ? std::max(from, gates_[map_.of(slot)][index(kind)]) : from;
  }
  /// Returns the slots whose scheduler's place for the kind is taken in cycle `at`.
  SlotMask closed(IssueKind kind, Cycle at) const {
    SlotMask slots = 0;
    for (std::size_t s = 0; s < gates_.size(); ++s) {
      if (gates_[s][index(kind)] > at) slots |= slots_[s];
    }
    return slots;
  }
  void close(unsigned slot, IssueKind kind, Cycle until) {
    gates_[map_.of(slot)][index(kind)] = until;
  }

 private:
  static constexpr std::size_t index(IssueKind kind) { return static_cast<std::size_t>(kind); }

  SchedulerMap map_;
  std::vector<std::array<Cycle, kArithmeticKinds>> gates_;  ///< by scheduler, then IssueKind
  std::vector<SlotMask> slots_;                             ///< by scheduler
};

}  // namespace fermata
