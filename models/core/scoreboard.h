// Scoreboard: the cycle in which each register of each warp can be read.
#pragma once

#include <algorithm>
#include <vector>

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/prefetch.h>
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

/// Registers are flat: [slot][register]. A register whose cycle is not known yet holds kNever.
class Scoreboard {
 public:
  static constexpr std::uint32_t kFew = 64;  ///< registers of a warp that prefetch() asks for

  /// Makes room for warps of `registers` registers each. All registers are ready.
  void configure(unsigned slots, std::uint32_t registers) {
    registers_ = registers;
    ready_.assign(std::size_t{slots} * registers, 0);
  }
  void clear(unsigned slot) { std::fill_n(ready_.begin() + offset(slot), registers_, Cycle{0}); }

  /// Returns the first cycle in which the instruction finds its operands (read after write) and its
  /// results are no longer pending (write after write).
  /// `first`: index of the first operand that it waits for.
  Cycle ready(unsigned slot, const StaticInstruction& instruction, unsigned first = 0) const {
    const Cycle* registers = ready_.data() + offset(slot);
    Cycle at = 0;
    for (unsigned i = first; i < instruction.readCount; ++i)
      at = std::max(at, registers[instruction.reads[i]]);
    for (unsigned i = 0; i < instruction.writeCount; ++i)
      at = std::max(at, registers[instruction.writes[i]]);
    return at;
  }
  /// Returns the first cycle in which the instruction finds its first `count` operands.
  Cycle operands(unsigned slot, const StaticInstruction& instruction, unsigned count) const {
    const Cycle* registers = ready_.data() + offset(slot);
    Cycle at = 0;
    for (unsigned i = 0; i < count; ++i) at = std::max(at, registers[instruction.reads[i]]);
    return at;
  }
  /// Asks the host's cache for the registers of warps.
  void prefetch(SlotMask slots) const {
    for (; slots != 0; slots &= slots - 1) {
      const Cycle* const registers = ready_.data() + offset(lowestSlot(slots));
      fermata::prefetch(registers, registers + std::min(registers_, kFew));
    }
  }
  void write(unsigned slot, const StaticInstruction& instruction, Cycle at) {
    Cycle* registers = ready_.data() + offset(slot);
    for (unsigned i = 0; i < instruction.writeCount; ++i) registers[instruction.writes[i]] = at;
  }

 private:
  std::ptrdiff_t offset(unsigned slot) const {
    return static_cast<std::ptrdiff_t>(std::size_t{slot} * registers_);
  }

  std::uint32_t registers_ = 0;
  std::vector<Cycle> ready_;
};

}  // namespace fermata
