// CUDA arrays: pitched memory of the device with a format and a shape.
#pragma once

#include <fermata/platforms/cudart/copies.h>

/// Target of cudaArray_t.
struct cudaArray {
  std::uint64_t address = 0;
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};  ///< elements; height or depth 0: the array does not have that dimension
  unsigned flags = 0;
  unsigned channels = 1;
  unsigned channelBytes = 4;
  std::size_t pitch = 0;  ///< bytes of a row

  std::size_t elementBytes() const { return std::size_t{channels} * channelBytes; }
  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  bool layered() const { return (flags & cudaArrayLayered) != 0; }
  bool cube() const { return (flags & cudaArrayCubemap) != 0; }
};

namespace fermata::cudart {

/// Allocates an array. Throws ApiError for an unsupported format and for lack of room.
cudaArray* makeArray(Session& session, const cudaChannelFormatDesc& format,
                     const cudaExtent& extent, unsigned flags);
/// Returns the array. Throws ApiError (cudaErrorInvalidResourceHandle) if the handle is not one.
cudaArray& requireArray(cudaArray_const_t array);
void freeArray(Session& session, cudaArray_t array);
/// Invalidate every handle; called when the device begins anew.
void forgetArrays();
void forgetTextures();

/// Copies as cudaMemcpy3D does; with `xInBytes`, x and widths of arrays count bytes. Throws
/// ApiError.
void copy(Session& session, const cudaMemcpy3DParms& parameters, bool xInBytes = false);

/// Returns the place of element (x, y, z); `x` counts bytes if `xInBytes`. Throws ApiError unless
/// `rows` from there lie within the array.
Place within(const cudaArray& array, const cudaPos& at, bool xInBytes, const Rows& rows);

}  // namespace fermata::cudart
