// HIP's runtime interface in C and C++, over the runtime of our CUDA headers.
#pragma once
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H  // programs test whether it was included

#ifndef FERMATA_WAVE
#define FERMATA_WAVE 64  // lanes of a wave; `cc` says how many
#define FERMATA_GFX "gfx942"
#endif

#include "../cuda_runtime_api.h"
#ifdef __cplusplus
#include "../parts/runtime_overloads.h"
#include "../parts/texture_binding.h"
#endif
#include "parts/array_names.h"
#include "parts/code_names.h"
#include "parts/graph_names.h"
#include "parts/runtime_names.h"

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60200000

// Names that differ in more than the prefix.
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorNotInitialized cudaErrorInitializationError
#define hipErrorDeinitialized cudaErrorCudartUnloading
#define hipErrorInvalidHandle cudaErrorInvalidResourceHandle
#define hipErrorInvalidContext cudaErrorDeviceUninitialized
#define hipErrorInvalidImage cudaErrorInvalidKernelImage
#define hipErrorNotFound cudaErrorSymbolNotFound
#define hipErrorNoBinaryForGpu cudaErrorNoKernelImageForDevice
#define hipDeviceAttribute_t enum cudaDeviceAttr
#define hipDeviceAttributeMultiprocessorCount cudaDevAttrMultiProcessorCount
#define hipDeviceAttributeMaxSharedMemoryPerMultiprocessor \
  cudaDevAttrMaxSharedMemoryPerMultiprocessor
#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostMallocWriteCombined cudaHostAllocWriteCombined
#define hipHostMallocCoherent 0
#define hipHostMallocNonCoherent 0
#define hipHostMallocNumaUser 0
#define hipHostFree cudaFreeHost
#define hipHostMalloc(...) fermata_hip::hostMalloc(__VA_ARGS__)
#define hipMallocHost cudaMallocHost
#define hipEventReleaseToDevice 0
#define hipEventReleaseToSystem 0
#define hipEventDisableSystemFence 0
#define hipMemcpyDeviceToDeviceNoCU cudaMemcpyDeviceToDevice
#define hipDeviceptr_t void*
#define hipMemcpyHtoD(to, from, bytes) cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice)
#define hipMemcpyDtoH(to, from, bytes) cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost)
#define hipMemcpyDtoD(to, from, bytes) cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice)
#define HIP_SYMBOL(symbol) symbol
#define hipFuncSetAttribute(kernel, attribute, value) \
  cudaFuncSetAttribute((const void*)(kernel), attribute, value)
#define hipDriverGetVersion(version) fermata_hip::version(version)
#define hipRuntimeGetVersion(version) fermata_hip::version(version)

#ifdef __cplusplus
#include <cstdio>
#include <cstring>

typedef struct hipDeviceArch_t {
  unsigned hasGlobalInt32Atomics : 1, hasSharedInt32Atomics : 1, hasDoubles : 1, hasWarpVote : 1,
      hasWarpBallot : 1, hasWarpShuffle : 1, has3dGrid : 1;
} hipDeviceArch_t;
/// Properties that the runtime knows of the device, and those that HIP adds. The lanes of a wave, and the name, are
/// those that the program was compiled for.
struct hipDeviceProp_t : cudaDeviceProp {
  char gcnArchName[256];
  hipDeviceArch_t arch;
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  int isLargeBar;
  int asicRevision;
};

namespace fermata_hip {

inline cudaError_t properties(hipDeviceProp_t* prop, int device) {
  if (prop == nullptr) return cudaErrorInvalidValue;
  std::memset(static_cast<void*>(prop), 0, sizeof *prop);
  const cudaError_t error = ::cudaGetDeviceProperties(prop, device);
  if (error != cudaSuccess) return error;
  prop->warpSize = FERMATA_WAVE;
  std::snprintf(prop->gcnArchName, sizeof prop->gcnArchName, "%s", FERMATA_GFX);
  prop->arch = {1, 1, 1, 1, 1, 1, 1};
  prop->maxSharedMemoryPerMultiProcessor = prop->sharedMemPerMultiprocessor;
  prop->clockInstructionRate = prop->clockRate;
  return error;
}
inline cudaError_t attribute(int* value, cudaDeviceAttr which, int device) {
  const cudaError_t error = ::cudaDeviceGetAttribute(value, which, device);
  if (error == cudaSuccess && which == cudaDevAttrWarpSize) *value = FERMATA_WAVE;
  return error;
}
/// The runtime's name of a result, with HIP's prefix.
inline const char* errorName(cudaError_t error) {
  thread_local char name[80];
  const char* const text = ::cudaGetErrorName(error);
  if (std::strncmp(text, "cuda", 4) != 0) return text;
  std::snprintf(name, sizeof name, "hip%s", text + 4);
  return name;
}
template <class T>
inline cudaError_t hostMalloc(T** pointer, size_t size, unsigned flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
inline cudaError_t version(int* number) {
  if (number == nullptr) return cudaErrorInvalidValue;
  *number = HIP_VERSION;
  return cudaSuccess;
}

}  // namespace fermata_hip

inline cudaError_t hipGetDeviceProperties(hipDeviceProp_t* prop, int device) {
  return fermata_hip::properties(prop, device);
}
inline cudaError_t hipDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  return fermata_hip::attribute(value, which, device);
}
inline const char* hipGetErrorName(cudaError_t error) { return fermata_hip::errorName(error); }
inline cudaError_t hipExtMallocWithFlags(void** pointer, size_t size, unsigned) {
  return ::cudaMalloc(pointer, size);
}
inline cudaError_t hipInit(unsigned) { return ::cudaFree(nullptr); }
typedef int hipDevice_t;
inline cudaError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  int count = 0;
  const cudaError_t error = ::cudaGetDeviceCount(&count);
  if (error != cudaSuccess) return error;
  if (device == nullptr || ordinal < 0 || ordinal >= count) return cudaErrorInvalidDevice;
  *device = ordinal;
  return cudaSuccess;
}
#endif
