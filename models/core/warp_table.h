// The state of every warp that the issue stage needs, in flat arrays indexed by warp slot: the next
// instruction, the units it needs, and the cycle from which it has its operands.
#pragma once

#include <fermata/models/core/pipelines.h>
#include <fermata/models/core/wake_calendar.h>

#include <array>

namespace fermata {

class WarpTable {
 public:
  /// Sets the kinds of instructions as GPGPU-Sim has them, where collectors are: branches and
  /// barriers go to the integer units, if there are any, as do moves of every type. Divisions go to
  /// the special units, and so do those of doubles that have a timing of their own.
  void kindsBehindCollectors(const PipelineParameters& pipelines);
  /// Empties the slot: no warp lives there.
  void clear(unsigned slot) {
    const SlotMask others = ~slotBit(slot);
    calendar_.set(slot, kNever);
    next_[slot] = nullptr;
    wants_[static_cast<unsigned>(kind_[slot])] &= others;
    waiting_ &= others;
    live_ &= others;
  }
  /// Sets the warp's next instruction, whose operands are there in cycle `at`.
  void set(unsigned slot, const StaticInstruction* next, Cycle at) {
    const SlotMask bit = slotBit(slot);
    next_[slot] = next;
    calendar_.set(slot, at);
    const IssueKind kind = next->instructionClass == InstructionClass::Memory
                               ? kKindOfSpace[static_cast<unsigned>(next->space)]
                               : kindOf_[static_cast<unsigned>(next->instructionClass)]
                                        [static_cast<unsigned>(next->arithmetic)];
    if (kind != kind_[slot]) wants_[static_cast<unsigned>(kind_[slot])] &= ~bit;
    kind_[slot] = kind;
    wants_[static_cast<unsigned>(kind)] |= bit;
    live_ |= bit;
    waiting_ &= ~bit;
  }
  /// Changes the cycle given to set(). Precondition: the warp does not wait at a barrier.
  void setReady(unsigned slot, Cycle at) { calendar_.set(slot, at); }
  /// Marks the warp as waiting at a barrier.
  void hold(unsigned slot) {
    calendar_.set(slot, kNever);
    waiting_ |= slotBit(slot);
  }
  /// Goes on to cycle `now`.
  void advance(Cycle now) { calendar_.advance(now); }

  const StaticInstruction* next(unsigned slot) const { return next_[slot]; }
  /// Returns the cycle given to set() last; kNever: unknown, or the warp waits at a barrier.
  Cycle readyAt(unsigned slot) const { return calendar_.at(slot); }
  IssueKind kind(unsigned slot) const { return kind_[slot]; }
  SlotMask waiting() const { return waiting_; }
  SlotMask live() const { return live_; }
  /// True if some slot has its operands in the cycle of advance().
  bool anyReady() const { return calendar_.ready() != 0; }
  /// Returns the slots whose next instruction accesses memory of any space.
  SlotMask wantingMemory() const {
    SlotMask slots = 0;
    for (unsigned k = 0; k < kIssueKinds; ++k) {
      if (isMemory(static_cast<IssueKind>(k))) slots |= wants_[k];
    }
    return slots;
  }

  /// Returns the slots of `among` whose next instruction has its operands and finds its units in
  /// cycle `now`. Precondition: `now` is the cycle of advance().
  SlotMask issuable(SlotMask among, const Pipelines& pipelines, Cycle now) const {
    const SlotMask slots = calendar_.ready() & among;
    if (slots == 0 || pipelines.allFree(now)) return slots;
    return slots & ~wanting(pipelines.blocked(now)) & ~apart(pipelines, now);
  }
  /// Returns the earliest cycle, `from` or later, in which some slot could issue.
  Cycle earliestIssue(const Pipelines& pipelines, Cycle from) const;

  /// The slots of `among` that have their operands first, and the cycle in which they have them,
  /// `from` or later.
  struct Ready {
    Cycle at = kNever;
    SlotMask slots = 0;
  };
  /// The slots that are ready in cycle `to` or later are not looked for: Ready::at is then `to` or
  /// later, and Ready::slots any of them.
  Ready earliestReady(SlotMask among, Cycle from, Cycle to = kNever) const;

  /// Returns why slots that have their operands do not issue in cycle `at`.
  StallCause blockedBy(SlotMask slots, const Pipelines& pipelines, Cycle at) const {
    if ((slots & shut(pipelines)) != 0) return StallCause::MemoryPort;
    return stronger(StallCause::Pipeline, pipelines.why(kindsOf(slots), at));
  }

 private:
  /// Returns the slots whose next instruction is of one of `kinds`, one bit per IssueKind.
  SlotMask wanting(unsigned kinds) const {
    SlotMask slots = 0;
    for (; kinds != 0; kinds &= kinds - 1)
      slots |= wants_[static_cast<unsigned>(__builtin_ctz(kinds))];
    return slots;
  }
  /// Returns the slots that do not issue for another reason than blocked units: their scheduler has
  /// no room for an access, or no place before its collectors.
  SlotMask apart(const Pipelines& pipelines, Cycle at) const {
    return pipelines.apart() == 0 ? 0 : shut(pipelines) | gated(pipelines, at);
  }
  SlotMask gated(const Pipelines& pipelines, Cycle at) const;
  /// Returns the slots whose next instruction accesses memory, for which their schedulers have no
  /// room.
  SlotMask shut(const Pipelines& pipelines) const {
    const SlotMask slots = pipelines.shut();
    return slots == 0 ? 0 : slots & wanting(kAccessKinds);
  }
  /// Returns the kinds of the next instructions of `slots`, one bit per IssueKind.
  unsigned kindsOf(SlotMask slots) const {
    unsigned kinds = 0;
    for (unsigned k = 0; k < kIssueKinds; ++k) kinds |= unsigned{(wants_[k] & slots) != 0} << k;
    return kinds;
  }
  Cycle earliestOfReady(const Pipelines& pipelines, Cycle from) const;
  Cycle earliestOfGated(SlotMask slots, const Pipelines& pipelines, Cycle from) const;

  using Kinds = std::array<IssueKind, kArithmetics>;
  static constexpr std::array<Kinds, kInstructionClasses> kindsOfClasses() {
    std::array<Kinds, kInstructionClasses> kinds{};
    for (unsigned c = 0; c < kInstructionClasses; ++c) {
      for (IssueKind& kind : kinds[c]) kind = kKindOfClass[c];
    }
    kinds[static_cast<unsigned>(InstructionClass::Tensor)]
         [static_cast<unsigned>(Arithmetic::Product)] = IssueKind::GroupProduct;
    return kinds;
  }

  WakeCalendar calendar_;
  std::array<const StaticInstruction*, kMaxWarpSlots> next_{};
  std::array<IssueKind, kMaxWarpSlots> kind_{};
  std::array<SlotMask, kIssueKinds> wants_{};
  SlotMask waiting_ = 0;
  SlotMask live_ = 0;
  /// By InstructionClass, then Arithmetic.
  std::array<Kinds, kInstructionClasses> kindOf_ = kindsOfClasses();
};

}  // namespace fermata
