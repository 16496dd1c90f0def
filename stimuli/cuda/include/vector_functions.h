// make_TYPEn(x, y, ...): vectors from their elements, on the host and the device.
#pragma once
#define __VECTOR_FUNCTIONS_H__  // programs test whether it was included

#include "vector_types.h"

#ifdef FERMATA_MAKE  // by fermata_cuda.h
#elif defined(__cplusplus)
#define FERMATA_MAKE static __inline__ __host__ __device__
#else
#define FERMATA_MAKE static __inline__
#endif

#define FERMATA_VECTOR(name, type, of_two, of_four)                     \
  FERMATA_MAKE name##1 make_##name##1(type x) {                         \
    name##1 v = {x};                                                    \
    return v;                                                           \
  }                                                                     \
  FERMATA_MAKE name##2 make_##name##2(type x, type y) {                 \
    name##2 v = {x, y};                                                 \
    return v;                                                           \
  }                                                                     \
  FERMATA_MAKE name##3 make_##name##3(type x, type y, type z) {         \
    name##3 v = {x, y, z};                                              \
    return v;                                                           \
  }                                                                     \
  FERMATA_MAKE name##4 make_##name##4(type x, type y, type z, type w) { \
    name##4 v = {x, y, z, w};                                           \
    return v;                                                           \
  }
#include "parts/vector_list.inl"

#undef FERMATA_MAKE
