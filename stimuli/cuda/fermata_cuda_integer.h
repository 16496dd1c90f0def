// Integer arithmetic of fermata_cuda.h, on 32 and 64 bits.
#pragma once

#define FERMATA_EXTREMES(A, B, Result)                                               \
  FERMATA_DEVICE Result min(A a, B b) {                                              \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }                                                                                  \
  FERMATA_DEVICE Result max(A a, B b) {                                              \
    return static_cast<Result>(a) > static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }
FERMATA_EXTREMES(int, int, int)
#include "include/parts/extreme_list.inl"

FERMATA_DEVICE int abs(int a) { return a < 0 ? -a : a; }
FERMATA_DEVICE long abs(long a) { return a < 0 ? -a : a; }
FERMATA_DEVICE long long abs(long long a) { return a < 0 ? -a : a; }
FERMATA_DEVICE long long llabs(long long a) { return abs(a); }
FERMATA_DEVICE int __mul24(int a, int b) { return a * b; }
FERMATA_DEVICE unsigned __umul24(unsigned a, unsigned b) { return a * b; }
FERMATA_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
FERMATA_DEVICE int __popc(unsigned a) { return __builtin_popcount(a); }
FERMATA_DEVICE int __clz(int a) { return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a)); }
FERMATA_DEVICE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
FERMATA_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
FERMATA_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
FERMATA_DEVICE int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
FERMATA_DEVICE int __clzll(long long a) {
  return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a));
}
FERMATA_DEVICE unsigned long long __brevll(unsigned long long a) {
  return __builtin_bitreverse64(a);
}
