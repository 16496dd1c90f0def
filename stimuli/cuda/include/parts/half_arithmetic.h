// Arithmetic of __half by the device's instructions; on the host rounded from wider numbers.
#pragma once

#include "half_types.h"

#ifdef __CUDA_ARCH__
namespace fermata_cuda {

// Define an operation on two or three numbers, and on as many pairs.
#define FERMATA_HALF_2(name, instruction)                                                    \
  FERMATA_BOTH __half name(__half a, __half b) {                                             \
    unsigned short bits;                                                                     \
    asm(instruction ".f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits()), "h"(b.bits()));         \
    return __half::of(bits);                                                                 \
  }                                                                                          \
  FERMATA_BOTH __half2 name(__half2 a, __half2 b) {                                          \
    unsigned bits;                                                                           \
    asm(instruction ".f16x2 %0, %1, %2;" : "=r"(bits) : "r"(pairBits(a)), "r"(pairBits(b))); \
    return pairOf(__half(), bits);                                                           \
  }
#define FERMATA_HALF_3(name, instruction)                        \
  FERMATA_BOTH __half name(__half a, __half b, __half c) {       \
    unsigned short bits;                                         \
    asm(instruction ".f16 %0, %1, %2, %3;"                       \
        : "=h"(bits)                                             \
        : "h"(a.bits()), "h"(b.bits()), "h"(c.bits()));          \
    return __half::of(bits);                                     \
  }                                                              \
  FERMATA_BOTH __half2 name(__half2 a, __half2 b, __half2 c) {   \
    unsigned bits;                                               \
    asm(instruction ".f16x2 %0, %1, %2, %3;"                     \
        : "=r"(bits)                                             \
        : "r"(pairBits(a)), "r"(pairBits(b)), "r"(pairBits(c))); \
    return pairOf(__half(), bits);                               \
  }
FERMATA_HALF_2(add, "add.rn")
FERMATA_HALF_2(addSaturated, "add.rn.sat")
FERMATA_HALF_2(sub, "sub.rn")
FERMATA_HALF_2(subSaturated, "sub.rn.sat")
FERMATA_HALF_2(mul, "mul.rn")
FERMATA_HALF_2(mulSaturated, "mul.rn.sat")
FERMATA_HALF_3(fused, "fma.rn")
FERMATA_HALF_3(fusedSaturated, "fma.rn.sat")
#undef FERMATA_HALF_2
#undef FERMATA_HALF_3

}  // namespace fermata_cuda
#endif

#define FERMATA_NUMBER __half
#define FERMATA_PAIR __half2
#define FERMATA_BITS halfBits
#ifndef __CUDA_ARCH__
#include "small_rounded.inl"
#include "small_saturated.inl"
#endif
#include "small_arithmetic.inl"
#include "small_functions.inl"
#include "small_operators.inl"
#undef FERMATA_NUMBER
#undef FERMATA_PAIR
#undef FERMATA_BITS
