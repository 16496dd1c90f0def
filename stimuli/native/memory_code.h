// Loads and stores of a warp as code of the host: of one row of memory, of one place, or of places
// of their own. What lies outside of its memory, or is misaligned, is left to the executor.
#pragma once

#include <fermata/stimuli/native/lane_code.h>

namespace fermata::native {

/// Writes the code of a load or store. Returns false if it writes none.
bool writeAccess(LaneCode& code, const ptx::Instruction& i);

}  // namespace fermata::native
