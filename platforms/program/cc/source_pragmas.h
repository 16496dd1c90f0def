// Pragmas in the definitions of macros, which nvcc accepts and clang-16 does not.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the source with each pragma in the definition of a macro without parameters written as
/// an operator; lines stay where they are:
///
///     #define UNROLL #pragma unroll
///     #define UNROLL _Pragma("unroll")
std::string withPragmaOperators(const std::string& source);

}  // namespace fermata::platforms
