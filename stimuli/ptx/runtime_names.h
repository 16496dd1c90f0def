// Names of the functions that kernels find without a definition: the run-time library's.
#pragma once

#include <string_view>

namespace fermata::ptx {

/// Returns whether runtime_library.cpp carries the function out.
inline bool isOfRuntimeLibrary(std::string_view name) {
  return name == "vprintf" || name == "__assertfail" || name == "malloc" || name == "free";
}

}  // namespace fermata::ptx
