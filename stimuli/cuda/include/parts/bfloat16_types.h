// __nv_bfloat16 and __nv_bfloat162: numbers in bfloat16, a float's first 16 bits, and their
// conversions, on the host and the device.
#pragma once

#include "../vector_types.h"
#include "small_conversions.h"

namespace fermata_cuda {

/// Returns the bits of the rounded number.
FERMATA_BOTH unsigned short bfloat16Bits(double a, Rounding rounding) {
  return narrowed<7, 127>(a, rounding);
}
FERMATA_BOTH unsigned short bfloat16Bits(float a) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return bits;
#else
  const unsigned b = fermata_math::bits(a);
  if ((b & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<unsigned short>((b + 0x7fff + (b >> 16 & 1)) >> 16);
#endif
}
template <Rounding kRounding, class T>
FERMATA_BOTH unsigned short bfloat16OfWhole(T a) {
  return bfloat16Bits(wholeToOdd(a), kRounding);
}
template <Rounding kRounding>
FERMATA_BOTH unsigned short bfloat16OfFloat(float a) {
  return bfloat16Bits(static_cast<double>(a), kRounding);
}
FERMATA_BOTH float floatOfBfloat16(unsigned short bits) {
  return fermata_math::number(static_cast<unsigned>(bits) << 16);
}

}  // namespace fermata_cuda

#define FERMATA_NUMBER __nv_bfloat16
#define FERMATA_OTHER __half
#define FERMATA_RAW __nv_bfloat16_raw
#define FERMATA_PAIR __nv_bfloat162
#define FERMATA_PAIR_RAW __nv_bfloat162_raw
#define FERMATA_BITS bfloat16Bits
#define FERMATA_FLOAT floatOfBfloat16
#define FERMATA_INFINITY 0x7f80
#include "small_type.inl"
#undef FERMATA_NUMBER
#undef FERMATA_OTHER
#undef FERMATA_RAW
#undef FERMATA_PAIR
#undef FERMATA_PAIR_RAW
#undef FERMATA_BITS
#undef FERMATA_FLOAT
#undef FERMATA_INFINITY

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

FERMATA_SMALL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)

#define FERMATA_BFLOAT16_IS_WHOLE
#include "small_mixed.h"
