// What the issue stage must know of every warp, in flat arrays indexed by warp slot.
#pragma once

#include <array>

#include <fermata/models/core/pipelines.h>
#include <fermata/models/core/warp_policy.h>

namespace fermata {

/// When the next instruction of each warp can issue, and to which pipeline.
class WarpTable {
 public:
  WarpTable() { readyAt_.fill(kNever); }

  void clear(unsigned slot) {
    readyAt_[slot] = kNever;
    next_[slot] = nullptr;
    for (SlotMask& mask : wants_) mask &= ~(SlotMask{1} << slot);
    waiting_ &= ~(SlotMask{1} << slot);
    live_ &= ~(SlotMask{1} << slot);
  }
  /// The warp's next instruction; its operands are there in cycle `at`.
  void set(unsigned slot, const StaticInstruction* next, Cycle at) {
    const SlotMask bit = SlotMask{1} << slot;
    next_[slot] = next;
    readyAt_[slot] = at;
    const PipelineKind kind = pipelineOf(next->instructionClass);
    if (kind != kind_[slot] || (wants_[static_cast<unsigned>(kind)] & bit) == 0) {
      for (SlotMask& mask : wants_) mask &= ~bit;
      wants_[static_cast<unsigned>(kind)] |= bit;
      kind_[slot] = kind;
    }
    live_ |= bit;
    waiting_ &= ~bit;
  }
  /// The warp waits at a barrier.
  void hold(unsigned slot) {
    readyAt_[slot] = kNever;
    waiting_ |= SlotMask{1} << slot;
  }

  const StaticInstruction* next(unsigned slot) const { return next_[slot]; }
  Cycle readyAt(unsigned slot) const { return readyAt_[slot]; }
  PipelineKind kind(unsigned slot) const { return kind_[slot]; }
  SlotMask waiting() const { return waiting_; }
  SlotMask live() const { return live_; }
  SlotMask wants(PipelineKind kind) const { return wants_[static_cast<unsigned>(kind)]; }

  /// Slots of `among` whose operands are there in cycle `now`.
  SlotMask ready(Cycle now, SlotMask among) const;
  /// The earliest cycle in which a slot of `among` has its operands. A cycle before `enough` is as
  /// good as `enough`: the search stops there.
  Cycle earliestReady(SlotMask among, Cycle enough) const;
  /// The earliest cycle in which some slot has its operands and its pipeline takes it;
  /// `enough` as above.
  Cycle earliestIssue(const Pipelines& pipelines, Cycle enough) const;

 private:
  alignas(64) std::array<Cycle, kMaxWarpSlots> readyAt_;
  std::array<const StaticInstruction*, kMaxWarpSlots> next_{};
  std::array<PipelineKind, kMaxWarpSlots> kind_{};
  std::array<SlotMask, kPipelineKinds> wants_{};
  SlotMask waiting_ = 0;
  SlotMask live_ = 0;
};

}  // namespace fermata
