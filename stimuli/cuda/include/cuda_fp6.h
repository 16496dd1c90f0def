// Numbers of 6 bits, e2m3 and e3m2 (OCP Microscaling Formats), on the host and the device. They
// have no infinity and no NaN.
#pragma once
#define __CUDA_FP6_H__  // programs test whether it was included

#include "cuda_fp8.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

namespace fermata_cuda {

template <class T>
FERMATA_BOTH unsigned char fp6Bits(T a, __nv_fp6_interpretation_t kind, cudaRoundMode rounding) {
  const bool towardsZero = rounding == cudaRoundZero;
  return kind == __NV_E2M3 ? tinyBits<E2m3>(a, true, towardsZero)
                           : tinyBits<E3m2>(a, true, towardsZero);
}
FERMATA_BOTH unsigned short fp6Joined(unsigned low, unsigned high) {
  return tinyJoined<E2m3>(low, high);
}
FERMATA_BOTH unsigned fp6Halves(unsigned bits, __nv_fp6_interpretation_t kind) {
  return kind == __NV_E2M3 ? tinyHalves<E2m3>(bits) : tinyHalves<E3m2>(bits);
}

}  // namespace fermata_cuda

FERMATA_TINY_FUNCTIONS(fp6, __nv_fp6_interpretation_t, cudaRoundMode)
FERMATA_TINY_CLASSES(fp6, e2m3, E2m3)
FERMATA_TINY_CLASSES(fp6, e3m2, E3m2)
