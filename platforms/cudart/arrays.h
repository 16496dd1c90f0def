// CUDA arrays: pitched memory of the device with a format and a shape.
#pragma once

#include <fermata/platforms/cudart/copies.h>

/// What cudaArray_t points at.
struct cudaArray {
  std::uint64_t address = 0;
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};  ///< elements; height and depth 0 where there are none
  unsigned flags = 0;
  unsigned channels = 1;
  unsigned channelBytes = 4;
  std::size_t pitch = 0;  ///< bytes of a row

  std::size_t elementBytes() const { return std::size_t{channels} * channelBytes; }
  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  bool layered() const { return (flags & cudaArrayLayered) != 0; }
};

namespace fermata::cudart {

/// Throws ApiError: a format that there is not, no room.
cudaArray* makeArray(Session& session, const cudaChannelFormatDesc& format,
                     const cudaExtent& extent, unsigned flags);
/// Throws ApiError (cudaErrorInvalidResourceHandle) where it is none.
cudaArray& requireArray(cudaArray_const_t array);
void freeArray(Session& session, cudaArray_t array);
/// When the device begins anew: those that there were are none any more.
void forgetArrays();
void forgetTextures();

/// The element at (x, y, z) elements; `x` in bytes where `xInBytes`. Throws ApiError where rows
/// from there do not lie within the array.
Place within(const cudaArray& array, const cudaPos& at, bool xInBytes, const Rows& rows);

}  // namespace fermata::cudart
