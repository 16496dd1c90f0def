// Order of the instructions of a block as ptxas schedules them, in outline: the one with the
// longest way to the end of the block first, so that loads begin early and chains of instructions
// overlap; within a budget of registers.
//
// Warps execute machine code in this order. So it keeps every dependence of PTX, also those of
// instructions that cost nothing in the machine.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/ptx/liveness.h>

namespace fermata::ptx {

/// Instructions of the machine, by PC of PTX: one, those of a sequence, of which the last one
/// computes what PTX says, or none.
using MachineParts = std::vector<std::vector<StaticInstruction>>;

/// An instruction of the machine, or one of PTX that costs none.
struct ScheduledPart {
  std::uint32_t pc = 0;    ///< of PTX
  std::uint32_t part = 0;  ///< index in its MachineParts
};

/// Returns the order of the entry's instructions. Each block keeps its instructions of PTX, and its
/// last one stays last. `uses`, `live`: registers by PC, in the order of PTX. Rows must not be
/// shared yet (row_packing.h).
std::vector<ScheduledPart> scheduledOrder(const KernelCode& code, const MachineParts& parts,
                                          const RegisterUses& uses, const LiveRegisters& live,
                                          unsigned budget);

}  // namespace fermata::ptx
