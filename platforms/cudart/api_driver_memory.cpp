// The driver interface: memory, streams and events, shared with the runtime.
#include <fermata/platforms/cudart/copies.h>
#include <fermata/platforms/cudart/driver.h>
#include <fermata/platforms/cudart/graphs/capture.h>

#include <cstring>

using namespace fermata::cudart;

namespace {

/// Gives `to` the pointer that `make`, a call of the runtime, sets.
template <class Make>
CUresult made(CUdeviceptr* to, Make make) {
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* address = nullptr;
  const cudaError_t error = make(&address);
  if (error == cudaSuccess) *to = reinterpret_cast<CUdeviceptr>(address);
  return result(error);
}

FillWork cellsWork(CUdeviceptr to, unsigned value, unsigned unit, std::size_t count) {
  requireValue(to % unit == 0, "an address that is no multiple of the width");
  return {{pointer(to), product(count, unit), value, unit, count, 1}};
}
CUresult fillWith(const char* name, CUdeviceptr to, unsigned value, unsigned unit,
                  std::size_t count) {
  return driver(
      name, [&] { return synchronous(name, [&] { perform(cellsWork(to, value, unit, count)); }); });
}
CUresult fillWith(const char* name, CUdeviceptr to, unsigned value, unsigned unit,
                  std::size_t count, CUstream stream) {
  return driver(name, [&] {
    return enqueue(name, stream, [&] { return cellsWork(to, value, unit, count); });
  });
}

cudaPitchedPtr placeOf(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t x,
                       std::size_t y, std::size_t pitch) {
  const void* const base = type == CU_MEMORYTYPE_HOST ? host : pointer(device);
  const Place place = placeAt({base, pitch, 0}, x, y);
  return {const_cast<void*>(place.pointer), pitch, pitch, 0};
}

CopyWork rowsWork(const CUDA_MEMCPY2D* rows) {
  requireValue(rows != nullptr, "no parameters");
  const CUDA_MEMCPY2D& c = *rows;
  const bool toHost = c.dstMemoryType == CU_MEMORYTYPE_HOST;
  const bool fromHost = c.srcMemoryType == CU_MEMORYTYPE_HOST;
  const bool known =
      c.dstMemoryType != CU_MEMORYTYPE_UNIFIED && c.srcMemoryType != CU_MEMORYTYPE_UNIFIED;
  const cudaMemcpyKind kind = !known ? cudaMemcpyDefault
                              : toHost
                                  ? (fromHost ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost)
                                  : (fromHost ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice);
  return copyWork(
      placeOf(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstXInBytes, c.dstY, c.dstPitch),
      placeOf(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcXInBytes, c.srcY, c.srcPitch),
      {c.WidthInBytes, c.Height, 1}, kind);
}

bool hasArray(const CUDA_MEMCPY2D* rows) {
  return rows != nullptr &&
         (rows->srcMemoryType == CU_MEMORYTYPE_ARRAY || rows->dstMemoryType == CU_MEMORYTYPE_ARRAY);
}
/// Copies rows of which one side at least is an array, as the runtime does.
cudaError_t copyOfArrays(const CUDA_MEMCPY2D& c, CUstream stream) {
  const auto arrayOf = [](CUarray array) { return reinterpret_cast<cudaArray_t>(array); };
  const bool toArray = c.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  if (toArray && c.srcMemoryType == CU_MEMORYTYPE_ARRAY)
    return cudaMemcpy2DArrayToArray(arrayOf(c.dstArray), c.dstXInBytes, c.dstY, arrayOf(c.srcArray),
                                    c.srcXInBytes, c.srcY, c.WidthInBytes, c.Height,
                                    cudaMemcpyDeviceToDevice);
  if (toArray) {
    const cudaPitchedPtr from =
        placeOf(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcXInBytes, c.srcY, c.srcPitch);
    return cudaMemcpy2DToArrayAsync(arrayOf(c.dstArray), c.dstXInBytes, c.dstY, from.ptr,
                                    from.pitch, c.WidthInBytes, c.Height, cudaMemcpyDefault,
                                    stream);
  }
  const cudaPitchedPtr to =
      placeOf(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstXInBytes, c.dstY, c.dstPitch);
  return cudaMemcpy2DFromArrayAsync(to.ptr, to.pitch, arrayOf(c.srcArray), c.srcXInBytes, c.srcY,
                                    c.WidthInBytes, c.Height, cudaMemcpyDefault, stream);
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free, size_t* total) { return result(cudaMemGetInfo(free, total)); }
CUresult cuMemAlloc(CUdeviceptr* to, size_t bytes) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return made(to, [&](void** address) { return cudaMalloc(address, bytes); });
}
CUresult cuMemAllocPitch(CUdeviceptr* to, size_t* pitch, size_t width, size_t height,
                         unsigned int) {
  return made(to, [&](void** address) { return cudaMallocPitch(address, pitch, width, height); });
}
CUresult cuMemAllocManaged(CUdeviceptr* to, size_t bytes, unsigned int flags) {
  return made(to, [&](void** address) { return cudaMallocManaged(address, bytes, flags); });
}
CUresult cuMemFree(CUdeviceptr address) {
  if (address == 0) return CUDA_ERROR_INVALID_VALUE;
  return result(cudaFree(pointer(address)));
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
  return driver("cuMemGetAddressRange", [&] {
    std::uint64_t start = 0;
    const Block* const block = soundSession().heap.find(address, 1, &start);
    require(block != nullptr, cudaErrorSymbolNotFound, "not memory of the device");
    if (base != nullptr) *base = start;
    if (size != nullptr) *size = block->bytes;
  });
}
CUresult cuMemAllocHost(void** to, size_t bytes) { return result(cudaMallocHost(to, bytes)); }
CUresult cuMemHostAlloc(void** to, size_t bytes, unsigned int flags) {
  return result(cudaHostAlloc(to, bytes, flags));
}
CUresult cuMemFreeHost(void* address) { return result(cudaFreeHost(address)); }
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags) {
  return made(device,
              [&](void** address) { return cudaHostGetDevicePointer(address, host, flags); });
}
CUresult cuMemHostRegister(void* address, size_t bytes, unsigned int flags) {
  return result(cudaHostRegister(address, bytes, flags));
}
CUresult cuMemHostUnregister(void* address) { return result(cudaHostUnregister(address)); }
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  return driver("cuPointerGetAttribute", [&] {
    requireValue(data != nullptr, "no place for the answer");
    const Block* const block = soundSession().heap.find(address);
    requireValue(block != nullptr, "not memory of the device");
    const bool onDevice = block->kind == MemoryKind::Device || block->kind == MemoryKind::Managed;
    switch (attribute) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned*>(data) = onDevice ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        return;
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<CUdeviceptr*>(data) = address;
        return;
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        requireValue(block->kind != MemoryKind::Device, "the host does not reach it");
        *static_cast<void**>(data) = pointer(address);
        return;
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned*>(data) = block->kind == MemoryKind::Managed ? 1 : 0;
        return;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(data) = 0;
        return;
      case CU_POINTER_ATTRIBUTE_CONTEXT:
        *static_cast<CUcontext*>(data) = nullptr;
        (void)cuCtxGetCurrent(static_cast<CUcontext*>(data));
        return;
      case CU_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<unsigned*>(data) = 1;
        return;
      case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *static_cast<const void**>(data) = block->pool;
        return;
      default:
        throw ApiError(cudaErrorNotSupported, "that attribute is not supported");
    }
  });
}

// An address that is no memory of the device has zeros, and that is no error.
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr address) {
  return driver("cuPointerGetAttributes", [&] {
    requireValue(attributes != nullptr && data != nullptr, "no attributes, or no places for them");
    const bool known = soundSession().heap.find(address) != nullptr;
    for (unsigned k = 0; k < count; ++k) {
      const auto attribute = attributes[k];
      const bool ofHost = known && attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER &&
                          soundSession().heap.find(address)->kind != MemoryKind::Device;
      if (known && (attribute != CU_POINTER_ATTRIBUTE_HOST_POINTER || ofHost)) {
        const CUresult code = cuPointerGetAttribute(data[k], attribute, address);
        if (code != CUDA_SUCCESS) return static_cast<cudaError_t>(code);
        continue;
      }
      requireValue(data[k] != nullptr, "no place for the answer");
      const bool wide = attribute == CU_POINTER_ATTRIBUTE_CONTEXT ||
                        attribute == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                        attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
                        attribute == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
      std::memset(data[k], 0, wide ? 8 : 4);
      if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(data[k]) = -2;
    }
    return cudaSuccess;
  });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault));
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return result(cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return result(
      cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream));
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* rows) {
  if (hasArray(rows)) return driver("cuMemcpy2D", [&] { return copyOfArrays(*rows, nullptr); });
  return driver("cuMemcpy2D",
                [&] { return synchronous("cuMemcpy2D", [&] { perform(rowsWork(rows)); }); });
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* rows) { return cuMemcpy2D(rows); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* rows, CUstream stream) {
  if (hasArray(rows)) return driver("cuMemcpy2DAsync", [&] { return copyOfArrays(*rows, stream); });
  return driver("cuMemcpy2DAsync",
                [&] { return enqueue("cuMemcpy2DAsync", stream, [&] { return rowsWork(rows); }); });
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return fillWith("cuMemsetD8", to, value, 1, count);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return fillWith("cuMemsetD16", to, value, 2, count);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  return fillWith("cuMemsetD32", to, value, 4, count);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fillWith("cuMemsetD8Async", to, value, 1, count, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fillWith("cuMemsetD16Async", to, value, 2, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return fillWith("cuMemsetD32Async", to, value, 4, count, stream);
}

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return result(cudaStreamCreateWithFlags(stream, flags));
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return result(cudaStreamCreateWithPriority(stream, flags, priority));
}
CUresult cuStreamDestroy(CUstream stream) { return result(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) { return result(cudaStreamSynchronize(stream)); }
CUresult cuStreamQuery(CUstream stream) { return result(cudaStreamQuery(stream)); }
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return result(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* userData,
                             unsigned int) {
  struct Call {
    CUstreamCallback callback;
    void* userData;
  } call{callback, userData};
  if (callback == nullptr) return result(cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  const auto pass = [](cudaStream_t of, cudaError_t status, void* data) {
    const Call& one = *static_cast<Call*>(data);
    one.callback(of, result(status), one.userData);
  };
  return result(cudaStreamAddCallback(stream, pass, &call, 0));
}
CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return result(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventDestroy(CUevent event) { return result(cudaEventDestroy(event)); }
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return result(cudaEventRecord(event, stream));
}
CUresult cuEventQuery(CUevent event) { return result(cudaEventQuery(event)); }
CUresult cuEventSynchronize(CUevent event) { return result(cudaEventSynchronize(event)); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return result(cudaEventElapsedTime(milliseconds, start, end));
}
CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }

}  // extern "C"
