// Memory, copies and texts of errors in kernels, by the names of CUDA's device runtime. A copy or a
// fill is a launch of one block, so that it keeps its place among the launches of the kernel.
#pragma once

namespace fermata_launch {

constexpr unsigned kCopyThreads = 256;
/// The types of the call make an instance where one is needed.
template <class To>
__global__ void copyKernel(To* to, const To* from, size_t bytes) {
  for (size_t i = threadIdx.x; i < bytes; i += kCopyThreads) to[i] = from[i];
}
template <class To>
__global__ void fillKernel(To* to, int value, size_t bytes) {
  for (size_t i = threadIdx.x; i < bytes; i += kCopyThreads) to[i] = static_cast<To>(value);
}

}  // namespace fermata_launch

/// Memory of the kernels' own heap, as malloc() gives.
template <class T>
__device__ inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  *pointer = static_cast<T*>(malloc(size));
  return *pointer != nullptr || size == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T>
__device__ inline cudaError_t cudaFree(T* pointer) {
  free(pointer);
  return cudaSuccess;
}
template <class T>
__device__ inline cudaError_t cudaMemcpyAsync(T* to, const void* from, size_t count, cudaMemcpyKind,
                                              cudaStream_t stream = nullptr) {
  using fermata_launch::copyKernel;
  if (count == 0) return cudaSuccess;
  fermata_launch::Launch<decltype(copyKernel<char>), copyKernel<char>>(
      1, fermata_launch::kCopyThreads, 0, stream)(reinterpret_cast<char*>(to),
                                                  static_cast<const char*>(from), count);
  return cudaPeekAtLastError();
}
template <class T>
__device__ inline cudaError_t cudaMemsetAsync(T* to, int value, size_t count,
                                              cudaStream_t stream = nullptr) {
  using fermata_launch::fillKernel;
  if (count == 0) return cudaSuccess;
  fermata_launch::Launch<decltype(fillKernel<char>), fillKernel<char>>(
      1, fermata_launch::kCopyThreads, 0, stream)(reinterpret_cast<char*>(to), value, count);
  return cudaPeekAtLastError();
}

extern "C" {
__device__ inline const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
#define FERMATA_ERROR(name, driver_name, number, text) \
  case number:                                         \
    return "cudaError" #name;
#define FERMATA_RUNTIME_ERROR(name, number, text) FERMATA_ERROR(name, , number, text)
#define FERMATA_DRIVER_ERROR(driver_name, number)
#include "error_list.inl"
    default:
      return "unrecognized error code";
  }
}
__device__ inline const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : cudaGetErrorName(error);
}
__device__ inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
__device__ inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
}
