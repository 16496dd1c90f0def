// Checks whether the executor accepts the device code of a program.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns an empty text if it does. Otherwise returns "app.cu:17: what is wrong" for a reader of
/// the .cu; the line comes from the PTX's line table, if there is one.
/// `relocatable`: kernels may call what other units define, so only the syntax is checked.
std::string refusalOf(const std::string& ptx, const std::string& source, bool relocatable = false);

}  // namespace fermata::platforms
