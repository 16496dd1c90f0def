// The device side of the CUDA language, over the headers that come with clang-16. The order of the
// includes matters. Functions that those headers leave to NVIDIA's libdevice are our own.
#pragma once

// Include it before <cmath>, whose constexpr functions would otherwise become device functions.
#include <__clang_cuda_math_forward_declares.h>

#ifndef __CUDACC__
#define __CUDACC__ 1  // makes libstdc++ leave __float128 out
#endif
#define __NVCC__ 1
#include "../host_defines.h"
#define __CUDACC_VER_MAJOR__ (FERMATA_CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (FERMATA_CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
// CCCL writes [[deprecated]] where clang takes it for a type's.
#define CCCL_IGNORE_DEPRECATED_API
// clang takes them from the host's compiler, but refuses __float128 in device code.
#ifdef __CUDA_ARCH__
#undef __FLOAT128__
#undef __SIZEOF_FLOAT128__
#endif
// The version that clang-16's own headers are read with: from 12.0 on they leave out textures.
#define CUDA_VERSION 11000

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <cstdlib>

#include "../driver_types.h"
#include "../vector_functions.h"

// Attribute inlined code to the program's own lines, not to a header's.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#ifdef FERMATA_WAVE  // HIP: a wave has lanes of its own, which the headers below do not mean
#define warpSize fermata_warpLanes
#endif
#include <__clang_cuda_builtin_vars.h>

#include "libdevice_conversions.h"
#include "libdevice_fast.h"
#include "libdevice_integers.h"
#include "libdevice_math.h"
#include "libdevice_rounding.h"

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include "float_pairs.h"
#include "old_warp_functions.h"

#include "texture_classes.h"
// Needs the classes above.
#include <__clang_cuda_texture_intrinsics.h>

extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ int printf(const char* format, ...);
__device__ void* malloc(size_t size) __attribute__((nothrow, malloc));
__device__ void free(void* pointer) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned line,
                             const char* function, size_t charSize);
}
#ifdef NDEBUG  // <assert.h> declares nothing; CCCL declares one function for both sides
extern "C" __attribute__((host, device)) void __assert_fail(const char* message, const char* file,
                                                            unsigned line,
                                                            const char* function) noexcept;
#ifdef __CUDA_ARCH__
extern "C" __attribute__((host, device)) inline void __assert_fail(const char* message,
                                                                   const char* file, unsigned line,
                                                                   const char* function) noexcept {
  __assertfail(message, file, line, function, 1);
}
#endif
#else
FERMATA_DEVICE void __assert_fail(const char* message, const char* file, unsigned line,
                                  const char* function) {
  __assertfail(message, file, line, function, 1);
}
#endif
namespace std {
FERMATA_DEVICE void* malloc(size_t size) { return ::malloc(size); }
FERMATA_DEVICE void free(void* pointer) { ::free(pointer); }
}  // namespace std

// Conversions of special registers, for copies.
__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#include <__clang_cuda_cmath.h>
// Needs the overloads of cmath.
#include <__clang_cuda_complex_builtins.h>
#include <__clang_cuda_intrinsics.h>
#include "old_warp_functions.h"

#include "atomics.h"
#include "cache_hints.h"
#include "cluster_words.h"
#include "float_overloads.h"
#include "math_overloads.h"
#include "nv_atomics.h"
#include "surface_access.h"
#include "synchronisation.h"
#include "texture_fetch.h"

#pragma clang attribute pop

#ifdef FERMATA_WAVE
#undef warpSize
__attribute__((device)) const int warpSize = FERMATA_WAVE;
#endif

#undef CUDA_VERSION
#define CUDA_VERSION FERMATA_CUDA_VERSION

#include <new>  // after malloc: the device's operator new
#include <utility>

#if __cplusplus < 202002L  // from C++20 on it is constexpr: for both sides
namespace std {
// Functions of both sides call it, also for types that only the host can copy. The host's own
// functions prefer the standard library's.
template <class T>
__attribute__((host, device, nodebug)) inline void swap(T& a, T& b) {
  T held = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(held);
}
}  // namespace std
#endif
