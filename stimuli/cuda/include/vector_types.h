// Vectors of one to four elements, and dim3. Vectors of two and four are aligned to their size, 16
// bytes at most, so that an element moves in one access.
#pragma once
#define __VECTOR_TYPES_H__  // programs test whether it was included

#include "host_defines.h"

// C needs the typedefs: there a struct's name alone is no type.
#define FERMATA_VECTOR(name, type, of_two, of_four) \
  struct name##1 {                                  \
    type x;                                         \
  };                                                \
  struct __align__(of_two) name##2 {                \
    type x, y;                                      \
  };                                                \
  struct name##3 {                                  \
    type x, y, z;                                   \
  };                                                \
  struct __align__(of_four) name##4 {               \
    type x, y, z, w;                                \
  };                                                \
  typedef struct name##1 name##1;                   \
  typedef struct name##2 name##2;                   \
  typedef struct name##3 name##3;                   \
  typedef struct name##4 name##4;
#include "parts/vector_list.inl"

/// The shape of a grid or a block; extents that are not given are 1.
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int xs = 1, unsigned int ys = 1, unsigned int zs = 1)
      : x(xs), y(ys), z(zs) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
