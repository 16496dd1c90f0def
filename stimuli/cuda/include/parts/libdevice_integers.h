// Device functions that the compiler's own CUDA headers call by the names of NVIDIA's libdevice.
// Here are functions of one or a few instructions, each exact by IEEE 754 or by its definition.
#pragma once

#include "device_words.h"

// Integers.
FERMATA_DEVICE int __nv_abs(int a) {
  return a < 0 ? static_cast<int>(0u - static_cast<unsigned>(a)) : a;
}
FERMATA_DEVICE long long __nv_llabs(long long a) {
  return a < 0 ? static_cast<long long>(0ull - static_cast<unsigned long long>(a)) : a;
}
FERMATA_DEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
FERMATA_DEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
FERMATA_DEVICE unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
FERMATA_DEVICE unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
FERMATA_DEVICE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
FERMATA_DEVICE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
FERMATA_DEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
FERMATA_DEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
FERMATA_DEVICE int __nv_brev(int a) {
  return static_cast<int>(__builtin_bitreverse32(static_cast<unsigned>(a)));
}
FERMATA_DEVICE long long __nv_brevll(long long a) {
  return static_cast<long long>(__builtin_bitreverse64(static_cast<unsigned long long>(a)));
}
FERMATA_DEVICE int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a)); }
FERMATA_DEVICE int __nv_clzll(long long a) {
  return a == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(a));
}
FERMATA_DEVICE int __nv_ffs(int a) { return __builtin_ffs(a); }
FERMATA_DEVICE int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
FERMATA_DEVICE int __nv_popc(int a) { return __builtin_popcount(static_cast<unsigned>(a)); }
FERMATA_DEVICE int __nv_popcll(long long a) {
  return __builtin_popcountll(static_cast<unsigned long long>(a));
}
FERMATA_DEVICE int __nv_byte_perm(int a, int b, int c) {
  return static_cast<int>(__nvvm_prmt(a, b, c & 0x7777));
}
FERMATA_DEVICE int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
FERMATA_DEVICE unsigned __nv_umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
FERMATA_DEVICE int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
FERMATA_DEVICE unsigned __nv_umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
FERMATA_DEVICE long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
FERMATA_DEVICE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
FERMATA_DEVICE int __nv_sad(int a, int b, int c) { return static_cast<int>(__nvvm_sad_i(a, b, c)); }
FERMATA_DEVICE unsigned __nv_usad(unsigned a, unsigned b, unsigned c) {
  return __nvvm_sad_ui(a, b, c);
}
// Means without overflow, rounded down, and up (r).
FERMATA_DEVICE int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
FERMATA_DEVICE int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
FERMATA_DEVICE unsigned __nv_uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
FERMATA_DEVICE unsigned __nv_urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

// Reinterpretation of bits.
FERMATA_DEVICE int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
FERMATA_DEVICE unsigned __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
FERMATA_DEVICE float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
FERMATA_DEVICE float __nv_uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
FERMATA_DEVICE unsigned long long __nv_double_as_longlong(double a) {
  return __builtin_bit_cast(unsigned long long, a);
}
FERMATA_DEVICE double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
FERMATA_DEVICE int __nv_double2hiint(double a) {
  return static_cast<int>(__nv_double_as_longlong(a) >> 32);
}
FERMATA_DEVICE int __nv_double2loint(double a) {
  return static_cast<int>(__nv_double_as_longlong(a));
}
FERMATA_DEVICE double __nv_hiloint2double(int high, int low) {
  const unsigned long long bits = static_cast<unsigned long long>(static_cast<unsigned>(high))
                                      << 32 |
                                  static_cast<unsigned>(low);
  return __builtin_bit_cast(double, bits);
}
