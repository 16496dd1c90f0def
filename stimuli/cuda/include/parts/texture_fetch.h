// tex1D and the like, in kernels, for texture objects and texture<> references, over the compiler's
// own fetches, which are PTX's tex instructions.
#pragma once

#include "device_words.h"
#include "texture_classes.h"

namespace fermata_cuda {

/// Result type of a fetch from a texture<T, type, mode>: T, or floats in its number.
template <class T, cudaTextureReadMode mode>
struct Fetched {
  using Type = T;
};
template <int n>
struct Floats;
// clang-format off
template <> struct Floats<1> { using Type = float; };
template <> struct Floats<2> { using Type = float2; };
template <> struct Floats<4> { using Type = float4; };
// clang-format on
/// Vector of four elements of the type of T's channels.
template <class Element>
struct Four;
// clang-format off
template <> struct Four<char> { using Type = char4; };
template <> struct Four<signed char> { using Type = char4; };
template <> struct Four<unsigned char> { using Type = uchar4; };
template <> struct Four<short> { using Type = short4; };
template <> struct Four<unsigned short> { using Type = ushort4; };
template <> struct Four<int> { using Type = int4; };
template <> struct Four<unsigned> { using Type = uint4; };
template <> struct Four<float> { using Type = float4; };
// clang-format on
template <class T>
using FourOf = Four<typename Channels<T>::Element>;

template <class T>
struct Fetched<T, cudaReadModeNormalizedFloat> {
  using Type = typename Floats<Channels<T>::count>::Type;
};

}  // namespace fermata_cuda

// Defines the fetch `name` of an object. `op` is the compiler's name for it; the declarations of
// the coordinates follow, then the coordinates.
#define FERMATA_TEX_OBJECT(name, op, coordinates, ...)                                         \
  template <class T>                                                                           \
  FERMATA_DEVICE void name(T* fetched, cudaTextureObject_t object, FERMATA_LIST coordinates) { \
    __nv_tex_surf_handler(op, fetched, object, __VA_ARGS__);                                   \
  }                                                                                            \
  template <class T>                                                                           \
  FERMATA_DEVICE T name(cudaTextureObject_t object, FERMATA_LIST coordinates) {                \
    T fetched;                                                                                 \
    __nv_tex_surf_handler(op, &fetched, object, __VA_ARGS__);                                  \
    return fetched;                                                                            \
  }
// Defines the fetch of a texture<> of `type`; `op` and `opn` are without and with normalised
// reading.
#define FERMATA_TEX_REFERENCE(name, type, op, opn, coordinates, ...)                             \
  template <class T>                                                                             \
  FERMATA_DEVICE T name(texture<T, type, cudaReadModeElementType> t, FERMATA_LIST coordinates) { \
    T fetched;                                                                                   \
    __nv_tex_surf_handler(op, &fetched, &fetched, t, __VA_ARGS__);                               \
    return fetched;                                                                              \
  }                                                                                              \
  template <class T>                                                                             \
  FERMATA_DEVICE typename fermata_cuda::Fetched<T, cudaReadModeNormalizedFloat>::Type name(      \
      texture<T, type, cudaReadModeNormalizedFloat> t, FERMATA_LIST coordinates) {               \
    typename fermata_cuda::Fetched<T, cudaReadModeNormalizedFloat>::Type fetched;                \
    T element;                                                                                   \
    __nv_tex_surf_handler(opn, &element, &fetched, t, __VA_ARGS__);                              \
    return fetched;                                                                              \
  }
#define FERMATA_LIST(...) __VA_ARGS__
#define FERMATA_TEX(name, type, coordinates, ...)                                         \
  FERMATA_TEX_OBJECT(name, "__i" #name, coordinates, __VA_ARGS__)                         \
  FERMATA_TEX_REFERENCE(name, type, "__" #name "_v2", "__" #name "_rmnf_v2", coordinates, \
                        __VA_ARGS__)

FERMATA_TEX(tex1Dfetch, cudaTextureType1D, (int x), x)
FERMATA_TEX(tex1D, cudaTextureType1D, (float x), x)
FERMATA_TEX(tex1DLod, cudaTextureType1D, (float x, float level), x, level)
FERMATA_TEX(tex1DGrad, cudaTextureType1D, (float x, float dx, float dy), x, dx, dy)
FERMATA_TEX(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), x, layer)
FERMATA_TEX(tex1DLayeredLod, cudaTextureType1DLayered, (float x, int layer, float level), x, layer,
            level)
FERMATA_TEX(tex2D, cudaTextureType2D, (float x, float y), x, y)
FERMATA_TEX(tex2DLod, cudaTextureType2D, (float x, float y, float level), x, y, level)
FERMATA_TEX(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), x, y, layer)
FERMATA_TEX(tex2DLayeredLod, cudaTextureType2DLayered, (float x, float y, int layer, float level),
            x, y, layer, level)
FERMATA_TEX(tex3D, cudaTextureType3D, (float x, float y, float z), x, y, z)
FERMATA_TEX(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level), x, y, z, level)
FERMATA_TEX(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), x, y, z)
FERMATA_TEX(texCubemapLod, cudaTextureTypeCubemap, (float x, float y, float z, float level), x, y,
            z, level)
FERMATA_TEX(texCubemapLayered, cudaTextureTypeCubemapLayered,
            (float x, float y, float z, int layer), x, y, z, layer)
FERMATA_TEX(texCubemapLayeredLod, cudaTextureTypeCubemapLayered,
            (float x, float y, float z, int layer, float level), x, y, z, layer, level)

// Gradients choose a mipmap level, and a texture has only one.
#define FERMATA_TEX_GRADIENTS(name, type, coordinates, ...)                               \
  FERMATA_TEX_OBJECT(name, "__i" #name "_v2", coordinates, __VA_ARGS__)                   \
  FERMATA_TEX_REFERENCE(name, type, "__" #name "_v2", "__" #name "_rmnf_v2", coordinates, \
                        __VA_ARGS__)
FERMATA_TEX_GRADIENTS(tex2DGrad, cudaTextureType2D, (float x, float y, float2 dx, float2 dy), x, y,
                      &dx, &dy)
FERMATA_TEX_GRADIENTS(tex3DGrad, cudaTextureType3D,
                      (float x, float y, float z, float4 dx, float4 dy), x, y, z, &dx, &dy)

// Gathers one channel of the four elements that a filter would read.
FERMATA_TEX_OBJECT(tex2Dgather, "__itex2Dgather", (float x, float y, int channel = 0), x, y,
                   channel)
template <class T>
FERMATA_DEVICE typename fermata_cuda::FourOf<T>::Type tex2Dgather(
    texture<T, cudaTextureType2D, cudaReadModeElementType> t, float x, float y, int channel = 0) {
  typename fermata_cuda::FourOf<T>::Type fetched;
  T element;
  __nv_tex_surf_handler("__tex2Dgather_v2", &element, &fetched, t, x, y, channel);
  return fetched;
}
template <class T>
FERMATA_DEVICE float4 tex2Dgather(texture<T, cudaTextureType2D, cudaReadModeNormalizedFloat> t,
                                  float x, float y, int channel = 0) {
  float4 fetched;
  T element;
  __nv_tex_surf_handler("__tex2Dgather_rmnf_v2", &element, &fetched, t, x, y, channel);
  return fetched;
}

#undef FERMATA_TEX_GRADIENTS
#undef FERMATA_TEX
#undef FERMATA_TEX_REFERENCE
#undef FERMATA_TEX_OBJECT
#undef FERMATA_LIST
