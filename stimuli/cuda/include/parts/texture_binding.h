// texture<> and surface<> references bound to memory, from the host.
#pragma once

#include "../cuda_runtime_api.h"
#include "texture_classes.h"

template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dim, mode>& t,
                                   const void* pointer, const cudaChannelFormatDesc& desc,
                                   size_t size = UINT_MAX) {
  return ::cudaBindTexture(offset, &t, pointer, &desc, size);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dim, mode>& t,
                                   const void* pointer, size_t size = UINT_MAX) {
  return ::cudaBindTexture(offset, &t, pointer, &t.channelDesc, size);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& t,
                                     const void* pointer, const cudaChannelFormatDesc& desc,
                                     size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &t, pointer, &desc, width, height, pitch);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& t,
                                     const void* pointer, size_t width, size_t height,
                                     size_t pitch) {
  return ::cudaBindTexture2D(offset, &t, pointer, &t.channelDesc, width, height, pitch);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode>& t, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  return ::cudaBindTextureToArray(&t, array, &desc);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode>& t, cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  const cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error != cudaSuccess ? error : ::cudaBindTextureToArray(&t, array, &desc);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, dim, mode>& t) {
  return ::cudaUnbindTexture(&t);
}
template <class T, int dim, enum cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dim, mode>& t) {
  return ::cudaGetTextureAlignmentOffset(offset, &t);
}
template <class T, int dim>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& s, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  return ::cudaBindSurfaceToArray(&s, array, &desc);
}
template <class T, int dim>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& s, cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  const cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error != cudaSuccess ? error : ::cudaBindSurfaceToArray(&s, array, &desc);
}
