// Text of CUDA sources that nvcc accepts and clang-16 does not, in clang's spelling.
#pragma once

#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the source as clang-16 accepts it; lines stay where they are. Besides what
/// source_device_code.h, source_functions.h, source_guides.h, source_members.h, source_pragmas.h
/// and source_wide_operands.h change:
///
///     asm("mov.u32 %0, %laneid;" : "=r"(a));     %% before the name of a special register
///     asm("..." :: "r"(a) "l"(b));               a comma between operands
///     extern "C"__global__ void kernel();        a space behind the literal
///
/// Operands (`%0`, `%[name]`) and their modifiers (`%w0`) stay. So does assembly without operands,
/// which no compiler rewrites. A number without an operand is a register's name, too: nvcc does not
/// read a template that nobody uses.
std::string clangText(const std::string& source);

/// Returns the names in the source's `#include` lines, in any branch of the preprocessor.
std::vector<std::string> includedNames(const std::string& source);

/// Returns whether the source has `__cluster_dims__` or `__block_size__` (launch_sizes.h).
bool hasLaunchSizes(const std::string& source);

/// Returns whether the source has `__shared__ alignas`, which clang-16 does not parse: our headers
/// spell __shared__ differently for such programs.
bool hasAlignasBehindShared(const std::string& source);

}  // namespace fermata::platforms
