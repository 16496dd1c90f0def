// Numbers of 4 bits, e2m1 (OCP Microscaling Formats), on the host and the device. They have no
// infinity and no NaN.
#pragma once
#define __CUDA_FP4_H__  // programs test whether it was included

#include "cuda_fp8.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

namespace fermata_cuda {

template <class T>
FERMATA_BOTH unsigned char fp4Bits(T a, __nv_fp4_interpretation_t, cudaRoundMode rounding) {
  const bool towardsZero = rounding == cudaRoundZero;
  return tinyBits<E2m1>(a, true, towardsZero);
}
FERMATA_BOTH unsigned char fp4Joined(unsigned low, unsigned high) {
  return tinyJoined<E2m1>(low, high);
}
FERMATA_BOTH unsigned fp4Halves(unsigned bits, __nv_fp4_interpretation_t) {
  return tinyHalves<E2m1>(bits);
}

}  // namespace fermata_cuda

FERMATA_TINY_FUNCTIONS(fp4, __nv_fp4_interpretation_t, cudaRoundMode)
FERMATA_TINY_CLASSES(fp4, e2m1, E2m1)
