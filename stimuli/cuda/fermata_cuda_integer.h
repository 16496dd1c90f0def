// Integer arithmetic of fermata_cuda.h, on 32 and 64 bits.
#pragma once

FERMATA_DEVICE int min(int a, int b) {
  return a < b ? a : b;
}
FERMATA_DEVICE int max(int a, int b) {
  return a > b ? a : b;
}
FERMATA_DEVICE unsigned min(unsigned a, unsigned b) {
  return a < b ? a : b;
}
FERMATA_DEVICE unsigned max(unsigned a, unsigned b) {
  return a > b ? a : b;
}
// Compare mixed signs as unsigned, like the language.
FERMATA_DEVICE unsigned min(int a, unsigned b) {
  return min(static_cast<unsigned>(a), b);
}
FERMATA_DEVICE unsigned min(unsigned a, int b) {
  return min(a, static_cast<unsigned>(b));
}
FERMATA_DEVICE unsigned max(int a, unsigned b) {
  return max(static_cast<unsigned>(a), b);
}
FERMATA_DEVICE unsigned max(unsigned a, int b) {
  return max(a, static_cast<unsigned>(b));
}
FERMATA_DEVICE long min(long a, long b) {
  return a < b ? a : b;
}
FERMATA_DEVICE unsigned long min(unsigned long a, unsigned long b) {
  return a < b ? a : b;
}
FERMATA_DEVICE unsigned long min(long a, unsigned long b) {
  return min(static_cast<unsigned long>(a), b);
}
FERMATA_DEVICE unsigned long min(unsigned long a, long b) {
  return min(a, static_cast<unsigned long>(b));
}
FERMATA_DEVICE long max(long a, long b) {
  return a > b ? a : b;
}
FERMATA_DEVICE unsigned long max(unsigned long a, unsigned long b) {
  return a > b ? a : b;
}
FERMATA_DEVICE unsigned long max(long a, unsigned long b) {
  return max(static_cast<unsigned long>(a), b);
}
FERMATA_DEVICE unsigned long max(unsigned long a, long b) {
  return max(a, static_cast<unsigned long>(b));
}
FERMATA_DEVICE long long min(long long a, long long b) {
  return a < b ? a : b;
}
FERMATA_DEVICE unsigned long long min(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
FERMATA_DEVICE unsigned long long min(long long a, unsigned long long b) {
  return min(static_cast<unsigned long long>(a), b);
}
FERMATA_DEVICE unsigned long long min(unsigned long long a, long long b) {
  return min(a, static_cast<unsigned long long>(b));
}
FERMATA_DEVICE long long max(long long a, long long b) {
  return a > b ? a : b;
}
FERMATA_DEVICE unsigned long long max(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
FERMATA_DEVICE unsigned long long max(long long a, unsigned long long b) {
  return max(static_cast<unsigned long long>(a), b);
}
FERMATA_DEVICE unsigned long long max(unsigned long long a, long long b) {
  return max(a, static_cast<unsigned long long>(b));
}
FERMATA_DEVICE int abs(int a) {
  return a < 0 ? -a : a;
}
FERMATA_DEVICE long abs(long a) {
  return a < 0 ? -a : a;
}
FERMATA_DEVICE long long abs(long long a) {
  return a < 0 ? -a : a;
}
FERMATA_DEVICE long long llabs(long long a) {
  return abs(a);
}
FERMATA_DEVICE int __mul24(int a, int b) {
  return a * b;
}
FERMATA_DEVICE unsigned __umul24(unsigned a, unsigned b) {
  return a * b;
}
FERMATA_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
FERMATA_DEVICE int __popc(unsigned a) {
  return __builtin_popcount(a);
}
FERMATA_DEVICE int __clz(int a) {
  return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a));
}
FERMATA_DEVICE unsigned __brev(unsigned a) {
  return __builtin_bitreverse32(a);
}
FERMATA_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
FERMATA_DEVICE long long __mul64hi(long long a, long long b) {
  return __nvvm_mulhi_ll(a, b);
}
FERMATA_DEVICE int __popcll(unsigned long long a) {
  return __builtin_popcountll(a);
}
FERMATA_DEVICE int __clzll(long long a) {
  return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a));
}
FERMATA_DEVICE unsigned long long __brevll(unsigned long long a) {
  return __builtin_bitreverse64(a);
}
