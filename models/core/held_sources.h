// The registers that accesses on their way to memory still read, by warp: a later instruction must
// not write them before (write after read). Plain C++.
#pragma once

#include <fermata/models/core/scoreboard.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/prefetch.h>
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class HeldSources {
 public:
  /// Makes room for warps of `registers` registers each. No register is held.
  void configure(unsigned slots, std::uint32_t registers) {
    registers_ = registers;
    until_.assign(std::size_t{slots} * registers, 0);
    last_.fill(0);
  }
  /// Notes the registers of warps.
  void willNeed(PrefetchList& list, SlotMask slots) const {
    if (until_.empty()) return;
    for (; slots != 0; slots &= slots - 1) {
      const Cycle* const registers = until_.data() + std::size_t{lowestSlot(slots)} * registers_;
      list.add(registers, registers + std::min(registers_, Scoreboard::kFew));
    }
  }
  /// Holds the registers that the instruction reads until cycle `until`.
  void hold(unsigned slot, const StaticInstruction& instruction, Cycle until) {
    Cycle* const registers = until_.data() + std::size_t{slot} * registers_;
    for (unsigned i = 0; i < instruction.readCount; ++i) {
      Cycle& held = registers[instruction.reads[i]];
      held = std::max(held, until);
    }
    last_[slot] = std::max(last_[slot], until);
  }
  /// Returns the first cycle, `from` or later, in which the instruction may write its results.
  Cycle free(unsigned slot, const StaticInstruction& instruction, Cycle from) const {
    if (last_[slot] <= from) return from;
    const Cycle* const registers = until_.data() + std::size_t{slot} * registers_;
    for (unsigned i = 0; i < instruction.writeCount; ++i)
      from = std::max(from, registers[instruction.writes[i]]);
    return from;
  }

 private:
  std::uint32_t registers_ = 0;
  std::vector<Cycle> until_;                 ///< [slot][register]
  std::array<Cycle, kMaxWarpSlots> last_{};  ///< by slot: greatest of its registers
};

}  // namespace fermata
