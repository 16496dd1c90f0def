// Launches in device code, which clang-16 does not parse.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the source with each launch in a __global__ or __device__ function written as a call
/// of our headers; lines stay where they are:
///
///     child<<<1, 32>>>(a);
///     ::fermata_launch::Launch<decltype(child), child>(1, 32)(a);
///
/// A launch in a function for both sides stays, as do those in macros.
std::string withDeviceLaunches(const std::string& source);

}  // namespace fermata::platforms
