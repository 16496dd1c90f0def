// Scales of blocks, e8m0 (OCP Microscaling Formats Specification 1.0): 2^(x - 127); 255 is a NaN.
// Signs are dropped, since a scale has none.
#pragma once

#include "tiny_types.h"

namespace fermata_cuda {

constexpr unsigned kScaleNan = 255, kMostScale = 254;

/// Rounds to zero or, in size, up. Beyond the largest scale an infinity, or a number that is
/// rounded up, becomes that or a NaN.
FERMATA_BOTH unsigned char scaleBits(double a, bool saturates, cudaRoundMode rounding) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, a);
  const int biased = int(bits >> 52 & 0x7ff);
  const unsigned long long fraction = bits & 0xfffffffffffffULL;
  if (biased == 0x7ff && fraction != 0) return kScaleNan;
  int scale = biased - 1023 + 127;
  if (scale < 0) return 0;
  if (rounding == cudaRoundPosInf && fraction != 0) ++scale;
  if (scale < int(kScaleNan)) return static_cast<unsigned char>(scale);
  const bool cut = biased != 0x7ff && rounding == cudaRoundZero;
  return saturates || cut ? kMostScale : kScaleNan;
}
FERMATA_BOTH float floatOfScale(unsigned scale) {
  const unsigned bits = scale == kScaleNan ? 0x7fff0000U : scale == 0 ? 0x400000U : scale << 23;
  return __builtin_bit_cast(float, bits);
}
FERMATA_BOTH unsigned short bfloat16OfScale(unsigned scale) {
  return scale == kScaleNan ? 0x7fff : static_cast<unsigned short>(scale == 0 ? 0x40 : scale << 7);
}

}  // namespace fermata_cuda

FERMATA_BOTH __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double a, __nv_saturation_t saturates,
                                                        cudaRoundMode rounding) {
  return fermata_cuda::scaleBits(a, saturates == __NV_SATFINITE, rounding);
}
FERMATA_BOTH __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float a, __nv_saturation_t saturates,
                                                       cudaRoundMode rounding) {
  return fermata_cuda::scaleBits(a, saturates == __NV_SATFINITE, rounding);
}
FERMATA_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw a,
                                                             __nv_saturation_t saturates,
                                                             cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(fermata_cuda::floatOfBfloat16(a.x), saturates, rounding);
}
FERMATA_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 a, __nv_saturation_t saturates,
                                                             cudaRoundMode rounding) {
  return fermata_cuda::fp8Joined(__nv_cvt_double_to_e8m0(a.x, saturates, rounding),
                                 __nv_cvt_double_to_e8m0(a.y, saturates, rounding));
}
FERMATA_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 a, __nv_saturation_t saturates,
                                                            cudaRoundMode rounding) {
  return fermata_cuda::fp8Joined(__nv_cvt_float_to_e8m0(a.x, saturates, rounding),
                                 __nv_cvt_float_to_e8m0(a.y, saturates, rounding));
}
FERMATA_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw a,
                                                                  __nv_saturation_t saturates,
                                                                  cudaRoundMode rounding) {
  return fermata_cuda::fp8Joined(
      __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{a.x}, saturates, rounding),
      __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{a.y}, saturates, rounding));
}
FERMATA_BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t a) {
  return {fermata_cuda::bfloat16OfScale(a)};
}
FERMATA_BOTH __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t a) {
  return {fermata_cuda::bfloat16OfScale(a & 255U), fermata_cuda::bfloat16OfScale(a >> 8)};
}

/// Rounds up and saturates.
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;

  __nv_fp8_e8m0() = default;
  __host__ __device__ explicit __nv_fp8_e8m0(double a)
      : __x(__nv_cvt_double_to_e8m0(a, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(float a) : __nv_fp8_e8m0(double(a)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(__half a) : __nv_fp8_e8m0(static_cast<float>(a)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(__nv_bfloat16 a)
      : __nv_fp8_e8m0(static_cast<float>(a)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(int a) : __nv_fp8_e8m0(double(a)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned a) : __nv_fp8_e8m0(double(a)) {}
  __host__ __device__ explicit operator float() const { return fermata_cuda::floatOfScale(__x); }
  __host__ __device__ explicit operator double() const { return fermata_cuda::floatOfScale(__x); }
  __host__ __device__ explicit operator __nv_bfloat16() const {
    return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
  }
};
struct __align__(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;

  __nv_fp8x2_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x2_e8m0(float2 a)
      : __x(__nv_cvt_float2_to_e8m0x2(a, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit operator float2() const {
    return {fermata_cuda::floatOfScale(__x & 255U), fermata_cuda::floatOfScale(__x >> 8)};
  }
};
struct __align__(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;

  __nv_fp8x4_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x4_e8m0(float4 a)
      : __x(__nv_fp8x2_e8m0(float2{a.x, a.y}).__x | unsigned(__nv_fp8x2_e8m0(float2{a.z, a.w}).__x)
                                                        << 16) {}
  __host__ __device__ explicit operator float4() const {
    return {fermata_cuda::floatOfScale(__x & 255U), fermata_cuda::floatOfScale(__x >> 8 & 255U),
            fermata_cuda::floatOfScale(__x >> 16 & 255U), fermata_cuda::floatOfScale(__x >> 24)};
  }
};
