// Arrays of the runtime interface, and copies from and to them.
#include <fermata/platforms/cudart/arrays.h>
#include <fermata/platforms/cudart/graphs/capture.h>

#include <algorithm>

using namespace fermata::cudart;

namespace {

cudaMemcpyKind toArray(cudaMemcpyKind kind) {
  require(kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
              kind == cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection, "a copy to an array from the host or the device");
  return kind;
}
cudaMemcpyKind fromArray(cudaMemcpyKind kind) {
  require(kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
              kind == cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection, "a copy from an array to the host or the device");
  return kind;
}

/// Splits `count` consecutive bytes at the ends of rows: calls part(place, offset, bytes).
template <class Part>
void alongRows(const cudaArray& array, std::size_t x, std::size_t y, std::size_t count, Part part) {
  const std::size_t width = array.extent.width * array.elementBytes();
  const bool fits = x < width && y < array.rows() && count <= width * (array.rows() - y) - x;
  requireValue(count == 0 || fits, "a copy that leaves the array");
  for (std::size_t done = 0; done < count;) {
    const std::size_t bytes = std::min(count - done, width - x);
    part(within(array, {x, y, 0}, true, {bytes}), done, bytes);
    done += bytes;
    x = 0;
    ++y;
  }
}

Place flat(const void* pointer, std::size_t offset, std::size_t bytes) {
  return {static_cast<const char*>(pointer) + offset, bytes, bytes};
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return api("cudaGetChannelDesc", [&] {
    requireValue(desc != nullptr, "no place for the format");
    *desc = requireArray(array).format;
  });
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
  return api("cudaMallocArray", [&] {
    requireValue(array != nullptr && desc != nullptr, "no place for the array, or no format");
    *array = makeArray(soundSession(), *desc, {width, height, 0}, flags);
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned int flags) {
  return api("cudaMalloc3DArray", [&] {
    requireValue(array != nullptr && desc != nullptr, "no place for the array, or no format");
    *array = makeArray(soundSession(), *desc, extent, flags);
  });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return api("cudaFreeArray", [&] { freeArray(soundSession(), array); });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  return api("cudaArrayGetInfo", [&] {
    const cudaArray& one = requireArray(array);
    if (desc != nullptr) *desc = one.format;
    if (extent != nullptr) *extent = one.extent;
    if (flags != nullptr) *flags = one.flags;
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                              cudaMemcpyKind kind) {
  return synchronous("cudaMemcpyToArray", [&] {
    (void)toArray(kind);
    alongRows(requireArray(to), x, y, count,
              [&](const Place& place, std::size_t offset, std::size_t bytes) {
                copy(soundSession(), place, flat(from, offset, bytes), {bytes}, kind);
              });
  });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return synchronous("cudaMemcpyFromArray", [&] {
    (void)fromArray(kind);
    alongRows(requireArray(from), x, y, count,
              [&](const Place& place, std::size_t offset, std::size_t bytes) {
                copy(soundSession(), flat(to, offset, bytes), place, {bytes}, kind);
              });
  });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return uncaptured("cudaMemcpyToArrayAsync", stream,
                    [&] { return cudaMemcpyToArray(to, x, y, from, count, kind); });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return uncaptured("cudaMemcpyFromArrayAsync", stream,
                    [&] { return cudaMemcpyFromArray(to, from, x, y, count, kind); });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                   size_t fromX, size_t fromY, size_t count, cudaMemcpyKind) {
  return synchronous("cudaMemcpyArrayToArray", [&] {
    const Rows rows{count};
    copy(soundSession(), within(requireArray(to), {toX, toY, 0}, true, rows),
         within(requireArray(from), {fromX, fromY, 0}, true, rows), rows, cudaMemcpyDeviceToDevice);
  });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return synchronous("cudaMemcpy2DToArray", [&] {
    const Rows rows{width, height};
    copy(soundSession(), within(requireArray(to), {x, y, 0}, true, rows), {from, pitch, 0}, rows,
         toArray(kind));
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return synchronous("cudaMemcpy2DFromArray", [&] {
    const Rows rows{width, height};
    copy(soundSession(), {to, pitch, 0}, within(requireArray(from), {x, y, 0}, true, rows), rows,
         fromArray(kind));
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return enqueue("cudaMemcpy2DToArrayAsync", stream, [&] {
    CopyWork work =
        copyWork({}, {const_cast<void*>(from), pitch, width, 0}, {width, height, 1}, toArray(kind));
    work.parameters.dstArray = to;
    work.parameters.dstPos = {x, y, 0};
    work.xInBytes = true;
    return work;
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return enqueue("cudaMemcpy2DFromArrayAsync", stream, [&] {
    CopyWork work = copyWork({to, pitch, width, 0}, {}, {width, height, 1}, fromArray(kind));
    work.parameters.srcArray = const_cast<cudaArray_t>(from);
    work.parameters.srcPos = {x, y, 0};
    work.xInBytes = true;
    return work;
  });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind) {
  return synchronous("cudaMemcpy2DArrayToArray", [&] {
    const Rows rows{width, height};
    copy(soundSession(), within(requireArray(to), {toX, toY, 0}, true, rows),
         within(requireArray(from), {fromX, fromY, 0}, true, rows), rows, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return synchronous("cudaMemcpy3D", [&] {
    requireValue(parameters != nullptr, "no parameters");
    copy(soundSession(), *parameters);
  });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return enqueue("cudaMemcpy3DAsync", stream, [&] {
    requireValue(parameters != nullptr, "no parameters");
    return CopyWork{*parameters};
  });
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return synchronous("cudaMemcpy3DPeer", [&] {
    requireValue(parameters != nullptr, "no parameters");
    const cudaMemcpy3DPeerParms& p = *parameters;
    copy(soundSession(), {p.srcArray, p.srcPos, p.srcPtr, p.dstArray, p.dstPos, p.dstPtr, p.extent,
                          cudaMemcpyDeviceToDevice});
  });
}

}  // extern "C"
