// Scoreboard: the cycle in which each register of each warp can be read.
#pragma once

#include <fermata/models/core/register_cycles.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

/// A register whose cycle is not known yet holds kNever.
class Scoreboard {
 public:
  /// `guardLatency`: cycles that a predicate comes later as a guard than as an operand.
  explicit Scoreboard(Cycle guardLatency = 0) : guardLatency_(guardLatency) {}

  /// Makes room for warps of `registers` registers each. All registers are ready.
  void configure(unsigned slots, std::uint32_t registers) { ready_.configure(slots, registers); }
  void clear(unsigned slot) { ready_.clear(slot); }

  /// Returns the first cycle in which the instruction finds its operands (read after write) and its
  /// results are no longer pending (write after write), or one that has passed.
  /// `first`: index of the first operand that it waits for.
  Cycle ready(unsigned slot, const StaticInstruction& instruction, unsigned first = 0) const {
    const std::uint32_t* const registers = ready_.of(slot);
    std::uint32_t at = 0;
    for (unsigned i = first; i < instruction.readCount; ++i)
      at = std::max(at, registers[instruction.reads[i]]);
    for (unsigned i = 0; i < instruction.writeCount; ++i)
      at = std::max(at, registers[instruction.writes[i]]);
    return ready_.cycle(at);
  }
  /// Returns the first cycle in which the instruction finds its first `count` operands, or one that
  /// has passed.
  Cycle operands(unsigned slot, const StaticInstruction& instruction, unsigned count) const {
    const std::uint32_t* const registers = ready_.of(slot);
    std::uint32_t at = 0;
    for (unsigned i = 0; i < count; ++i) at = std::max(at, registers[instruction.reads[i]]);
    return ready_.cycle(at);
  }
  void write(unsigned slot, const StaticInstruction& instruction, Cycle at) {
    const std::uint32_t value = ready_.value(at);
    std::uint32_t* const registers = ready_.of(slot);
    for (unsigned i = 0; i < instruction.writeCount; ++i) registers[instruction.writes[i]] = value;
    if (instruction.guard == StaticInstruction::kNoGuard) return;
    // A load or a test of memory says when it is over, a comparison lets cycles pass.
    const bool says = at == kNever || instruction.instructionClass == InstructionClass::Memory;
    registers[instruction.guard] = says ? value : ready_.value(at + guardLatency_);
  }

 private:
  Cycle guardLatency_;
  RegisterCycles ready_;
};

}  // namespace fermata
