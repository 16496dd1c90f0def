// Makes registers that are never live at the same time share a row. PTX names a register for every
// value, so that the rows of an unrolled kernel would not fit the host's caches.
//
// Only the data moves: the scoreboard and occupancy still see the registers of the PTX. Registers
// that an instruction reads keep rows of their own until it has written, so that no handler sees a
// source change under it. A register that is read before it is written stays 0.
#pragma once

#include <fermata/stimuli/ptx/liveness.h>

namespace fermata::ptx {

/// Returns whether the scoreboard knows that the instruction reads or writes the register.
bool names(const StaticInstruction& known, RegisterId id);

void packRows(KernelCode& code, const LiveRegisters& live);

}  // namespace fermata::ptx
