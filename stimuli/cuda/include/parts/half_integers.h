// Whole numbers to and from half, in each rounding direction. To whole ones they saturate; a NaN is
// 0, in 64 bits 0x8000000000000000.
#pragma once

#include "half_types.h"

FERMATA_BOTH __half __int2half_rn(int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.s32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Nearest));
#endif
}
FERMATA_BOTH int __half2int_rn(__half a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __half __int2half_rz(int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rz.f16.s32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Zero));
#endif
}
FERMATA_BOTH int __half2int_rz(__half a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __half __int2half_ru(int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rp.f16.s32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Up));
#endif
}
FERMATA_BOTH int __half2int_ru(__half a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __half __int2half_rd(int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rm.f16.s32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Down));
#endif
}
FERMATA_BOTH int __half2int_rd(__half a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __half __uint2half_rn(unsigned int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.u32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Nearest));
#endif
}
FERMATA_BOTH unsigned int __half2uint_rn(__half a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __half __uint2half_rz(unsigned int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rz.f16.u32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Zero));
#endif
}
FERMATA_BOTH unsigned int __half2uint_rz(__half a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __half __uint2half_ru(unsigned int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rp.f16.u32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Up));
#endif
}
FERMATA_BOTH unsigned int __half2uint_ru(__half a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __half __uint2half_rd(unsigned int a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rm.f16.u32 %0, %1;" : "=h"(bits) : "r"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Down));
#endif
}
FERMATA_BOTH unsigned int __half2uint_rd(__half a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __half __short2half_rn(short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.s16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Nearest));
#endif
}
FERMATA_BOTH short __half2short_rn(__half a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __half __short2half_rz(short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rz.f16.s16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Zero));
#endif
}
FERMATA_BOTH short __half2short_rz(__half a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __half __short2half_ru(short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rp.f16.s16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Up));
#endif
}
FERMATA_BOTH short __half2short_ru(__half a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __half __short2half_rd(short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rm.f16.s16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Down));
#endif
}
FERMATA_BOTH short __half2short_rd(__half a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __half __ushort2half_rn(unsigned short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.u16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Nearest));
#endif
}
FERMATA_BOTH unsigned short __half2ushort_rn(__half a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __half __ushort2half_rz(unsigned short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rz.f16.u16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Zero));
#endif
}
FERMATA_BOTH unsigned short __half2ushort_rz(__half a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __half __ushort2half_ru(unsigned short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rp.f16.u16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Up));
#endif
}
FERMATA_BOTH unsigned short __half2ushort_ru(__half a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __half __ushort2half_rd(unsigned short a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rm.f16.u16 %0, %1;" : "=h"(bits) : "h"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Down));
#endif
}
FERMATA_BOTH unsigned short __half2ushort_rd(__half a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __half __ll2half_rn(long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.s64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Nearest));
#endif
}
FERMATA_BOTH long long __half2ll_rn(__half a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __half __ll2half_rz(long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rz.f16.s64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Zero));
#endif
}
FERMATA_BOTH long long __half2ll_rz(__half a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __half __ll2half_ru(long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rp.f16.s64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Up));
#endif
}
FERMATA_BOTH long long __half2ll_ru(__half a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __half __ll2half_rd(long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rm.f16.s64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Down));
#endif
}
FERMATA_BOTH long long __half2ll_rd(__half a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __half __ull2half_rn(unsigned long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.u64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Nearest));
#endif
}
FERMATA_BOTH unsigned long long __half2ull_rn(__half a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __half __ull2half_rz(unsigned long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rz.f16.u64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Zero));
#endif
}
FERMATA_BOTH unsigned long long __half2ull_rz(__half a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __half __ull2half_ru(unsigned long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rp.f16.u64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Up));
#endif
}
FERMATA_BOTH unsigned long long __half2ull_ru(__half a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __half __ull2half_rd(unsigned long long a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rm.f16.u64 %0, %1;" : "=h"(bits) : "l"(a));
  return __half::of(bits);
#else
  return __half::of(
      fermata_cuda::halfBits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Down));
#endif
}
FERMATA_BOTH unsigned long long __half2ull_rd(__half a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Down);
}
__host__ __device__ inline __half::operator short() const {
  return __half2short_rz(*this);
}
__host__ __device__ inline __half::operator unsigned short() const {
  return __half2ushort_rz(*this);
}
__host__ __device__ inline __half::operator int() const {
  return __half2int_rz(*this);
}
__host__ __device__ inline __half::operator unsigned int() const {
  return __half2uint_rz(*this);
}
__host__ __device__ inline __half::operator long long() const {
  return __half2ll_rz(*this);
}
__host__ __device__ inline __half::operator unsigned long long() const {
  return __half2ull_rz(*this);
}
