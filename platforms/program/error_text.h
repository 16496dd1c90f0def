// An error as a person can read it.
#pragma once

#include <string>

namespace fermata::platforms {

/// What an error quotes of its input may be long or hold anything: words without a blank and lines
/// that are too long lose their middle, and control characters become '?'.
std::string readable(const std::string& what);

}  // namespace fermata::platforms
