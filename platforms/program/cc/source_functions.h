// Functions of floats of the C library that a call hands to a function template by their names.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the source with a type at each such name; lines stay where they are. To clang-16
/// `fmaxf` means two functions, of the host and of the device, and it deduces nothing from them:
///
///     reduce(fmaxf, x)   becomes   reduce(static_cast<float (*)(float, float)>(fmaxf), x)
///
/// The template must stand in the same file.
std::string withFunctionTypes(const std::string& source);

}  // namespace fermata::platforms
