// Order of the instructions of a block as ptxas schedules them, in outline: the one with the
// longest way to the end of the block first, so that loads begin early; within a budget of
// registers.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/ptx/liveness.h>

namespace fermata::ptx {

/// Returns the order of the entry's instructions: PCs, by place. Each block keeps its places.
/// `live` is that of the order of PTX.
std::vector<std::uint32_t> scheduledOrder(const KernelCode& code, const RegisterUses& uses,
                                          const LiveRegisters& live, unsigned budget);

}  // namespace fermata::ptx
