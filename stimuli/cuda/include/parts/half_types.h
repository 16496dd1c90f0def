// __half and __half2: numbers in half precision, and their conversions, on the host and the device.
#pragma once

#include "../vector_types.h"
#include "small_conversions.h"

namespace fermata_cuda {

/// Returns the bits of the rounded number.
FERMATA_BOTH unsigned short halfBits(double a, Rounding rounding) {
#ifdef __CUDA_ARCH__
  if (rounding == Rounding::Nearest) {
    unsigned short bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(a));
    return bits;
  }
#endif
  return narrowed<10, 15>(a, rounding);
}
// Defines a conversion in an instruction's rounding direction, on targets that have one.
#ifdef __CUDA_ARCH__
#define FERMATA_HALF_OF(name, T, type, letter)                                                    \
  template <Rounding kRounding>                                                                   \
  FERMATA_BOTH unsigned short name(T a) {                                                         \
    unsigned short bits = 0;                                                                      \
    if (kRounding == Rounding::Nearest)                                                           \
      asm("cvt.rn.f16." type " %0, %1;" : "=h"(bits) : letter(a));                                \
    if (kRounding == Rounding::Zero) asm("cvt.rz.f16." type " %0, %1;" : "=h"(bits) : letter(a)); \
    if (kRounding == Rounding::Up) asm("cvt.rp.f16." type " %0, %1;" : "=h"(bits) : letter(a));   \
    if (kRounding == Rounding::Down) asm("cvt.rm.f16." type " %0, %1;" : "=h"(bits) : letter(a)); \
    return bits;                                                                                  \
  }
FERMATA_HALF_OF(halfOfWhole, int, "s32", "r")
FERMATA_HALF_OF(halfOfWhole, unsigned int, "u32", "r")
FERMATA_HALF_OF(halfOfWhole, short, "s16", "h")
FERMATA_HALF_OF(halfOfWhole, unsigned short, "u16", "h")
FERMATA_HALF_OF(halfOfWhole, long long, "s64", "l")
FERMATA_HALF_OF(halfOfWhole, unsigned long long, "u64", "l")
FERMATA_HALF_OF(halfOfFloat, float, "f32", "f")
#undef FERMATA_HALF_OF
#else
template <Rounding kRounding, class T>
FERMATA_BOTH unsigned short halfOfWhole(T a) {
  return halfBits(wholeToOdd(a), kRounding);
}
template <Rounding kRounding>
FERMATA_BOTH unsigned short halfOfFloat(float a) {
  return halfBits(static_cast<double>(a), kRounding);
}
#endif
FERMATA_BOTH unsigned short halfBits(float a) { return halfOfFloat<Rounding::Nearest>(a); }
FERMATA_BOTH float floatOfHalf(unsigned short bits) {
#ifdef __CUDA_ARCH__
  float a;
  asm("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(bits));
  return a;
#else
  const unsigned sign = static_cast<unsigned>(bits & 0x8000) << 16;
  const unsigned rest = bits & 0x7fff;
  if (rest > 0x7c00) return fermata_math::number(0x7fffffffu);
  if (rest == 0x7c00) return fermata_math::number(sign | 0x7f800000u);
  if (rest >= 0x400) return fermata_math::number(sign | ((rest << 13) + 0x38000000u));
  const float small = static_cast<float>(rest) * 0x1p-24f;
  return sign != 0 ? -small : small;
#endif
}

}  // namespace fermata_cuda

#define FERMATA_NUMBER __half
#define FERMATA_OTHER __nv_bfloat16
#define FERMATA_RAW __half_raw
#define FERMATA_PAIR __half2
#define FERMATA_PAIR_RAW __half2_raw
#define FERMATA_BITS halfBits
#define FERMATA_FLOAT floatOfHalf
#define FERMATA_INFINITY 0x7c00
#include "small_type.inl"
#undef FERMATA_NUMBER
#undef FERMATA_OTHER
#undef FERMATA_RAW
#undef FERMATA_PAIR
#undef FERMATA_PAIR_RAW
#undef FERMATA_BITS
#undef FERMATA_FLOAT
#undef FERMATA_INFINITY

typedef __half half;
typedef __half2 half2;

FERMATA_SMALL_CONVERSIONS(__half, __half2, half)

#define FERMATA_HALF_IS_WHOLE
#include "small_mixed.h"
