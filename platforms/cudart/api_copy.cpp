// Copies and fills of the runtime interface. A copy in a stream is done when the call returns:
// streams run in order.
#include <fermata/platforms/cudart/copies.h>
#include <fermata/platforms/cudart/session.h>
#include <fermata/platforms/cudart/streams.h>

using namespace fermata::cudart;

namespace {

const DeviceVariable& variableOf(const void* symbol) {
  const DeviceVariable* const variable = programs().variables.find(symbol);
  require(variable != nullptr, cudaErrorInvalidSymbol,
          "the address is of no variable; expected a __device__ or __constant__ variable");
  return *variable;
}

/// Returns the bytes of a symbol from `offset` on.
void* within(Session& session, const void* symbol, std::size_t offset, std::size_t count) {
  const DeviceVariable& variable = variableOf(symbol);
  if (offset > variable.bytes || count > variable.bytes - offset)
    fail(cudaErrorInvalidValue, "{} bytes at offset {} of '{}', which has {}", count, offset,
         variable.name, variable.bytes);
  return reinterpret_cast<void*>(session.address(variable) + offset);
}

cudaError_t copyRows(const char* name, Place to, Place from, Rows rows, cudaMemcpyKind kind) {
  return api(name, [&] { copy(soundSession(), to, from, rows, kind); });
}

cudaError_t copyBetween(const char* name, std::initializer_list<int> devices, void* to,
                        const void* from, std::size_t count) {
  return api(name, [&] {
    for (const int device : devices)
      require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
    copy(soundSession(), to, from, count, cudaMemcpyDeviceToDevice);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return api("cudaMemcpy", [&] { copy(soundSession(), to, from, count, kind); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return inStream("cudaMemcpyAsync", stream, [&] { copy(soundSession(), to, from, count, kind); });
}
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t count) {
  return copyBetween("cudaMemcpyPeer", {toDevice, fromDevice}, to, from, count);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                size_t count, cudaStream_t stream) {
  return inStream("cudaMemcpyPeerAsync", stream, [&] {
    return copyBetween("cudaMemcpyPeerAsync", {toDevice, fromDevice}, to, from, count);
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copyRows("cudaMemcpy2D", {to, toPitch, 0}, {from, fromPitch, 0}, {width, height}, kind);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return inStream("cudaMemcpy2DAsync", stream, [&] {
    return copyRows("cudaMemcpy2DAsync", {to, toPitch, 0}, {from, fromPitch, 0}, {width, height},
                    kind);
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return api("cudaMemcpyToSymbol", [&] {
    Session& session = soundSession();
    copy(session, within(session, symbol, offset, count), from, count, kind);
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return inStream("cudaMemcpyToSymbolAsync", stream,
                  [&] { return cudaMemcpyToSymbol(symbol, from, count, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return api("cudaMemcpyFromSymbol", [&] {
    Session& session = soundSession();
    copy(session, to, within(session, symbol, offset, count), count, kind);
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return inStream("cudaMemcpyFromSymbolAsync", stream,
                  [&] { return cudaMemcpyFromSymbol(to, symbol, count, offset, kind); });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api("cudaGetSymbolAddress", [&] {
    requireValue(pointer != nullptr, "no place for the pointer");
    *pointer = within(soundSession(), symbol, 0, 0);
  });
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return api("cudaGetSymbolSize", [&] {
    requireValue(size != nullptr, "no place for the size");
    *size = variableOf(symbol).bytes;
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  return api("cudaMemset", [&] { fill(soundSession(), pointer, count, value); });
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return inStream("cudaMemsetAsync", stream, [&] { fill(soundSession(), pointer, count, value); });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return api("cudaMemset2D", [&] {
    fill(soundSession(), {pointer, pitch, 0}, {width, height}, static_cast<unsigned>(value));
  });
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return inStream("cudaMemset2DAsync", stream,
                  [&] { return cudaMemset2D(pointer, pitch, value, width, height); });
}
cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return api("cudaMemset3D", [&] {
    fill(soundSession(), {pitched.ptr, pitched.pitch, product(pitched.pitch, pitched.ysize)},
         {extent.width, extent.height, extent.depth}, static_cast<unsigned>(value));
  });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return inStream("cudaMemset3DAsync", stream,
                  [&] { return cudaMemset3D(pitched, value, extent); });
}

}  // extern "C"
