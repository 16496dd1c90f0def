// Copies and fills of the runtime interface. A copy in a stream is done when the call returns:
// streams run in order.
#include <fermata/platforms/cudart/copies.h>
#include <fermata/platforms/cudart/graphs/capture.h>

using namespace fermata::cudart;

namespace {

const DeviceVariable& variableOf(const void* symbol) {
  const DeviceVariable* const variable = programs().variables.find(symbol);
  require(variable != nullptr, cudaErrorInvalidSymbol,
          "the address is of no variable; expected a __device__ or __constant__ variable");
  return *variable;
}

void requireDevices(std::initializer_list<int> devices) {
  for (const int device : devices)
    require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
}

}  // namespace

void* fermata::cudart::symbolAddress(const void* symbol, std::size_t offset, std::size_t count) {
  const DeviceVariable& variable = variableOf(symbol);
  if (offset > variable.bytes || count > variable.bytes - offset)
    fail(cudaErrorInvalidValue, "{} bytes at offset {} of '{}', which has {}", count, offset,
         variable.name, variable.bytes);
  return reinterpret_cast<void*>(soundSession().address(variable) + offset);
}

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return synchronous("cudaMemcpy", [&] { copy(soundSession(), to, from, count, kind); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return enqueue("cudaMemcpyAsync", stream, [&] { return copyWork(to, from, count, kind); });
}
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t count) {
  return synchronous("cudaMemcpyPeer", [&] {
    requireDevices({toDevice, fromDevice});
    copy(soundSession(), to, from, count, cudaMemcpyDeviceToDevice);
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                size_t count, cudaStream_t stream) {
  return enqueue("cudaMemcpyPeerAsync", stream, [&] {
    requireDevices({toDevice, fromDevice});
    return copyWork(to, from, count, cudaMemcpyDeviceToDevice);
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return synchronous("cudaMemcpy2D", [&] {
    copy(soundSession(), {to, toPitch, 0}, {from, fromPitch, 0}, {width, height}, kind);
  });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return enqueue("cudaMemcpy2DAsync", stream, [&] {
    return copyWork({to, toPitch, width, 0}, {const_cast<void*>(from), fromPitch, width, 0},
                    {width, height, 1}, kind);
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return synchronous("cudaMemcpyToSymbol", [&] {
    copy(soundSession(), symbolAddress(symbol, offset, count), from, count, kind);
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue("cudaMemcpyToSymbolAsync", stream,
                 [&] { return copyWork(symbolAddress(symbol, offset, count), from, count, kind); });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return synchronous("cudaMemcpyFromSymbol", [&] {
    copy(soundSession(), to, symbolAddress(symbol, offset, count), count, kind);
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue("cudaMemcpyFromSymbolAsync", stream,
                 [&] { return copyWork(to, symbolAddress(symbol, offset, count), count, kind); });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api("cudaGetSymbolAddress", [&] {
    requireValue(pointer != nullptr, "no place for the pointer");
    *pointer = symbolAddress(symbol, 0, 0);
  });
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return api("cudaGetSymbolSize", [&] {
    requireValue(size != nullptr, "no place for the size");
    *size = variableOf(symbol).bytes;
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  return synchronous("cudaMemset", [&] { fill(soundSession(), pointer, count, value); });
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return enqueue("cudaMemsetAsync", stream, [&] { return fillWork(pointer, value, count); });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return synchronous("cudaMemset2D", [&] {
    fill(soundSession(), {pointer, pitch, 0}, {width, height}, static_cast<unsigned>(value));
  });
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return enqueue("cudaMemset2DAsync", stream, [&] {
    return FillWork{{pointer, pitch, static_cast<unsigned>(value), 1, width, height}};
  });
}
cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return synchronous("cudaMemset3D", [&] {
    fill(soundSession(), {pitched.ptr, pitched.pitch, product(pitched.pitch, pitched.ysize)},
         {extent.width, extent.height, extent.depth}, static_cast<unsigned>(value));
  });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return enqueue("cudaMemset3DAsync", stream, [&] {
    const cudaMemsetParams rows = {pitched.ptr, pitched.pitch, static_cast<unsigned>(value),
                                   1,           extent.width,  extent.height};
    return FillWork{rows, extent.depth, product(pitched.pitch, pitched.ysize)};
  });
}

}  // extern "C"
