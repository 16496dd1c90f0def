// Tells by its opcode what arithmetic an instruction of PTX does.
#pragma once

#include <string_view>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::ptx {

/// Returns the arithmetic of an instruction, such as MultiplyAdd for `fma.rn.f32`.
Arithmetic arithmeticOf(std::string_view opcode);

}  // namespace fermata::ptx
