// HIP C++: the language on the device, and the runtime interface. A program is compiled by
// `fermata hipcc`, which includes our CUDA headers before it.
#pragma once
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H  // programs test whether it was included

#include "hip_runtime_api.h"

#ifdef FERMATA_CUDA_LANGUAGE
// Before the functions of lanes, which are macros.
#include "../cooperative_groups.h"
#include "../cuda_bf16.h"
#include "../cuda_fp16.h"

#include "parts/lanes.h"
// Use the functions above.
#include "parts/amdgcn.h"
#include "parts/matrices.h"
#ifdef FERMATA_FLOAT16  // defined by `cc` for a program that names _Float16
#ifdef __x86_64__
#include <immintrin.h>  // names it, too
#endif
#define _Float16 __fp16  // which clang-16 has for the device
#endif
#include "parts/atomics.h"

#undef __NVCC__

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
  kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)
#define hipLaunchKernel cudaLaunchKernel

FERMATA_HIP float unsafeAtomicAdd(float* to, float value) { return atomicAdd(to, value); }
FERMATA_HIP double unsafeAtomicAdd(double* to, double value) { return atomicAdd(to, value); }
FERMATA_HIP void atomicAddNoRet(float* to, float value) { atomicAdd(to, value); }
FERMATA_HIP long long wall_clock64() { return clock64(); }
#endif
