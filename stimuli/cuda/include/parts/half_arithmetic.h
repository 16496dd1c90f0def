// Arithmetic of __half by the device's instructions.
#pragma once

#include "half_types.h"

namespace fermata_cuda {

// Defines one operation on two numbers or pairs, and its version saturated to 0 .. 1.
#ifdef __CUDA_ARCH__
#define FERMATA_HALF_2(name, instruction, sign)                                                  \
  FERMATA_BOTH __half name(__half a, __half b) {                                                 \
    unsigned short bits;                                                                         \
    asm(instruction ".f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));             \
    return __half::of(bits);                                                                     \
  }                                                                                              \
  FERMATA_BOTH __half name##Saturated(__half a, __half b) {                                      \
    unsigned short bits;                                                                         \
    asm(instruction ".sat.f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));         \
    return __half::of(bits);                                                                     \
  }                                                                                              \
  FERMATA_BOTH __half2 name(__half2 a, __half2 b) {                                              \
    unsigned bits;                                                                               \
    asm(instruction ".f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b)));     \
    return pairOf(__half(), bits);                                                               \
  }                                                                                              \
  FERMATA_BOTH __half2 name##Saturated(__half2 a, __half2 b) {                                   \
    unsigned bits;                                                                               \
    asm(instruction ".sat.f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b))); \
    return pairOf(__half(), bits);                                                               \
  }
#else
#define FERMATA_HALF_2(name, instruction, sign)                      \
  FERMATA_BOTH __half name(__half a, __half b) {                     \
    return __half(static_cast<float>(a) sign static_cast<float>(b)); \
  }                                                                  \
  FERMATA_BOTH __half name##Saturated(__half a, __half b) {          \
    return saturated(name(a, b));                                    \
  }                                                                  \
  FERMATA_BOTH __half2 name(__half2 a, __half2 b) {                  \
    return {name(a.x, b.x), name(a.y, b.y)};                         \
  }                                                                  \
  FERMATA_BOTH __half2 name##Saturated(__half2 a, __half2 b) {       \
    return {name##Saturated(a.x, b.x), name##Saturated(a.y, b.y)};   \
  }
#endif
FERMATA_HALF_2(add, "add.rn", +)
FERMATA_HALF_2(sub, "sub.rn", -)
FERMATA_HALF_2(mul, "mul.rn", *)
#undef FERMATA_HALF_2

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
