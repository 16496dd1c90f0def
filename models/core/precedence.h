// Precedence among warps that wait for each other: which ready warps go first, and which scheduler
// has the first turn of a cycle. Without precedence some warps would starve, since all schedulers
// share one port to memory.
//
// An urgent instruction (StaticInstruction::urgent) goes first: other warps wait for the lock that
// it gives back. A poll that a warp repeats (StaticInstruction::polls) goes last: any other
// instruction may be the one that it waits for. Example: eight warps repeat mbarrier.test_wait, and
// a ninth warp must store before it can arrive. If the polls went first, the store would never
// issue.
//
// No document describes such a rule. The rule is an assumption, the weakest that lets every warp
// advance.
#pragma once

#include <array>

#include <fermata/models/core/warp_table.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

class Precedence {
 public:
  Precedence() { lastPoll_.fill(kNone); }

  /// Forgets the slot's state, for a warp that begins in the slot.
  void started(unsigned slot) {
    polling_ &= ~slotBit(slot);
    spinning_ &= ~slotBit(slot);
    lastPoll_[slot] = kNone;
  }

  /// False if all ready warps are equal.
  bool matters() const { return (urgent_ | spinning_) != 0; }
  /// Returns the ready warps from which the policy may choose. Not empty if any warp is ready.
  SlotMask among(SlotMask ready, const WarpTable& warps);
  /// Returns the warps that may have an urgent instruction.
  SlotMask urgent() const { return urgent_; }
  /// Returns the ready warps that have an urgent instruction.
  SlotMask urgentAmong(SlotMask ready, const WarpTable& warps);
  /// Returns the scheduler that has the first turn if no scheduler has something urgent. It is the
  /// one after the scheduler of the warp that last heard the outcome of a try or repeated a poll;
  /// 0 before the first such event.
  unsigned turn() const { return turn_; }

  /// Notes that the outcome of a try has come. `isUrgent`: the warp's next instruction is urgent.
  /// `after`: the scheduler after the warp's.
  void heard(unsigned slot, bool isUrgent, unsigned after) {
    if (isUrgent) urgent_ |= slotBit(slot);
    turn_ = after;
  }
  /// True if polled() must be called when the access issues.
  bool isPoll(unsigned slot, const StaticInstruction& access) const {
    return access.polls || (polling_ & slotBit(slot)) != 0;
  }
  void polled(unsigned slot, const StaticInstruction& access, unsigned after);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  SlotMask pollsAmong(SlotMask ready, const WarpTable& warps) const;

  SlotMask urgent_ = 0;    ///< warps whose next instruction was urgent when last checked
  SlotMask polling_ = 0;   ///< warps whose last access polled
  SlotMask spinning_ = 0;  ///< warps whose last two accesses were the same poll
  std::array<std::uint32_t, kMaxWarpSlots> lastPoll_{};  ///< by slot: pc of the last poll, or kNone
  unsigned turn_ = 0;
};

}  // namespace fermata
