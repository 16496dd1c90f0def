// The architectures that device code is compiled for, as nvcc's options name them.
#pragma once

#include <string>

namespace fermata::platforms {

/// Of "sm_70", "compute_70" or "native": "sm_70". Throws InputError with those there are.
std::string architectureOf(const std::string& text);
/// A list between commas, each as above ("lto_70" is not).
void checkCodes(const std::string& text);
/// The newest of `arch` and what "arch=compute_70,code=[sm_70,compute_70]" names.
std::string newestOfCode(const std::string& arch, const std::string& text);
/// The PTX version that its instructions need, as clang's feature: "+ptx70".
std::string ptxFeatureOf(const std::string& arch);

}  // namespace fermata::platforms
