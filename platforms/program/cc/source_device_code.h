// Launches and objects of dynamic shared memory in device code, which clang-16 does not accept.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the source with each launch in a __global__ or __device__ function written as a call
/// of our headers, and each object in dynamic shared memory as an element of an array; lines stay
/// where they are:
///
///     child<<<1, 32>>>(a);
///     ::fermata_launch::Launch<decltype(child), child>(1, 32)(a);
///     extern __shared__ Tiles<64> s;
///     extern __shared__ Tiles<64> s_fermata[]; auto& s = s_fermata[0];
///
/// A launch in a function for both sides stays, as do those in macros.
std::string withClangDeviceCode(const std::string& source);

}  // namespace fermata::platforms
