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
FERMATA_BOTH __nv_bfloat16 add(__nv_bfloat16 a, __nv_bfloat16 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;"
      : "=h"(bits)
      : "h"(a.bits()), "h"(static_cast<unsigned short>(0x3f80)), "h"(b.bits()));
  return __nv_bfloat16::of(bits);
#else
  return __nv_bfloat16(static_cast<float>(a) + static_cast<float>(b));
#endif
}
FERMATA_BOTH __nv_bfloat162 add(__nv_bfloat162 a, __nv_bfloat162 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(pairBits(a)), "r"(0x3f803f80u), "r"(pairBits(b)));
  return pairOf(__nv_bfloat16(), bits);
#else
  return {add(a.x, b.x), add(a.y, b.y)};
#endif
}
FERMATA_BOTH __nv_bfloat16 addSaturated(__nv_bfloat16 a, __nv_bfloat16 b) {
  return saturated(add(a, b));
}
FERMATA_BOTH __nv_bfloat162 addSaturated(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {saturated(add(a.x, b.x)), saturated(add(a.y, b.y))};
}
FERMATA_BOTH __nv_bfloat16 sub(__nv_bfloat16 a, __nv_bfloat16 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;"
      : "=h"(bits)
      : "h"(b.bits()), "h"(static_cast<unsigned short>(0xbf80)), "h"(a.bits()));
  return __nv_bfloat16::of(bits);
#else
  return __nv_bfloat16(static_cast<float>(a) - static_cast<float>(b));
#endif
}
FERMATA_BOTH __nv_bfloat162 sub(__nv_bfloat162 a, __nv_bfloat162 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(pairBits(b)), "r"(0xbf80bf80u), "r"(pairBits(a)));
  return pairOf(__nv_bfloat16(), bits);
#else
  return {sub(a.x, b.x), sub(a.y, b.y)};
#endif
}
FERMATA_BOTH __nv_bfloat16 subSaturated(__nv_bfloat16 a, __nv_bfloat16 b) {
  return saturated(sub(a, b));
}
FERMATA_BOTH __nv_bfloat162 subSaturated(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {saturated(sub(a.x, b.x)), saturated(sub(a.y, b.y))};
}
FERMATA_BOTH __nv_bfloat16 mul(__nv_bfloat16 a, __nv_bfloat16 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;"
      : "=h"(bits)
      : "h"(a.bits()), "h"(b.bits()), "h"(static_cast<unsigned short>(0x8000)));
  return __nv_bfloat16::of(bits);
#else
  return __nv_bfloat16(static_cast<float>(a) * static_cast<float>(b));
#endif
}
FERMATA_BOTH __nv_bfloat162 mul(__nv_bfloat162 a, __nv_bfloat162 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(pairBits(a)), "r"(pairBits(b)), "r"(0x80008000u));
  return pairOf(__nv_bfloat16(), bits);
#else
  return {mul(a.x, b.x), mul(a.y, b.y)};
#endif
}
FERMATA_BOTH __nv_bfloat16 mulSaturated(__nv_bfloat16 a, __nv_bfloat16 b) {
  return saturated(mul(a, b));
}
FERMATA_BOTH __nv_bfloat162 mulSaturated(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {saturated(mul(a.x, b.x)), saturated(mul(a.y, b.y))};
}
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
