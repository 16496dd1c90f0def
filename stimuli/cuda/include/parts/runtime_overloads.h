// The runtime interface in C++: typed pointers, symbols and kernels by name.
#pragma once

#include "../cuda_runtime_api.h"

// Casts to void** are in the form of C: T may be const.

// The forms of CUDA 13.
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location,
                                        unsigned int flags, cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return cudaMemAdvise_v2(pointer, count, advice, location);
}

// Memory, with pointers of any type.
template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc((void**)pointer, size);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void**)pointer, size, flags);
}
inline cudaError_t cudaMallocHost(void** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(pointer, size, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t size,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)pointer, pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)pointer, size, stream);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t length = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), length, flags);
}

// Symbols: variables of the device.
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t count,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t count,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, count, offset, kind,
                                   stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t count,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), count, offset, kind,
                                     stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, static_cast<const void*>(&symbol));
}
template <class P, class T>
inline cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress((void**)pointer, static_cast<const void*>(&symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, static_cast<const void*>(&symbol));
}

// Events.
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// Kernels.
template <class T>
inline cudaError_t cudaLaunchKernel(T* kernel, dim3 gridDim, dim3 blockDim, void** args,
                                    size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(kernel), gridDim, blockDim, args,
                            sharedMem, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 gridDim, dim3 blockDim, void** args,
                                               size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), gridDim, blockDim,
                                       args, sharedMem, stream);
}
template <class T>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, T* kernel, void** args) {
  return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), args);
}
/// Launches a kernel with arguments that become those of its parameters' types.
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                      void (*kernel)(Parameters...), Arguments&&... arguments) {
  const auto launch = [&](Parameters... values) {
    void* list[sizeof...(Parameters) + 1] = {(void*)&values...};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), list);
  };
  return launch(static_cast<Arguments&&>(arguments)...);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}

// Occupancy.
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                 int blockSize,
                                                                 size_t dynamicSMem) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), blockSize, dynamicSMem);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel,
                                                                          int blockSize,
                                                                          size_t dynamicSMem,
                                                                          unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), blockSize, dynamicSMem, flags);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSMem, T kernel,
                                                             int blocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(
      dynamicSMem, reinterpret_cast<const void*>(kernel), blocks, blockSize);
}

template <class T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                                  const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, T* kernel,
                                                        const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, reinterpret_cast<const void*>(kernel),
                                                config);
}

namespace fermata_cuda {

/// Finds the block, a multiple of a warp, with the most resident threads, and a grid that fills the
/// device with it. `sharedOf(threads)` is the dynamic shared memory of a block.
template <class Shared>
inline cudaError_t bestBlock(int* minGrid, int* block, const void* kernel, Shared sharedOf,
                             int limit, unsigned int flags) {
  int device = 0, processors = 0, deviceLimit = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&deviceLimit, cudaDevAttrMaxThreadsPerBlock, device);
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, kernel);
  if (error != cudaSuccess) return error;
  if (attributes.maxThreadsPerBlock < deviceLimit) deviceLimit = attributes.maxThreadsPerBlock;
  if (limit <= 0 || limit > deviceLimit) limit = deviceLimit;
  int most = 0;
  for (int threads = (limit + 31) / 32 * 32; threads > 0; threads -= 32) {
    const int size = threads > limit ? limit : threads;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, size,
                                                                     sharedOf(size), flags);
    if (error != cudaSuccess) return error;
    if (blocks * size <= most) continue;
    most = blocks * size;
    *block = size;
    *minGrid = blocks * processors;
  }
  return cudaSuccess;
}

}  // namespace fermata_cuda

template <class Shared, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize,
                                                                           int* blockSize, T kernel,
                                                                           Shared sharedOf,
                                                                           int limit = 0,
                                                                           unsigned int flags = 0) {
  return fermata_cuda::bestBlock(minGridSize, blockSize, reinterpret_cast<const void*>(kernel),
                                 sharedOf, limit, flags);
}
template <class Shared, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                                  T kernel, Shared sharedOf,
                                                                  int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, kernel,
                                                                 sharedOf, limit);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                               T kernel, size_t dynamicSMem = 0,
                                                               int limit = 0,
                                                               unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, [dynamicSMem](int) { return dynamicSMem; }, limit, flags);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T kernel,
                                                      size_t dynamicSMem = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, kernel, dynamicSMem,
                                                     limit);
}

// Descriptors of memory.
static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize,
                                                 size_t ysize) {
  return {pointer, pitch, xsize, ysize};
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
