// Would the executor take the device code of a program?
#pragma once

#include <string>

namespace fermata::platforms {

/// Empty where it does. Else, for a reader of the .cu: "app.cu:17: what is wrong", the line by the
/// PTX's own table of lines where it has one.
std::string refusalOf(const std::string& ptx, const std::string& source);

}  // namespace fermata::platforms
