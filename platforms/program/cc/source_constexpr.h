// nvcc's --expt-relaxed-constexpr: host code calls constexpr functions of the device.
#pragma once

#include <set>
#include <string>

namespace fermata::platforms {

/// Returns the macros that stand for __device__ without __host__: X for
/// `#define X __forceinline__ __device__`.
std::set<std::string> deviceMacros(const std::string& source);

/// Returns the source with constexpr functions of the device made functions of both sides; lines
/// stay where they are. Clang takes constexpr functions without a side as functions of both:
///
///     __device__ static constexpr int f(int a);
///     __device__ static __host__ constexpr int f(int a);
std::string withSharedConstexpr(const std::string& source, const std::set<std::string>& macros);

}  // namespace fermata::platforms
