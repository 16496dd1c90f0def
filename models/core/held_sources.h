// Holds instructions of a warp back behind its accesses: those that write registers which an access
// still reads (write after read), and the next access. Plain C++.
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
    nextAccess_.fill(0);
  }
  /// Keeps the warp's next access back until cycle `until`, if the instruction is one.
  void space(unsigned slot, const StaticInstruction& instruction, Cycle until) {
    if (isAccess(instruction)) nextAccess_[slot] = until;
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
  /// Returns the first cycle, `from` or later, in which the instruction may issue.
  Cycle free(unsigned slot, const StaticInstruction& instruction, Cycle from) const {
    if (nextAccess_[slot] > from && isAccess(instruction)) from = nextAccess_[slot];
    if (last_[slot] <= from) return from;
    const std::uint32_t* const registers = until_.of(slot);
    std::uint32_t last = 0;
    for (unsigned i = 0; i < instruction.writeCount; ++i)
      last = std::max(last, registers[instruction.writes[i]]);
    return std::max(from, until_.cycle(last));
  }

 private:
  /// True for an access of the lanes; engines and tensor units read for themselves.
  static bool isAccess(const StaticInstruction& one) {
    return one.instructionClass == InstructionClass::Memory && !one.streams && !one.ofEngine() &&
           one.space != MemorySpace::Constant && one.space != MemorySpace::Parameter;
  }

  RegisterCycles until_;
  std::array<Cycle, kMaxWarpSlots> last_{};        ///< by slot: greatest of its registers
  std::array<Cycle, kMaxWarpSlots> nextAccess_{};  ///< by slot
};

}  // namespace fermata
