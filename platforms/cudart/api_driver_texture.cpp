// Arrays, texture and surface objects of the driver interface, which are the runtime's.
#include <fermata/platforms/cudart/driver.h>

#include <algorithm>

using namespace fermata::cudart;

namespace {

cudaArray_t arrayOf(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

/// Returns the bits of a channel; 0 for a format that arrays do not have.
int bitsOf(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 16;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 32;
  }
  return 0;
}
bool isFloat(CUarray_format format) {
  return format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT;
}
cudaChannelFormatDesc channelsOf(CUarray_format format, unsigned channels) {
  const int bits = bitsOf(format);
  requireValue(bits != 0, "no format of an array; expected a CU_AD_FORMAT of integers or floats");
  requireValue(channels == 1 || channels == 2 || channels == 4,
               "a number of channels that there is not; expected 1, 2 or 4");
  const bool isSigned = format == CU_AD_FORMAT_SIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT16 ||
                        format == CU_AD_FORMAT_SIGNED_INT32;
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
          isFloat(format) ? cudaChannelFormatKindFloat
          : isSigned      ? cudaChannelFormatKindSigned
                          : cudaChannelFormatKindUnsigned};
}
CUarray_format formatOf(const cudaChannelFormatDesc& desc) {
  if (desc.f == cudaChannelFormatKindFloat)
    return desc.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  const int ofSigned =
      desc.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
  return static_cast<CUarray_format>(ofSigned + (desc.x == 8 ? 0 : desc.x == 16 ? 1 : 2));
}

/// Returns the runtime's resource; `narrow` says whether it has integers of 8 or 16 bits.
cudaResourceDesc resourceOf(const CUDA_RESOURCE_DESC& resource, bool& narrow) {
  cudaResourceDesc made = {};
  cudaChannelFormatDesc desc = {};
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      made.resType = cudaResourceTypeArray;
      made.res.array.array = arrayOf(resource.res.array.hArray);
      require(cudaGetChannelDesc(&desc, made.res.array.array) == cudaSuccess, cudaErrorInvalidValue,
              "not an array");
      break;
    case CU_RESOURCE_TYPE_LINEAR:
      made.resType = cudaResourceTypeLinear;
      desc = channelsOf(resource.res.linear.format, resource.res.linear.numChannels);
      made.res.linear = {reinterpret_cast<void*>(resource.res.linear.devPtr), desc,
                         resource.res.linear.sizeInBytes};
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      made.resType = cudaResourceTypePitch2D;
      desc = channelsOf(resource.res.pitch2D.format, resource.res.pitch2D.numChannels);
      made.res.pitch2D = {reinterpret_cast<void*>(resource.res.pitch2D.devPtr), desc,
                          resource.res.pitch2D.width, resource.res.pitch2D.height,
                          resource.res.pitch2D.pitchInBytes};
      break;
    default:
      throw ApiError(cudaErrorNotSupported, "textures have one level");
  }
  narrow = desc.f != cudaChannelFormatKindFloat && desc.x < 32;
  return made;
}

cudaTextureDesc textureOf(const CUDA_TEXTURE_DESC& texture, bool narrow) {
  cudaTextureDesc made = {};
  for (int k = 0; k < 3; ++k)
    made.addressMode[k] = static_cast<cudaTextureAddressMode>(texture.addressMode[k]);
  made.filterMode = static_cast<cudaTextureFilterMode>(texture.filterMode);
  const bool asInteger = (texture.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  made.readMode = narrow && !asInteger ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  made.sRGB = (texture.flags & CU_TRSF_SRGB) != 0 ? 1 : 0;
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), made.borderColor);
  made.normalizedCoords = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
  made.maxAnisotropy = texture.maxAnisotropy;
  made.mipmapFilterMode = static_cast<cudaTextureFilterMode>(texture.mipmapFilterMode);
  made.mipmapLevelBias = texture.mipmapLevelBias;
  made.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  made.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  return made;
}

}  // namespace

extern "C" {

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* d) {
  return driver("cuArray3DCreate", [&] {
    requireValue(array != nullptr && d != nullptr, "no place for the array, or no description");
    const cudaChannelFormatDesc desc = channelsOf(d->Format, d->NumChannels);
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &desc,
                             {d->Width, d->Height, d->Depth}, d->Flags);
  });
}
CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* d) {
  if (d == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY3D_DESCRIPTOR whole = {d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
  return cuArray3DCreate(array, &whole);
}
CUresult cuArrayDestroy(CUarray array) { return result(cudaFreeArray(arrayOf(array))); }
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* d, CUarray array) {
  return driver("cuArray3DGetDescriptor", [&] {
    requireValue(d != nullptr, "no place for the description");
    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned int flags = 0;
    const cudaError_t error = cudaArrayGetInfo(&desc, &extent, &flags, arrayOf(array));
    if (error != cudaSuccess) return error;
    const unsigned channels = desc.w != 0 ? 4 : desc.y != 0 ? 2 : 1;
    *d = {extent.width, extent.height, extent.depth, formatOf(desc), channels, flags};
    return cudaSuccess;
  });
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* d, CUarray array) {
  if (d == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUDA_ARRAY3D_DESCRIPTOR whole;
  const CUresult code = cuArray3DGetDescriptor(&whole, array);
  if (code == CUDA_SUCCESS) *d = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
  return code;
}
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
  return result(
      cudaMemcpy2DToArray(arrayOf(to), offset, 0, from, bytes, bytes, 1, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
  return result(
      cudaMemcpy2DFromArray(to, bytes, arrayOf(from), offset, 0, bytes, 1, cudaMemcpyDeviceToHost));
}

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  return driver("cuTexObjectCreate", [&] {
    requireValue(object != nullptr && resource != nullptr && texture != nullptr,
                 "no place for the texture, or no description");
    require(view == nullptr, cudaErrorNotSupported, "views of resources are not supported");
    bool narrow = false;
    const cudaResourceDesc from = resourceOf(*resource, narrow);
    const cudaTextureDesc how = textureOf(*texture, narrow);
    return cudaCreateTextureObject(object, &from, &how, nullptr);
  });
}
CUresult cuTexObjectDestroy(CUtexObject object) { return result(cudaDestroyTextureObject(object)); }
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return driver("cuSurfObjectCreate", [&] {
    requireValue(object != nullptr && resource != nullptr,
                 "no place for the surface, or no description");
    bool narrow = false;
    const cudaResourceDesc from = resourceOf(*resource, narrow);
    return cudaCreateSurfaceObject(object, &from);
  });
}
CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return result(cudaDestroySurfaceObject(object));
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize dynamicSMemOf,
                                                   size_t dynamicSMem, int limit, unsigned int) {
  return driver("cuOccupancyMaxPotentialBlockSize", [&] {
    requireValue(minGridSize != nullptr && blockSize != nullptr, "no place for the answer");
    int processors = 0, allowed = 0, most = 0;
    cudaError_t error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    CUresult code = cuFuncGetAttribute(&allowed, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (limit <= 0 || limit > allowed) limit = allowed;
    for (int threads = (limit + 31) / 32 * 32; threads > 0; threads -= 32) {
      if (error != cudaSuccess || code != CUDA_SUCCESS) break;
      const int size = std::min(threads, limit);
      int blocks = 0;
      code = cuOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, function, size, dynamicSMemOf != nullptr ? dynamicSMemOf(size) : dynamicSMem);
      if (blocks * size <= most) continue;
      most = blocks * size;
      *blockSize = size;
      *minGridSize = blocks * processors;
    }
    return code == CUDA_SUCCESS ? error : static_cast<cudaError_t>(code);
  });
}
CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction function,
                                          CUoccupancyB2DSize dynamicSMemOf, size_t dynamicSMem,
                                          int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, dynamicSMemOf,
                                                   dynamicSMem, limit, 0);
}

}  // extern "C"
