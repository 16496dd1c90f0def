// Operands of 128 bits of assembly, which clang-16 does not have.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the source with each input of 128 bits ("q") of an asm statement as two of 64, which
/// the template joins; lines stay where they are:
///
///     asm("st.b128 [%0], %1;" :: "l"(p), "q"(v));
///     asm("{ .reg .b128 q1; mov.b128 q1, {%1, %2}; st.b128 [%0], q1; }" :: "l"(p), "l"(low of v),
///         "l"(high of v));
///
/// Statements with results of 128 bits or with named operands stay.
std::string withWideOperands(const std::string& source);

}  // namespace fermata::platforms
