// Arithmetic of __half, as its instructions have it.
#pragma once

#include "half_integers.h"

namespace fermata_cuda {

FERMATA_BOTH unsigned pairBits(__half2 a) {
  return a.x.bits() | static_cast<unsigned>(a.y.bits()) << 16;
}
FERMATA_BOTH __half2 pairOf(__half, unsigned bits) {
  return {__half::of(static_cast<unsigned short>(bits)),
          __half::of(static_cast<unsigned short>(bits >> 16))};
}
FERMATA_BOTH __half negated(__half a) {
  return __half::of(a.bits() ^ 0x8000);
}
FERMATA_BOTH __half magnitudeOf(__half a) {
  return __half::of(a.bits() & 0x7fff);
}
FERMATA_BOTH bool isNan(__half a) {
  return (a.bits() & 0x7fff) > 0x7c00;
}
FERMATA_BOTH bool isInfinite(__half a) {
  return (a.bits() & 0x7fff) == 0x7c00;
}
/// From 0 to 1; a NaN is 0.
FERMATA_BOTH __half saturated(__half a) {
  const float x = a;
  return x >= 1.0f ? __half(1.0f) : x > 0.0f ? a : __half(0.0f);
}
FERMATA_BOTH __half rectified(__half a) {
  return static_cast<float>(a) < 0.0f ? __half(0.0f) : a;
}
FERMATA_BOTH __half add(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));
  return __half::of(bits);
#else
  return __half(static_cast<float>(a) + static_cast<float>(b));
#endif
}
FERMATA_BOTH __half addSaturated(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("add.rn.sat.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));
  return __half::of(bits);
#else
  return saturated(add(a, b));
#endif
}
FERMATA_BOTH __half2 add(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b)));
  return pairOf(__half(), bits);
#else
  return {add(a.x, b.x), add(a.y, b.y)};
#endif
}
FERMATA_BOTH __half2 addSaturated(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("add.rn.sat.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b)));
  return pairOf(__half(), bits);
#else
  return {addSaturated(a.x, b.x), addSaturated(a.y, b.y)};
#endif
}
FERMATA_BOTH __half sub(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("sub.rn.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));
  return __half::of(bits);
#else
  return __half(static_cast<float>(a) - static_cast<float>(b));
#endif
}
FERMATA_BOTH __half subSaturated(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("sub.rn.sat.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));
  return __half::of(bits);
#else
  return saturated(sub(a, b));
#endif
}
FERMATA_BOTH __half2 sub(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b)));
  return pairOf(__half(), bits);
#else
  return {sub(a.x, b.x), sub(a.y, b.y)};
#endif
}
FERMATA_BOTH __half2 subSaturated(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("sub.rn.sat.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b)));
  return pairOf(__half(), bits);
#else
  return {subSaturated(a.x, b.x), subSaturated(a.y, b.y)};
#endif
}
FERMATA_BOTH __half mul(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));
  return __half::of(bits);
#else
  return __half(static_cast<float>(a) * static_cast<float>(b));
#endif
}
FERMATA_BOTH __half mulSaturated(__half a, __half b) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("mul.rn.sat.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));
  return __half::of(bits);
#else
  return saturated(mul(a, b));
#endif
}
FERMATA_BOTH __half2 mul(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b)));
  return pairOf(__half(), bits);
#else
  return {mul(a.x, b.x), mul(a.y, b.y)};
#endif
}
FERMATA_BOTH __half2 mulSaturated(__half2 a, __half2 b) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("mul.rn.sat.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b)));
  return pairOf(__half(), bits);
#else
  return {mulSaturated(a.x, b.x), mulSaturated(a.y, b.y)};
#endif
}
FERMATA_BOTH __half fused(__half a, __half b, __half c) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()), "h"(c.bits()));
  return __half::of(bits);
#else
  return __half::of(
      halfBits(fusedToOdd(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)),
               Rounding::Nearest));
#endif
}
FERMATA_BOTH __half fusedSaturated(__half a, __half b, __half c) {
#if defined(__CUDA_ARCH__)
  unsigned short bits;
  asm("fma.rn.sat.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()), "h"(c.bits()));
  return __half::of(bits);
#else
  return saturated(fused(a, b, c));
#endif
}
FERMATA_BOTH __half2 fused(__half2 a, __half2 b, __half2 c) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(pairBits(a)), "r"(pairBits(b)), "r"(pairBits(c)));
  return pairOf(__half(), bits);
#else
  return {fused(a.x, b.x, c.x), fused(a.y, b.y, c.y)};
#endif
}
FERMATA_BOTH __half2 fusedSaturated(__half2 a, __half2 b, __half2 c) {
#if defined(__CUDA_ARCH__)
  unsigned bits;
  asm("fma.rn.sat.f16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(pairBits(a)), "r"(pairBits(b)), "r"(pairBits(c)));
  return pairOf(__half(), bits);
#else
  return {fusedSaturated(a.x, b.x, c.x), fusedSaturated(a.y, b.y, c.y)};
#endif
}

}  // namespace fermata_cuda

#define FERMATA_NUMBER __half
#define FERMATA_PAIR __half2
#include "small_arithmetic.inl"
#include "small_functions.inl"
#include "small_operators.inl"
#undef FERMATA_NUMBER
#undef FERMATA_PAIR
