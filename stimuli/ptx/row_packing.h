// Registers that are never live at the same time share a row. PTX names a register for every value;
// the rows of a kernel that is unrolled would else not fit the host's caches.
//
// Only the data moves: the scoreboard and occupancy go on with the registers as PTX has them. The
// registers that an instruction reads keep rows of their own until it has written, so no handler
// sees a source change under it. What is read before it is written stays 0.
#pragma once

#include <fermata/stimuli/ptx/liveness.h>

namespace fermata::ptx {

void packRows(KernelCode& code, const LiveRegisters& live);

}  // namespace fermata::ptx
