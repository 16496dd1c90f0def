// Which ready warps go before others, and which scheduler has the first turn of a cycle, where
// warps wait for each other. Without it some would starve: all schedulers share one port to memory.
//
// An urgent instruction (StaticInstruction::urgent) goes first: others wait for the lock that it
// gives back. A poll that a warp repeats goes last (StaticInstruction::polls): what it waits for
// may be any other instruction. Example: eight warps repeat mbarrier.test_wait, and the ninth has
// to store before it can arrive; if the polls went first, it would never do so.
//
// No document describes such a rule: it is an assumption, and the least that lets every warp get
// on.
#pragma once

#include <array>

#include <fermata/models/core/warp_table.h>
#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

class Precedence {
 public:
  Precedence() { lastPoll_.fill(kNone); }

  /// A warp begins in the slot.
  void started(unsigned slot) {
    polling_ &= ~slotBit(slot);
    spinning_ &= ~slotBit(slot);
    lastPoll_[slot] = kNone;
  }

  /// False: all ready warps are equal.
  bool matters() const { return (urgent_ | spinning_) != 0; }
  /// Those of the ready warps that the policy may choose from; some if any is ready.
  SlotMask among(SlotMask ready, const WarpTable& warps);
  /// Warps that may have an urgent instruction.
  SlotMask urgent() const { return urgent_; }
  /// Those of the ready warps that have one.
  SlotMask urgentAmong(SlotMask ready, const WarpTable& warps);
  /// The scheduler that has the first turn if none has something urgent: the one behind that of the
  /// last warp that heard the outcome of a try or repeated a poll; 0 before.
  unsigned turn() const { return turn_; }

  /// The outcome of a try has come. `isUrgent`: the warp's next instruction. `after`: the scheduler
  /// behind the warp's.
  void heard(unsigned slot, bool isUrgent, unsigned after) {
    if (isUrgent) urgent_ |= slotBit(slot);
    turn_ = after;
  }
  /// polled() wants to know that the access issues.
  bool isPoll(unsigned slot, const StaticInstruction& access) const {
    return access.polls || (polling_ & slotBit(slot)) != 0;
  }
  void polled(unsigned slot, const StaticInstruction& access, unsigned after);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  SlotMask pollsAmong(SlotMask ready, const WarpTable& warps) const;

  SlotMask urgent_ = 0;    ///< warps that had an urgent instruction when last looked at
  SlotMask polling_ = 0;   ///< warps whose last access polled
  SlotMask spinning_ = 0;  ///< warps whose last two accesses were one poll
  std::array<std::uint32_t, kMaxWarpSlots> lastPoll_{};  ///< by slot: its pc; kNone
  unsigned turn_ = 0;
};

}  // namespace fermata
