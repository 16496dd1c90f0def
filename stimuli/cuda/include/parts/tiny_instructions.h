// Conversions of numbers of 4, 6 and 8 bits that classes use. From sm_89 on those of 8 bits are
// instructions.
#pragma once

#include "tiny_rounding.h"

namespace fermata_cuda {

template <class Format>
FERMATA_BOTH typename Format::PairStorage tinyJoined(unsigned low, unsigned high) {
  return static_cast<typename Format::PairStorage>(low | high << Format::kStep);
}

/// Returns the bits of a float, or of two, that saturate.
template <class Format>
FERMATA_BOTH unsigned char tinySaturated(float a) {
  return tinyBits<Format>(a, true, false);
}
template <class Format>
FERMATA_BOTH typename Format::PairStorage tinyPairSaturated(float2 a) {
  return tinyJoined<Format>(tinySaturated<Format>(a.x), tinySaturated<Format>(a.y));
}
/// Returns the bits of the halves of one number, or of two.
template <class Format>
FERMATA_BOTH unsigned short tinyHalf(unsigned bits) {
  return halfOfTiny<Format>(bits);
}
template <class Format>
FERMATA_BOTH unsigned tinyHalves(unsigned bits) {
  return tinyHalf<Format>(bits) | static_cast<unsigned>(tinyHalf<Format>(bits >> Format::kStep))
                                      << 16;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define FERMATA_TINY_OWN __host__ __device__ inline __attribute__((always_inline, nodebug, unused))
#define FERMATA_TINY_INSTRUCTIONS(Format, type)                                           \
  template <>                                                                             \
  FERMATA_TINY_OWN unsigned short tinyPairSaturated<Format>(float2 a) {                   \
    unsigned short bits;                                                                  \
    asm("cvt.rn.satfinite." type "x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(a.y), "f"(a.x)); \
    return bits;                                                                          \
  }                                                                                       \
  template <>                                                                             \
  FERMATA_TINY_OWN unsigned char tinySaturated<Format>(float a) {                         \
    return static_cast<unsigned char>(tinyPairSaturated<Format>(float2{a, 0.0f}));        \
  }                                                                                       \
  template <>                                                                             \
  FERMATA_TINY_OWN unsigned tinyHalves<Format>(unsigned bits) {                           \
    unsigned halves;                                                                      \
    asm("cvt.rn.f16x2." type "x2 %0, %1;"                                                 \
        : "=r"(halves)                                                                    \
        : "h"(static_cast<unsigned short>(bits)));                                        \
    return halves;                                                                        \
  }                                                                                       \
  template <>                                                                             \
  FERMATA_TINY_OWN unsigned short tinyHalf<Format>(unsigned bits) {                       \
    return static_cast<unsigned short>(tinyHalves<Format>(bits & 0xff));                  \
  }
FERMATA_TINY_INSTRUCTIONS(E4m3, "e4m3")
FERMATA_TINY_INSTRUCTIONS(E5m2, "e5m2")
#undef FERMATA_TINY_INSTRUCTIONS
#undef FERMATA_TINY_OWN
#endif

}  // namespace fermata_cuda
