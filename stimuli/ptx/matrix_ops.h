// Instructions of a whole warp on matrices: ldmatrix, stmatrix.
//
// All 32 lanes execute them together (.aligned); a warp that lacks lanes is refused, since the ISA
// leaves open what it would do.
#pragma once

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

/// False: not now, members of other splits are waited for. InputError where lanes are missing.
bool isWholeWarp(Warp& warp, const Instruction& i, LaneMask mask);

// Matrices of 8 rows of 16 bytes in shared memory (matrix_memory_ops.cpp). elements: matrices, 1, 2
// or 4; vector[0..elements): rows of 32-bit words; a, offset: lanes 8m to 8m+7 give the rows of
// matrix m, further lanes nothing; flags: kTransposed, kGenericAddress.
inline constexpr std::uint8_t kTransposed = 1;
inline constexpr std::uint8_t kGenericAddress = 2;
void executeLoadMatrix(Warp& warp, const Instruction& i, LaneMask mask);
void executeStoreMatrix(Warp& warp, const Instruction& i, LaneMask mask);

}  // namespace fermata::ptx
