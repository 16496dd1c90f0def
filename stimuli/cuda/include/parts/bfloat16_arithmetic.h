// Arithmetic of __nv_bfloat16 by the instructions of sm_80; before sm_80, and on the host, rounded
// from wider numbers.
#pragma once

#include "bfloat16_types.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
namespace fermata_cuda {

FERMATA_BOTH __nv_bfloat16 fusedBits(unsigned short a, unsigned short b, unsigned short c) {
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a), "h"(b), "h"(c));
  return __nv_bfloat16::of(bits);
}
FERMATA_BOTH __nv_bfloat162 fusedBits(unsigned a, unsigned b, unsigned c) {
  unsigned bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(bits) : "r"(a), "r"(b), "r"(c));
  return pairOf(__nv_bfloat16(), bits);
}
FERMATA_BOTH __nv_bfloat16 fused(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return fusedBits(a.bits(), b.bits(), c.bits());
}
FERMATA_BOTH __nv_bfloat162 fused(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return fusedBits(pairBits(a), pairBits(b), pairBits(c));
}
// Defines an operation on two numbers or pairs as x * y + z.
#define FERMATA_BFLOAT16_2(name, x, y, z)                                \
  FERMATA_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {    \
    const auto both = [](unsigned short bits) { return bits; };          \
    const unsigned short p = a.bits(), q = b.bits();                     \
    return fusedBits(x, y, z);                                           \
  }                                                                      \
  FERMATA_BOTH __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b) { \
    const auto both = [](unsigned bits) { return bits << 16 | bits; };   \
    const unsigned p = pairBits(a), q = pairBits(b);                     \
    return fusedBits(x, y, z);                                           \
  }
FERMATA_BFLOAT16_2(add, p, both(0x3f80), q)
FERMATA_BFLOAT16_2(sub, q, both(0xbf80), p)
FERMATA_BFLOAT16_2(mul, p, q, both(0x8000))
#undef FERMATA_BFLOAT16_2

}  // namespace fermata_cuda
#endif

#define FERMATA_NUMBER __nv_bfloat16
#define FERMATA_PAIR __nv_bfloat162
#define FERMATA_BITS bfloat16Bits
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800
#include "small_rounded.inl"
#endif
#include "small_saturated.inl"
// Needs the functions above.
#include "small_arithmetic.inl"
#include "small_functions.inl"
#include "small_operators.inl"
#undef FERMATA_NUMBER
#undef FERMATA_PAIR
#undef FERMATA_BITS
