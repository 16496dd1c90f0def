// surf1Dread, surf1Dwrite and the like, in kernels, for surface objects and surface<> references. x
// counts bytes, as in CUDA; an access outside is an error, or reads the edge or zero.
#pragma once

#include "device_words.h"
#include "texture_classes.h"

#define FERMATA_LIST(...) __VA_ARGS__

// Defines one instruction: `bits` of `n` registers, at `place` of a surface.
#define FERMATA_SULD(shape, bits, mode, registers, outputs, place, operands)          \
  asm volatile("suld.b." shape "." bits "." mode " " registers ", [%[s], " place "];" \
               : FERMATA_LIST outputs                                                 \
               : [s] "l"(s), FERMATA_LIST operands                                    \
               : "memory")
#define FERMATA_SUST(shape, bits, mode, registers, inputs, place, operands)           \
  asm volatile("sust.b." shape "." bits "." mode " [%[s], " place "], " registers ";" \
               :                                                                      \
               : [s] "l"(s), FERMATA_LIST operands, FERMATA_LIST inputs               \
               : "memory")
// Reads a whole element, whose size selects the width of the instruction.
#define FERMATA_SURFACE_READ(shape, mode, place, operands)                                       \
  if constexpr (sizeof(T) == 1) {                                                                \
    FERMATA_SULD(shape, "b8", mode, "%[a]", ([a] "=h"(h)), place, operands);                     \
  } else if constexpr (sizeof(T) == 2) {                                                         \
    FERMATA_SULD(shape, "b16", mode, "%[a]", ([a] "=h"(h)), place, operands);                    \
  } else if constexpr (sizeof(T) == 4) {                                                         \
    FERMATA_SULD(shape, "b32", mode, "%[a]", ([a] "=r"(r[0])), place, operands);                 \
  } else if constexpr (sizeof(T) == 8) {                                                         \
    FERMATA_SULD(shape, "v2.b32", mode, "{%[a], %[b]}", ([a] "=r"(r[0]), [b] "=r"(r[1])), place, \
                 operands);                                                                      \
  } else {                                                                                       \
    FERMATA_SULD(shape, "v4.b32", mode, "{%[a], %[b], %[c], %[d]}",                              \
                 ([a] "=r"(r[0]), [b] "=r"(r[1]), [c] "=r"(r[2]), [d] "=r"(r[3])), place,        \
                 operands);                                                                      \
  }
#define FERMATA_SURFACE_WRITE(shape, mode, place, operands)                                      \
  if constexpr (sizeof(T) == 1) {                                                                \
    FERMATA_SUST(shape, "b8", mode, "%[a]", ([a] "h"(h)), place, operands);                      \
  } else if constexpr (sizeof(T) == 2) {                                                         \
    FERMATA_SUST(shape, "b16", mode, "%[a]", ([a] "h"(h)), place, operands);                     \
  } else if constexpr (sizeof(T) == 4) {                                                         \
    FERMATA_SUST(shape, "b32", mode, "%[a]", ([a] "r"(r[0])), place, operands);                  \
  } else if constexpr (sizeof(T) == 8) {                                                         \
    FERMATA_SUST(shape, "v2.b32", mode, "{%[a], %[b]}", ([a] "r"(r[0]), [b] "r"(r[1])), place,   \
                 operands);                                                                      \
  } else {                                                                                       \
    FERMATA_SUST(shape, "v4.b32", mode, "{%[a], %[b], %[c], %[d]}",                              \
                 ([a] "r"(r[0]), [b] "r"(r[1]), [c] "r"(r[2]), [d] "r"(r[3])), place, operands); \
  }
#define FERMATA_SURFACE_MODES(access, shape, place, operands) \
  if (mode == cudaBoundaryModeZero) {                         \
    access(shape, "zero", place, operands)                    \
  } else if (mode == cudaBoundaryModeClamp) {                 \
    access(shape, "clamp", place, operands)                   \
  } else {                                                    \
    access(shape, "trap", place, operands)                    \
  }

// Defines name##read and name##write of a shape, for objects and for references of `type`.
#define FERMATA_SURFACE(name, shape, type, place, coordinates, operands, ...)                     \
  template <class T>                                                                              \
  FERMATA_DEVICE T name##read(cudaSurfaceObject_t s, FERMATA_LIST coordinates,                    \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "no surface's element"); \
    short h = 0;                                                                                  \
    unsigned r[4] = {};                                                                           \
    FERMATA_SURFACE_MODES(FERMATA_SURFACE_READ, shape, place, operands)                           \
    T value;                                                                                      \
    if (sizeof(T) < 4)                                                                            \
      __builtin_memcpy(&value, &h, sizeof(T) < 4 ? sizeof(T) : 0);                                \
    else                                                                                          \
      __builtin_memcpy(&value, r, sizeof(T));                                                     \
    return value;                                                                                 \
  }                                                                                               \
  template <class T>                                                                              \
  FERMATA_DEVICE void name##read(T* value, cudaSurfaceObject_t s, FERMATA_LIST coordinates,       \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    *value = name##read<T>(s, __VA_ARGS__, mode);                                                 \
  }                                                                                               \
  template <class T>                                                                              \
  FERMATA_DEVICE void name##write(T value, cudaSurfaceObject_t s, FERMATA_LIST coordinates,       \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "no surface's element"); \
    short h = 0;                                                                                  \
    unsigned r[4] = {};                                                                           \
    if (sizeof(T) < 4)                                                                            \
      __builtin_memcpy(&h, &value, sizeof(T) < 4 ? sizeof(T) : 0);                                \
    else                                                                                          \
      __builtin_memcpy(r, &value, sizeof(T));                                                     \
    FERMATA_SURFACE_MODES(FERMATA_SURFACE_WRITE, shape, place, operands)                          \
  }                                                                                               \
  template <class T>                                                                              \
  FERMATA_DEVICE T name##read(surface<void, type> s, FERMATA_LIST coordinates,                    \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    return name##read<T>(__cuda_tex::__tex_handle_to_obj(s), __VA_ARGS__, mode);                  \
  }                                                                                               \
  template <class T>                                                                              \
  FERMATA_DEVICE void name##read(T* value, surface<void, type> s, FERMATA_LIST coordinates,       \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    *value = name##read<T>(__cuda_tex::__tex_handle_to_obj(s), __VA_ARGS__, mode);                \
  }                                                                                               \
  template <class T>                                                                              \
  FERMATA_DEVICE void name##write(T value, surface<void, type> s, FERMATA_LIST coordinates,       \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    name##write(value, __cuda_tex::__tex_handle_to_obj(s), __VA_ARGS__, mode);                    \
  }

FERMATA_SURFACE(surf1D, "1d", cudaSurfaceType1D, "{%[x]}", (int x), ([x] "r"(x)), x)
FERMATA_SURFACE(surf2D, "2d", cudaSurfaceType2D, "{%[x], %[y]}", (int x, int y),
                ([x] "r"(x), [y] "r"(y)), x, y)
FERMATA_SURFACE(surf3D, "3d", cudaSurfaceType3D, "{%[x], %[y], %[z], %[z]}", (int x, int y, int z),
                ([x] "r"(x), [y] "r"(y), [z] "r"(z)), x, y, z)
FERMATA_SURFACE(surf1DLayered, "a1d", cudaSurfaceType1DLayered, "{%[l], %[x]}", (int x, int layer),
                ([x] "r"(x), [l] "r"(layer)), x, layer)
FERMATA_SURFACE(surf2DLayered, "a2d", cudaSurfaceType2DLayered, "{%[l], %[x], %[y], %[y]}",
                (int x, int y, int layer), ([x] "r"(x), [y] "r"(y), [l] "r"(layer)), x, y, layer)

#undef FERMATA_LIST
#undef FERMATA_SULD
#undef FERMATA_SUST
#undef FERMATA_SURFACE_READ
#undef FERMATA_SURFACE_WRITE
#undef FERMATA_SURFACE_MODES
#undef FERMATA_SURFACE
