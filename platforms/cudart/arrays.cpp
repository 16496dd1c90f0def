#include <fermata/platforms/cudart/arrays.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace fermata::cudart {
namespace {

constexpr std::size_t kPitch = 32;

std::unordered_map<cudaArray_const_t, std::unique_ptr<cudaArray>>& arrays() {
  static auto* const all = new std::unordered_map<cudaArray_const_t, std::unique_ptr<cudaArray>>;
  return *all;
}

/// Sets channels and widths. Throws unless there are 1, 2 or 4 channels of one width.
void setFormat(cudaArray& array, const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  const auto end = std::find(std::begin(bits), std::end(bits), 0);
  array.channels = static_cast<unsigned>(end - std::begin(bits));
  array.channelBytes = static_cast<unsigned>(format.x) / 8;
  const bool same = std::all_of(std::begin(bits), end, [&](int one) { return one == format.x; });
  const bool rest = std::all_of(end, std::end(bits), [](int one) { return one == 0; });
  const bool width = format.x == 8 || format.x == 16 || format.x == 32;
  const bool kind = format.f == cudaChannelFormatKindSigned ||
                    format.f == cudaChannelFormatKindUnsigned ||
                    (format.f == cudaChannelFormatKindFloat && format.x != 8);
  require(same && rest && width && kind && array.channels != 3 && array.channels != 0,
          cudaErrorInvalidChannelDescriptor,
          "a format that there is not; expected 1, 2 or 4 channels of 8, 16 or 32 bits");
}

/// An end of a copy: an array, or pitched memory.
struct CopySide {
  cudaArray_t array;
  cudaPos at;
  cudaPitchedPtr pitched;
};

Place placeOf(const CopySide& side, const Rows& rows, bool xInBytes) {
  if (side.array != nullptr) return within(requireArray(side.array), side.at, xInBytes, rows);
  const cudaPitchedPtr& p = side.pitched;
  return placeAt({p.ptr, p.pitch, product(p.pitch, p.ysize)}, side.at.x, side.at.y, side.at.z);
}

}  // namespace

cudaArray* makeArray(Session& session, const cudaChannelFormatDesc& format,
                     const cudaExtent& extent, unsigned flags) {
  constexpr unsigned kKnown =
      cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
  requireValue((flags & ~kKnown) == 0, "a flag that there is not");
  auto array = std::make_unique<cudaArray>();
  setFormat(*array, format);
  requireValue(extent.width != 0 && extent.width <= 131072 && extent.height <= 131072 &&
                   extent.depth <= 16384,
               "an array of that shape");
  const bool isCube = (flags & cudaArrayCubemap) != 0, layered = (flags & cudaArrayLayered) != 0;
  requireValue(!isCube || (extent.width == extent.height && extent.depth != 0 &&
                           (layered ? extent.depth % 6 == 0 : extent.depth == 6)),
               "a cube map of that shape; expected 6 squares, or a multiple of 6 if layered");
  array->format = format;
  array->extent = extent;
  array->flags = flags;
  array->pitch = roundedUp(product(extent.width, array->elementBytes()), kPitch);
  const std::size_t bytes = product(product(array->pitch, array->rows()), array->slices());
  array->address = session.heap.allocate(MemoryKind::Device, bytes, flags, "an array");
  cudaArray* const made = array.get();
  arrays()[made] = std::move(array);
  return made;
}

cudaArray& requireArray(cudaArray_const_t array) {
  const auto found = arrays().find(array);
  require(found != arrays().end(), cudaErrorInvalidResourceHandle, "not an array");
  return *found->second;
}

void freeArray(Session& session, cudaArray_t array) {
  if (array == nullptr) return;
  session.heap.release(requireArray(array).address, false);
  arrays().erase(array);
}

void forgetArrays() { arrays().clear(); }

Place within(const cudaArray& array, const cudaPos& at, bool xInBytes, const Rows& rows) {
  const std::size_t x = xInBytes ? at.x : product(at.x, array.elementBytes());
  const std::size_t width = array.extent.width * array.elementBytes();
  const bool fits = x <= width && rows.width <= width - x && at.y <= array.rows() &&
                    rows.height <= array.rows() - at.y && at.z <= array.slices() &&
                    rows.depth <= array.slices() - at.z;
  requireValue(fits, "a copy that leaves the array");
  const Place start{reinterpret_cast<const void*>(array.address), array.pitch,
                    product(array.pitch, array.rows())};
  return placeAt(start, x, at.y, at.z);
}

void copy(Session& session, const cudaMemcpy3DParms& p, bool xInBytes) {
  const cudaArray_t array = p.dstArray != nullptr ? p.dstArray : p.srcArray;
  std::size_t unit = 1;  // the extent's width is in elements if an array takes part
  if (array != nullptr && !xInBytes) unit = requireArray(array).elementBytes();
  const Rows rows{product(p.extent.width, unit), p.extent.height, p.extent.depth};
  if (rows.width == 0 || rows.height == 0 || rows.depth == 0) return session.requireSound();
  copy(session, placeOf({p.dstArray, p.dstPos, p.dstPtr}, rows, xInBytes),
       placeOf({p.srcArray, p.srcPos, p.srcPtr}, rows, xInBytes), rows, p.kind);
}

}  // namespace fermata::cudart
