// Numbers of 8 bits, e4m3 and e5m2 (OCP 8-bit Floating Point Specification), and scales of blocks,
// e8m0, on the host and the device.
#pragma once
#define __CUDA_FP8_H__  // programs test whether it was included

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "parts/tiny_types.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
/// A number that is too large becomes an infinity (of e4m3: a NaN), or the largest number.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace fermata_cuda {

template <class Format>
FERMATA_BOTH unsigned char fp8Bits(float a, __nv_saturation_t saturates) {
  return saturates == __NV_SATFINITE ? tinySaturated<Format>(a) : tinyBits<Format>(a, false, false);
}
template <class Format>
FERMATA_BOTH unsigned char fp8Bits(double a, __nv_saturation_t saturates) {
  return tinyBits<Format>(a, saturates == __NV_SATFINITE, false);
}
template <class T>
FERMATA_BOTH unsigned char fp8Bits(T a, __nv_saturation_t saturates,
                                   __nv_fp8_interpretation_t kind) {
  return kind == __NV_E5M2 ? fp8Bits<E5m2>(a, saturates) : fp8Bits<E4m3>(a, saturates);
}
FERMATA_BOTH unsigned short fp8Joined(unsigned low, unsigned high) {
  return tinyJoined<E4m3>(low, high);
}
FERMATA_BOTH unsigned fp8Halves(unsigned bits, __nv_fp8_interpretation_t kind) {
  return kind == __NV_E5M2 ? tinyHalves<E5m2>(bits) : tinyHalves<E4m3>(bits);
}

}  // namespace fermata_cuda

FERMATA_TINY_FUNCTIONS(fp8, __nv_saturation_t, __nv_fp8_interpretation_t)
FERMATA_TINY_CLASSES(fp8, e4m3, E4m3)
FERMATA_TINY_CLASSES(fp8, e5m2, E5m2)

#include "parts/scale_types.h"
