// What the issue stage must know of every warp, in flat arrays indexed by warp slot: which
// instruction comes next, what it waits for, and from which cycle on it has its operands.
#pragma once

#include <fermata/models/core/pipelines.h>
#include <fermata/models/core/wake_calendar.h>

#include <array>

namespace fermata {

class WarpTable {
 public:
  /// No warp lives in the slot.
  void clear(unsigned slot) {
    const SlotMask others = ~slotBit(slot);
    calendar_.set(slot, kNever);
    next_[slot] = nullptr;
    wants_[static_cast<unsigned>(kind_[slot])] &= others;
    waiting_ &= others;
    live_ &= others;
  }
  /// The warp's next instruction; its operands are there in cycle `at`.
  void set(unsigned slot, const StaticInstruction* next, Cycle at) {
    const SlotMask bit = slotBit(slot);
    next_[slot] = next;
    calendar_.set(slot, at);
    const IssueKind kind = issueKind(*next);
    if (kind != kind_[slot]) wants_[static_cast<unsigned>(kind_[slot])] &= ~bit;
    kind_[slot] = kind;
    wants_[static_cast<unsigned>(kind)] |= bit;
    live_ |= bit;
    waiting_ &= ~bit;
  }
  /// The warp waits at a barrier.
  void hold(unsigned slot) {
    calendar_.set(slot, kNever);
    waiting_ |= slotBit(slot);
  }
  /// The cycle is now `now`.
  void advance(Cycle now) { calendar_.advance(now); }

  const StaticInstruction* next(unsigned slot) const { return next_[slot]; }
  IssueKind kind(unsigned slot) const { return kind_[slot]; }
  SlotMask waiting() const { return waiting_; }
  SlotMask live() const { return live_; }
  /// Slots whose next instruction accesses memory of any space.
  SlotMask wantingMemory() const {
    SlotMask slots = 0;
    for (unsigned k = 0; k < kIssueKinds; ++k) {
      if (isMemory(static_cast<IssueKind>(k))) slots |= wants_[k];
    }
    return slots;
  }

  /// Slots of `among` whose next instruction has its operands and finds its units in cycle `now`,
  /// which is that of advance().
  SlotMask issuable(SlotMask among, const Pipelines& pipelines, Cycle now) const {
    const SlotMask slots = calendar_.ready() & among;
    if (slots == 0 || pipelines.allFree(now)) return slots;
    return slots & ~wanting(pipelines.blocked(now));
  }
  /// The earliest cycle, `from` or later, in which some slot could issue.
  Cycle earliestIssue(const Pipelines& pipelines, Cycle from) const;

  /// Slots of `among` that have their operands first, and when: `from` or later.
  struct Ready {
    Cycle at = kNever;
    SlotMask slots = 0;
  };
  Ready earliestReady(SlotMask among, Cycle from) const;

  /// Why slots that have their operands do not issue in cycle `at`.
  StallCause blockedBy(SlotMask slots, const Pipelines& pipelines, Cycle at) const {
    return stronger(StallCause::Pipeline, pipelines.why(kindsOf(slots), at));
  }

 private:
  /// Slots whose next instruction is of one of `kinds`, a bit each.
  SlotMask wanting(unsigned kinds) const {
    SlotMask slots = 0;
    for (; kinds != 0; kinds &= kinds - 1)
      slots |= wants_[static_cast<unsigned>(__builtin_ctz(kinds))];
    return slots;
  }
  /// What the next instructions of `slots` are: a bit for each IssueKind.
  unsigned kindsOf(SlotMask slots) const {
    unsigned kinds = 0;
    for (unsigned k = 0; k < kIssueKinds; ++k) kinds |= unsigned{(wants_[k] & slots) != 0} << k;
    return kinds;
  }
  Cycle earliestOfReady(const Pipelines& pipelines, Cycle from) const;

  WakeCalendar calendar_;
  std::array<const StaticInstruction*, kMaxWarpSlots> next_{};
  std::array<IssueKind, kMaxWarpSlots> kind_{};
  std::array<SlotMask, kIssueKinds> wants_{};
  SlotMask waiting_ = 0;
  SlotMask live_ = 0;
};

}  // namespace fermata
