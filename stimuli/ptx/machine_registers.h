// Estimates how many registers per thread ptxas gives a kernel, from live ranges.
//
//   1. Reads and writes are those of the machine code (machine_operands.cpp), and words those that
//      it keeps: no upper half of an address in shared memory, nothing for uniform values.
//   2. Each block is scheduled as ptxas does: loads early, as far as registers are free
//      (load_schedule.h).
//   3. Registers are handed out in units of 8, and 32 per thread let an SM hold all of its warps.
//      Within what is free so, a register is not written again right behind its last reader.
#pragma once

#include <fermata/stimuli/ptx/liveness.h>
#include <fermata/stimuli/ptx/load_schedule.h>
#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {

struct MachineRegisters {
  unsigned count = 0;                ///< the estimate, without the entry's limit
  std::vector<ScheduledPart> order;  ///< all parts of the entry, as they are scheduled
};
MachineRegisters machineRegisters(const KernelCode& code, const Folding& folding,
                                  const MachineParts& parts);

/// Sets to 0 the words of the registers that the machine keeps in its uniform registers: integers
/// that are equal in all lanes of a warp, where the lanes go together and every reader can name a
/// uniform register.
void freeUniformRegisters(const KernelCode& code, const Folding& folding, RegisterUses& uses);

}  // namespace fermata::ptx
