// Arithmetic of __nv_bfloat16 by the instructions of sm_80; before sm_80, and on the host, rounded
// from wider numbers.
#pragma once

#include "bfloat16_types.h"

namespace fermata_cuda {

FERMATA_BOTH __nv_bfloat16 fused(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()), "h"(c.bits()));
  return __nv_bfloat16::of(bits);
#else
  return __nv_bfloat16::of(
      bfloat16Bits(fusedToOdd(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)),
                   Rounding::Nearest));
#endif
}
FERMATA_BOTH __nv_bfloat162 fused(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(pairBits(a)), "r"(pairBits(b)), "r"(pairBits(c)));
  return pairOf(__nv_bfloat16(), bits);
#else
  return {fused(a.x, b.x, c.x), fused(a.y, b.y, c.y)};
#endif
}
// Defines an operation on two numbers or pairs, and its version saturated to 0 .. 1. On the device
// it is x * y + z, of the bits of numbers and of pairs.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define FERMATA_BFLOAT16_2(name, sign, p, q, r, pairP, pairQ, pairR)                        \
  FERMATA_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {                       \
    unsigned short bits;                                                                    \
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(bits) : "h"(p), "h"(q), "h"(r));               \
    return __nv_bfloat16::of(bits);                                                         \
  }                                                                                         \
  FERMATA_BOTH __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b) {                    \
    unsigned bits;                                                                          \
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(bits) : "r"(pairP), "r"(pairQ), "r"(pairR)); \
    return pairOf(__nv_bfloat16(), bits);                                                   \
  }                                                                                         \
  FERMATA_BFLOAT16_SATURATED(name)
#else
#define FERMATA_BFLOAT16_2(name, sign, p, q, r, pairP, pairQ, pairR)        \
  FERMATA_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    return __nv_bfloat16(static_cast<float>(a) sign static_cast<float>(b)); \
  }                                                                         \
  FERMATA_BOTH __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b) {    \
    return {name(a.x, b.x), name(a.y, b.y)};                                \
  }                                                                         \
  FERMATA_BFLOAT16_SATURATED(name)
#endif
#define FERMATA_BFLOAT16_SATURATED(name)                                            \
  FERMATA_BOTH __nv_bfloat16 name##Saturated(__nv_bfloat16 a, __nv_bfloat16 b) {    \
    return saturated(name(a, b));                                                   \
  }                                                                                 \
  FERMATA_BOTH __nv_bfloat162 name##Saturated(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return {saturated(name(a.x, b.x)), saturated(name(a.y, b.y))};                  \
  }
#define FERMATA_BITS(value) static_cast<unsigned short>(value)
FERMATA_BFLOAT16_2(add, +, a.bits(), FERMATA_BITS(0x3f80), b.bits(), pairBits(a), 0x3f803f80u,
                   pairBits(b))
FERMATA_BFLOAT16_2(sub, -, b.bits(), FERMATA_BITS(0xbf80), a.bits(), pairBits(b), 0xbf80bf80u,
                   pairBits(a))
FERMATA_BFLOAT16_2(mul, *, a.bits(), b.bits(), FERMATA_BITS(0x8000), pairBits(a), pairBits(b),
                   0x80008000u)
#undef FERMATA_BITS
#undef FERMATA_BFLOAT16_2
#undef FERMATA_BFLOAT16_SATURATED

FERMATA_BOTH __nv_bfloat16 fusedSaturated(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return saturated(fused(a, b, c));
}
FERMATA_BOTH __nv_bfloat162 fusedSaturated(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {saturated(fused(a.x, b.x, c.x)), saturated(fused(a.y, b.y, c.y))};
}

}  // namespace fermata_cuda

#define FERMATA_NUMBER __nv_bfloat16
#define FERMATA_PAIR __nv_bfloat162
#include "small_arithmetic.inl"
#include "small_functions.inl"
#include "small_operators.inl"
#undef FERMATA_NUMBER
#undef FERMATA_PAIR
