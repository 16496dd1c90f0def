// Names of the functions that kernels find without a definition: the run-time library's.
#pragma once

#include <string_view>

namespace fermata::ptx {

/// Returns whether device_launches.cpp carries the function out. Compilers of CUDA 12 and later put
/// __cudaCDP2 before the names.
bool isDeviceLaunchFunction(std::string_view name);

/// Returns whether runtime_library.cpp or device_launches.cpp carries the function out.
inline bool isOfRuntimeLibrary(std::string_view name) {
  return isDeviceLaunchFunction(name) || name == "vprintf" || name == "__assertfail" || name == "malloc" || name == "free";
}

}  // namespace fermata::ptx
