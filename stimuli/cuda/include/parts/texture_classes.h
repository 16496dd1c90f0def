// texture<> and surface<>: references that a program declares, for the host and the device.
#pragma once

#include "texture_api_types.h"

#ifdef FERMATA_CUDA_LANGUAGE
#define FERMATA_TEXTURE __attribute__((device_builtin_texture_type))
#define FERMATA_SURFACE __attribute__((device_builtin_surface_type))
#else
#define FERMATA_TEXTURE
#define FERMATA_SURFACE
#endif

namespace fermata_cuda {

/// Result of cudaCreateChannelDesc<T>(): bits of each channel, and their kind.
template <class T>
struct Channel {
  static constexpr int bits = 0;
  static constexpr cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};
template <cudaChannelFormatKind k, int n>
struct ChannelOf {
  static constexpr int bits = n;
  static constexpr cudaChannelFormatKind kind = k;
};
// clang-format off
template <> struct Channel<char> : ChannelOf<cudaChannelFormatKindSigned, 8> {};
template <> struct Channel<signed char> : ChannelOf<cudaChannelFormatKindSigned, 8> {};
template <> struct Channel<unsigned char> : ChannelOf<cudaChannelFormatKindUnsigned, 8> {};
template <> struct Channel<short> : ChannelOf<cudaChannelFormatKindSigned, 16> {};
template <> struct Channel<unsigned short> : ChannelOf<cudaChannelFormatKindUnsigned, 16> {};
template <> struct Channel<int> : ChannelOf<cudaChannelFormatKindSigned, 32> {};
template <> struct Channel<unsigned int> : ChannelOf<cudaChannelFormatKindUnsigned, 32> {};
template <> struct Channel<float> : ChannelOf<cudaChannelFormatKindFloat, 32> {};
// clang-format on

/// Number of channels of a type: the elements of a vector, 1 for a number.
template <class T, class = void>
struct Channels {
  using Element = T;
  static constexpr int count = 1;
};
template <class T>
struct Channels<T, decltype(static_cast<void>(T::x))> {
  using Element = decltype(T::x);
  static constexpr int count = static_cast<int>(sizeof(T) / sizeof(Element));
};

template <class T>
inline cudaChannelFormatDesc channelDesc() {
  using Element = typename Channels<T>::Element;
  constexpr int n = Channels<T>::count;
  constexpr int bits = Channel<Element>::bits;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, Channel<Element>::kind};
}

}  // namespace fermata_cuda

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return fermata_cuda::channelDesc<T>();
}

// Channels of half-precision numbers.
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

template <class T, int texType = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct FERMATA_TEXTURE texture : public textureReference {
  texture(int isNormalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(isNormalized, filter, address, fermata_cuda::channelDesc<T>()) {}
  texture(int isNormalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
          cudaChannelFormatDesc desc)
      : textureReference() {
    normalized = isNormalized;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
};

template <class T, int dim = 1>
struct FERMATA_SURFACE surface : public surfaceReference {
  surface() { channelDesc = fermata_cuda::channelDesc<T>(); }
};
template <int dim>
struct FERMATA_SURFACE surface<void, dim> : public surfaceReference {
  surface() { channelDesc = {0, 0, 0, 0, cudaChannelFormatKindNone}; }
};

#undef FERMATA_TEXTURE
#undef FERMATA_SURFACE
