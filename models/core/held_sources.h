// The registers that accesses on their way to memory still read, by warp: a later instruction must
// not write them before (write after read). Plain C++.
#pragma once

#include <fermata/models/core/register_cycles.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <array>

namespace fermata {

class HeldSources {
 public:
  /// Makes room for warps of `registers` registers each. No register is held.
  void configure(unsigned slots, std::uint32_t registers) {
    until_.configure(slots, registers);
    last_.fill(0);
  }
  /// Holds the registers that the instruction reads until cycle `until`, which has not passed.
  void hold(unsigned slot, const StaticInstruction& instruction, Cycle until) {
    const std::uint32_t value = until_.value(until);
    std::uint32_t* const registers = until_.of(slot);
    for (unsigned i = 0; i < instruction.readCount; ++i) {
      std::uint32_t& held = registers[instruction.reads[i]];
      held = std::max(held, value);
    }
    last_[slot] = std::max(last_[slot], until);
  }
  /// Returns the first cycle, `from` or later, in which the instruction may write its results.
  Cycle free(unsigned slot, const StaticInstruction& instruction, Cycle from) const {
    if (last_[slot] <= from) return from;
    const std::uint32_t* const registers = until_.of(slot);
    std::uint32_t last = 0;
    for (unsigned i = 0; i < instruction.writeCount; ++i)
      last = std::max(last, registers[instruction.writes[i]]);
    return std::max(from, until_.cycle(last));
  }

 private:
  RegisterCycles until_;
  std::array<Cycle, kMaxWarpSlots> last_{};  ///< by slot: greatest of its registers
};

}  // namespace fermata
