// Keywords of the CUDA language. Plain host compilers (a .cpp file that calls the runtime) see
// none.
#pragma once
#define __HOST_DEFINES_H__  // programs test whether it was included

#if defined(__CUDA__) && defined(__clang__)
/// Defined where the CUDA language is compiled. __CUDA__ says so only until `cuda_runtime.h` is
/// read.
#define FERMATA_CUDA_LANGUAGE 1
#endif
#ifdef FERMATA_CUDA_LANGUAGE
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Puts the host's variable into a section by which the runtime finds it, to give the device the
// same memory.
#define __managed__ __attribute__((device, section("fermata_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// `cc` makes .reqnctapercluster of it: clang-16 knows no such attribute.
#define __cluster_dims__(...) __attribute__((annotate("fermata_cluster_dims", __VA_ARGS__)))
// `cc` makes .reqntid of it. A second tuple, of a grid that is counted in clusters, is refused.
#define FERMATA_TUPLE(...) __VA_ARGS__
#define FERMATA_SECOND_TUPLE(...) , __VA_ARGS__
#define FERMATA_BLOCK_SIZE(block, ...)          \
  __attribute__((annotate("fermata_block_size", \
                          FERMATA_TUPLE block __VA_OPT__(FERMATA_SECOND_TUPLE __VA_ARGS__))))
#define __block_size__(...) FERMATA_BLOCK_SIZE(__VA_ARGS__)
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#endif

#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __builtin_align__(n) __align__(n)
/// The version of CUDA that programs see: 12080 is 12.8. A program for an older one is compiled
/// with -DFERMATA_CUDA_VERSION=11000.
#ifndef FERMATA_CUDA_VERSION
#define FERMATA_CUDA_VERSION 12080
#endif
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

/// Default arguments exist only in C++.
#ifdef __cplusplus
#define FERMATA_DEFAULT(value) = value
#else
#define FERMATA_DEFAULT(value)
#endif
