// The architectures that device code is compiled for, as nvcc's options name them.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns "sm_70" for "sm_70", "compute_70" or "native". Throws InputError that lists the known
/// ones.
std::string architectureOf(const std::string& text);
/// Checks a comma-separated list of such texts. "lto_70" is refused.
void checkCodes(const std::string& text);
/// Returns the newest architecture among `arch` and those that `text` names, such as
/// "arch=compute_70,code=[sm_70,compute_70]".
std::string newestOfCode(const std::string& arch, const std::string& text);
/// Returns the PTX version that the architecture's instructions need, as a feature of clang:
/// "+ptx70".
std::string ptxFeatureOf(const std::string& arch);

}  // namespace fermata::platforms
