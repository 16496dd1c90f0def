// Whole numbers to and from bfloat16, in each rounding direction. To whole ones they saturate; a
// NaN is 0, in 64 bits 0x8000000000000000.
#pragma once

#include "bfloat16_types.h"

FERMATA_BOTH __nv_bfloat16 __int2bfloat16_rn(int a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Nearest));
}
FERMATA_BOTH int __bfloat162int_rn(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __nv_bfloat16 __int2bfloat16_rz(int a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Zero));
}
FERMATA_BOTH int __bfloat162int_rz(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __nv_bfloat16 __int2bfloat16_ru(int a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Up));
}
FERMATA_BOTH int __bfloat162int_ru(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __nv_bfloat16 __int2bfloat16_rd(int a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Down));
}
FERMATA_BOTH int __bfloat162int_rd(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<int>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned int a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false),
                                                      fermata_cuda::Rounding::Nearest));
}
FERMATA_BOTH unsigned int __bfloat162uint_rn(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __nv_bfloat16 __uint2bfloat16_rz(unsigned int a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Zero));
}
FERMATA_BOTH unsigned int __bfloat162uint_rz(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __nv_bfloat16 __uint2bfloat16_ru(unsigned int a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Up));
}
FERMATA_BOTH unsigned int __bfloat162uint_ru(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __nv_bfloat16 __uint2bfloat16_rd(unsigned int a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Down));
}
FERMATA_BOTH unsigned int __bfloat162uint_rd(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned int>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __nv_bfloat16 __short2bfloat16_rn(short a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Nearest));
}
FERMATA_BOTH short __bfloat162short_rn(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __nv_bfloat16 __short2bfloat16_rz(short a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Zero));
}
FERMATA_BOTH short __bfloat162short_rz(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __nv_bfloat16 __short2bfloat16_ru(short a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Up));
}
FERMATA_BOTH short __bfloat162short_ru(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __nv_bfloat16 __short2bfloat16_rd(short a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Down));
}
FERMATA_BOTH short __bfloat162short_rd(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<short>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __nv_bfloat16 __ushort2bfloat16_rn(unsigned short a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false),
                                                      fermata_cuda::Rounding::Nearest));
}
FERMATA_BOTH unsigned short __bfloat162ushort_rn(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __nv_bfloat16 __ushort2bfloat16_rz(unsigned short a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Zero));
}
FERMATA_BOTH unsigned short __bfloat162ushort_rz(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __nv_bfloat16 __ushort2bfloat16_ru(unsigned short a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Up));
}
FERMATA_BOTH unsigned short __bfloat162ushort_ru(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __nv_bfloat16 __ushort2bfloat16_rd(unsigned short a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Down));
}
FERMATA_BOTH unsigned short __bfloat162ushort_rd(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned short>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __nv_bfloat16 __ll2bfloat16_rn(long long a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Nearest));
}
FERMATA_BOTH long long __bfloat162ll_rn(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __nv_bfloat16 __ll2bfloat16_rz(long long a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Zero));
}
FERMATA_BOTH long long __bfloat162ll_rz(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __nv_bfloat16 __ll2bfloat16_ru(long long a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Up));
}
FERMATA_BOTH long long __bfloat162ll_ru(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __nv_bfloat16 __ll2bfloat16_rd(long long a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(
      fermata_cuda::wholeToOdd(
          a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
          a < 0),
      fermata_cuda::Rounding::Down));
}
FERMATA_BOTH long long __bfloat162ll_rd(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<long long>(a, fermata_cuda::Rounding::Down);
}
FERMATA_BOTH __nv_bfloat16 __ull2bfloat16_rn(unsigned long long a) {
  return __nv_bfloat16::of(fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false),
                                                      fermata_cuda::Rounding::Nearest));
}
FERMATA_BOTH unsigned long long __bfloat162ull_rn(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Nearest);
}
FERMATA_BOTH __nv_bfloat16 __ull2bfloat16_rz(unsigned long long a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Zero));
}
FERMATA_BOTH unsigned long long __bfloat162ull_rz(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Zero);
}
FERMATA_BOTH __nv_bfloat16 __ull2bfloat16_ru(unsigned long long a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Up));
}
FERMATA_BOTH unsigned long long __bfloat162ull_ru(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Up);
}
FERMATA_BOTH __nv_bfloat16 __ull2bfloat16_rd(unsigned long long a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(fermata_cuda::wholeToOdd(a, false), fermata_cuda::Rounding::Down));
}
FERMATA_BOTH unsigned long long __bfloat162ull_rd(__nv_bfloat16 a) {
  return fermata_cuda::wholeOf<unsigned long long>(a, fermata_cuda::Rounding::Down);
}
__host__ __device__ inline __nv_bfloat16::operator short() const {
  return __bfloat162short_rz(*this);
}
__host__ __device__ inline __nv_bfloat16::operator unsigned short() const {
  return __bfloat162ushort_rz(*this);
}
__host__ __device__ inline __nv_bfloat16::operator int() const {
  return __bfloat162int_rz(*this);
}
__host__ __device__ inline __nv_bfloat16::operator unsigned int() const {
  return __bfloat162uint_rz(*this);
}
__host__ __device__ inline __nv_bfloat16::operator long long() const {
  return __bfloat162ll_rz(*this);
}
__host__ __device__ inline __nv_bfloat16::operator unsigned long long() const {
  return __bfloat162ull_rz(*this);
}
