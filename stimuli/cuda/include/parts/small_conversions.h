// Conversions of numbers of 16 bits and their pairs, by CUDA's names: `name` is "half" or
// "bfloat16". Conversions to whole numbers saturate; a NaN becomes 0, or 0x8000000000000000 for 64
// bits.
#pragma once

#include "narrow_rounding.h"

// Uses fermata_cuda::NAMEOfWhole and NAMEOfFloat, which round in a direction.
#define FERMATA_SMALL_WHOLE(Number, name, T, type, way, direction)                        \
  FERMATA_BOTH Number __##type##2##name##_##way(T a) {                                    \
    return Number::of(fermata_cuda::name##OfWhole<fermata_cuda::Rounding::direction>(a)); \
  }                                                                                       \
  FERMATA_BOTH T __##name##2##type##_##way(Number a) {                                    \
    return fermata_cuda::wholeOf<T>(a, fermata_cuda::Rounding::direction);                \
  }
#define FERMATA_SMALL_WHOLES(Number, name, T, type)       \
  FERMATA_SMALL_WHOLE(Number, name, T, type, rn, Nearest) \
  FERMATA_SMALL_WHOLE(Number, name, T, type, rz, Zero)    \
  FERMATA_SMALL_WHOLE(Number, name, T, type, ru, Up)      \
  FERMATA_SMALL_WHOLE(Number, name, T, type, rd, Down)    \
  __host__ __device__ inline Number::operator T() const { return __##name##2##type##_rz(*this); }
#define FERMATA_SMALL_FLOAT(Number, name, way, direction)                                 \
  FERMATA_BOTH Number __float2##name##_##way(float a) {                                   \
    return Number::of(fermata_cuda::name##OfFloat<fermata_cuda::Rounding::direction>(a)); \
  }

#define FERMATA_SMALL_CONVERSIONS(Number, Pair, name)                                          \
  FERMATA_SMALL_WHOLES(Number, name, int, int)                                                 \
  FERMATA_SMALL_WHOLES(Number, name, unsigned int, uint)                                       \
  FERMATA_SMALL_WHOLES(Number, name, short, short)                                             \
  FERMATA_SMALL_WHOLES(Number, name, unsigned short, ushort)                                   \
  FERMATA_SMALL_WHOLES(Number, name, long long, ll)                                            \
  FERMATA_SMALL_WHOLES(Number, name, unsigned long long, ull)                                  \
  FERMATA_SMALL_FLOAT(Number, name, rz, Zero)                                                  \
  FERMATA_SMALL_FLOAT(Number, name, ru, Up)                                                    \
  FERMATA_SMALL_FLOAT(Number, name, rd, Down)                                                  \
  FERMATA_BOTH unsigned short __##name##_as_ushort(Number a) { return a.bits(); }              \
  FERMATA_BOTH short __##name##_as_short(Number a) { return static_cast<short>(a.bits()); }    \
  FERMATA_BOTH Number __ushort_as_##name(unsigned short a) { return Number::of(a); }           \
  FERMATA_BOTH Number __short_as_##name(short a) {                                             \
    return Number::of(static_cast<unsigned short>(a));                                         \
  }                                                                                            \
  FERMATA_BOTH Number __float2##name(float a) { return Number(a); }                            \
  FERMATA_BOTH Number __float2##name##_rn(float a) { return Number(a); }                       \
  FERMATA_BOTH Number __double2##name(double a) { return Number(a); }                          \
  FERMATA_BOTH float __##name##2float(Number a) { return a; }                                  \
  FERMATA_BOTH Pair __##name##2##name##2(Number a) { return {a, a}; }                          \
  FERMATA_BOTH Pair __halves2##name##2(Number a, Number b) { return {a, b}; }                  \
  FERMATA_BOTH Pair make_##name##2(Number a, Number b) { return {a, b}; }                      \
  FERMATA_BOTH Number __low2##name(Pair a) { return a.x; }                                     \
  FERMATA_BOTH Number __high2##name(Pair a) { return a.y; }                                    \
  FERMATA_BOTH Pair __low2##name##2(Pair a) { return {a.x, a.x}; }                             \
  FERMATA_BOTH Pair __high2##name##2(Pair a) { return {a.y, a.y}; }                            \
  FERMATA_BOTH Pair __lows2##name##2(Pair a, Pair b) { return {a.x, b.x}; }                    \
  FERMATA_BOTH Pair __highs2##name##2(Pair a, Pair b) { return {a.y, b.y}; }                   \
  FERMATA_BOTH Pair __lowhigh2highlow(Pair a) { return {a.y, a.x}; }                           \
  FERMATA_BOTH float __low2float(Pair a) { return a.x; }                                       \
  FERMATA_BOTH float __high2float(Pair a) { return a.y; }                                      \
  FERMATA_BOTH Pair __float2##name##2_rn(float a) { return {Number(a), Number(a)}; }           \
  FERMATA_BOTH Pair __floats2##name##2_rn(float a, float b) { return {Number(a), Number(b)}; } \
  FERMATA_BOTH Pair __float22##name##2_rn(float2 a) { return {Number(a.x), Number(a.y)}; }     \
  FERMATA_BOTH float2 __##name##22float2(Pair a) { return {a.x, a.y}; }
