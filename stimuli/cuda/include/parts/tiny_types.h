// Classes of one, two and four numbers of 4, 6 or 8 bits. A format has, beside its numbers, the
// types of their storage (Storage, PairStorage, QuadStorage) and the bits from one number of a pair
// to the next (kStep).
#pragma once

#include "bfloat16_types.h"
#include "tiny_instructions.h"

namespace fermata_cuda {

template <class Format>
struct Tiny {
  typename Format::Storage __x;

  Tiny() = default;
  __host__ __device__ explicit Tiny(__half a) : Tiny(static_cast<float>(a)) {}
  __host__ __device__ explicit Tiny(__nv_bfloat16 a) : Tiny(static_cast<float>(a)) {}
  __host__ __device__ explicit Tiny(float a) : __x(tinySaturated<Format>(a)) {}
  __host__ __device__ explicit Tiny(double a) : __x(tinyBits<Format>(a, true, false)) {}
#define FERMATA_WHOLE(T)                                                  \
  __host__ __device__ explicit Tiny(T a) : Tiny(static_cast<float>(a)) {} \
  __host__ __device__ explicit operator T() const { return wholeOf<T>(*this); }
  FERMATA_WHOLE(short)
  FERMATA_WHOLE(unsigned short)
  FERMATA_WHOLE(int)
  FERMATA_WHOLE(unsigned int)
  FERMATA_WHOLE(long)
  FERMATA_WHOLE(unsigned long)
  FERMATA_WHOLE(long long)
  FERMATA_WHOLE(unsigned long long)
#undef FERMATA_WHOLE
  __host__ __device__ explicit operator char() const { return wholeOf<char>(*this); }
  __host__ __device__ explicit operator signed char() const { return wholeOf<signed char>(*this); }
  __host__ __device__ explicit operator unsigned char() const {
    return wholeOf<unsigned char>(*this);
  }
  __host__ __device__ explicit operator bool() const {
    return (__x & ((1u << (Format::kBits - 1)) - 1)) != 0;
  }
  __host__ __device__ explicit operator __half() const { return __half::of(tinyHalf<Format>(__x)); }
  __host__ __device__ explicit operator float() const { return floatOfHalf(tinyHalf<Format>(__x)); }
  __host__ __device__ explicit operator double() const { return static_cast<float>(*this); }
  __host__ __device__ explicit operator __nv_bfloat16() const {
    return __nv_bfloat16(static_cast<float>(*this));
  }

 private:
  template <class T>
  __host__ __device__ static T wholeOf(const Tiny& a) {
    return fermata_cuda::wholeOf<T>(static_cast<float>(a), Rounding::Zero);
  }
};

template <class Format>
struct TinyPair {
  typename Format::PairStorage __x;

  TinyPair() = default;
  __host__ __device__ explicit TinyPair(__half2 a)
      : TinyPair(float2{static_cast<float>(a.x), static_cast<float>(a.y)}) {}
  __host__ __device__ explicit TinyPair(__nv_bfloat162 a)
      : TinyPair(float2{static_cast<float>(a.x), static_cast<float>(a.y)}) {}
  __host__ __device__ explicit TinyPair(float2 a) : __x(tinyPairSaturated<Format>(a)) {}
  __host__ __device__ explicit TinyPair(double2 a)
      : __x(tinyJoined<Format>(tinyBits<Format>(a.x, true, false),
                               tinyBits<Format>(a.y, true, false))) {}
  __host__ __device__ explicit operator __half2() const {
    return pairOf(__half(), tinyHalves<Format>(__x));
  }
  __host__ __device__ explicit operator float2() const {
    const __half2 halves = static_cast<__half2>(*this);
    return {static_cast<float>(halves.x), static_cast<float>(halves.y)};
  }
};

template <class Format>
struct TinyQuad {
  typename Format::QuadStorage __x;

  TinyQuad() = default;
  __host__ __device__ explicit TinyQuad(__half2 low, __half2 high)
      : TinyQuad(TinyPair<Format>(low), TinyPair<Format>(high)) {}
  __host__ __device__ explicit TinyQuad(__nv_bfloat162 low, __nv_bfloat162 high)
      : TinyQuad(TinyPair<Format>(low), TinyPair<Format>(high)) {}
  __host__ __device__ explicit TinyQuad(float4 a)
      : TinyQuad(TinyPair<Format>(float2{a.x, a.y}), TinyPair<Format>(float2{a.z, a.w})) {}
  __host__ __device__ explicit TinyQuad(double4 a)
      : TinyQuad(TinyPair<Format>(double2{a.x, a.y}), TinyPair<Format>(double2{a.z, a.w})) {}
  __host__ __device__ explicit operator float4() const {
    TinyPair<Format> low, high;
    low.__x = static_cast<typename Format::PairStorage>(__x);
    high.__x = static_cast<typename Format::PairStorage>(__x >> (2 * Format::kStep));
    const float2 a = static_cast<float2>(low), b = static_cast<float2>(high);
    return {a.x, a.y, b.x, b.y};
  }

 private:
  __host__ __device__ TinyQuad(TinyPair<Format> low, TinyPair<Format> high)
      : __x(static_cast<typename Format::QuadStorage>(low.__x | static_cast<unsigned>(high.__x)
                                                                    << (2 * Format::kStep))) {}
};

}  // namespace fermata_cuda

// Defines CUDA's three classes of a format: `digits` is fp8, fp6 or fp4; `name` e4m3 or the like.
#define FERMATA_TINY_CLASSES(digits, name, Format)                                     \
  struct __nv_##digits##_##name : fermata_cuda::Tiny<fermata_cuda::Format> {           \
    using Tiny::Tiny;                                                                  \
    __nv_##digits##_##name() = default;                                                \
  };                                                                                   \
  struct __align__(sizeof(fermata_cuda::Format::PairStorage)) __nv_##digits##x2_##name \
      : fermata_cuda::TinyPair<fermata_cuda::Format> {                                 \
    using TinyPair::TinyPair;                                                          \
    __nv_##digits##x2_##name() = default;                                              \
  };                                                                                   \
  struct __align__(sizeof(fermata_cuda::Format::QuadStorage)) __nv_##digits##x4_##name \
      : fermata_cuda::TinyQuad<fermata_cuda::Format> {                                 \
    using TinyQuad::TinyQuad;                                                          \
    __nv_##digits##x4_##name() = default;                                              \
  };

// Defines CUDA's conversion functions to numbers of a width: `digits` is fp8, fp6 or fp4. The
// header defines fermata_cuda::DIGITSBits(a, f, s) for a float or a double and the two choices.
#define FERMATA_TINY_FUNCTIONS(digits, First, Second)                                             \
  FERMATA_BOTH __nv_##digits##_storage_t __nv_cvt_double_to_##digits(double a, First f,           \
                                                                     Second s) {                  \
    return fermata_cuda::digits##Bits(a, f, s);                                                   \
  }                                                                                               \
  FERMATA_BOTH __nv_##digits##_storage_t __nv_cvt_float_to_##digits(float a, First f, Second s) { \
    return fermata_cuda::digits##Bits(a, f, s);                                                   \
  }                                                                                               \
  FERMATA_BOTH __nv_##digits##_storage_t __nv_cvt_halfraw_to_##digits(__half_raw a, First f,      \
                                                                      Second s) {                 \
    return fermata_cuda::digits##Bits(fermata_cuda::floatOfHalf(a.x), f, s);                      \
  }                                                                                               \
  FERMATA_BOTH __nv_##digits##_storage_t __nv_cvt_bfloat16raw_to_##digits(__nv_bfloat16_raw a,    \
                                                                          First f, Second s) {    \
    return fermata_cuda::digits##Bits(fermata_cuda::floatOfBfloat16(a.x), f, s);                  \
  }                                                                                               \
  FERMATA_BOTH __nv_##digits##x2_storage_t __nv_cvt_double2_to_##digits##x2(double2 a, First f,   \
                                                                            Second s) {           \
    return fermata_cuda::digits##Joined(__nv_cvt_double_to_##digits(a.x, f, s),                   \
                                        __nv_cvt_double_to_##digits(a.y, f, s));                  \
  }                                                                                               \
  FERMATA_BOTH __nv_##digits##x2_storage_t __nv_cvt_float2_to_##digits##x2(float2 a, First f,     \
                                                                           Second s) {            \
    return fermata_cuda::digits##Joined(__nv_cvt_float_to_##digits(a.x, f, s),                    \
                                        __nv_cvt_float_to_##digits(a.y, f, s));                   \
  }                                                                                               \
  FERMATA_BOTH __nv_##digits##x2_storage_t __nv_cvt_halfraw2_to_##digits##x2(__half2_raw a,       \
                                                                             First f, Second s) { \
    return fermata_cuda::digits##Joined(__nv_cvt_halfraw_to_##digits(__half_raw{a.x}, f, s),      \
                                        __nv_cvt_halfraw_to_##digits(__half_raw{a.y}, f, s));     \
  }                                                                                               \
  FERMATA_BOTH __nv_##digits##x2_storage_t __nv_cvt_bfloat16raw2_to_##digits##x2(                 \
      __nv_bfloat162_raw a, First f, Second s) {                                                  \
    return fermata_cuda::digits##Joined(                                                          \
        __nv_cvt_bfloat16raw_to_##digits(__nv_bfloat16_raw{a.x}, f, s),                           \
        __nv_cvt_bfloat16raw_to_##digits(__nv_bfloat16_raw{a.y}, f, s));                          \
  }                                                                                               \
  FERMATA_BOTH __half_raw __nv_cvt_##digits##_to_halfraw(__nv_##digits##_storage_t a,             \
                                                         __nv_##digits##_interpretation_t kind) { \
    return {static_cast<unsigned short>(fermata_cuda::digits##Halves(a, kind))};                  \
  }                                                                                               \
  FERMATA_BOTH __half2_raw __nv_cvt_##digits##x2_to_halfraw2(                                     \
      __nv_##digits##x2_storage_t a, __nv_##digits##_interpretation_t kind) {                     \
    const unsigned halves = fermata_cuda::digits##Halves(a, kind);                                \
    return {static_cast<unsigned short>(halves), static_cast<unsigned short>(halves >> 16)};      \
  }
