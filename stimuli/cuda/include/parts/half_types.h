// __half and __half2: numbers in half precision, and their conversions, on the host and the device.
#pragma once

#include "../vector_types.h"
#include "narrow_rounding.h"

struct __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x;
  unsigned short y;
};

namespace fermata_cuda {

/// Bits of a number, rounded.
FERMATA_BOTH unsigned short halfBits(double a, Rounding rounding) {
#ifdef __CUDA_ARCH__
  if (rounding == Rounding::Nearest) {
    unsigned short bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(a));
    return bits;
  }
#endif
  return narrowed<10, 15>(a, rounding);
}
FERMATA_BOTH unsigned short halfBits(float a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return bits;
#else
  return halfBits(static_cast<double>(a), Rounding::Nearest);
#endif
}
FERMATA_BOTH float floatOfHalf(unsigned short bits) {
#ifdef __CUDA_ARCH__
  float a;
  asm("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(bits));
  return a;
#else
  const unsigned sign = static_cast<unsigned>(bits & 0x8000) << 16;
  const unsigned rest = bits & 0x7fff;
  if (rest > 0x7c00) return fermata_math::number(0x7fffffffu);
  if (rest == 0x7c00) return fermata_math::number(sign | 0x7f800000u);
  if (rest >= 0x400) return fermata_math::number(sign | ((rest << 13) + 0x38000000u));
  const float small = static_cast<float>(rest) * 0x1p-24f;
  return sign != 0 ? -small : small;
#endif
}

}  // namespace fermata_cuda

struct __align__(2) __half {
  __half() = default;
  __host__ __device__ __half(const __half_raw& raw) : bits_(raw.x) {}
  __host__ __device__ __half(float a) : bits_(fermata_cuda::halfBits(a)) {}
  __host__ __device__ __half(double a)
      : bits_(fermata_cuda::halfBits(a, fermata_cuda::Rounding::Nearest)) {}
  __host__ __device__ __half(short a) : __half(static_cast<double>(a)) {}
  __host__ __device__ __half(unsigned short a) : __half(static_cast<double>(a)) {}
  __host__ __device__ __half(int a) : __half(static_cast<double>(a)) {}
  __host__ __device__ __half(unsigned int a) : __half(static_cast<double>(a)) {}
  __host__ __device__ __half(long a)
      : __half(fermata_cuda::wholeToOdd(
            a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
            a < 0)) {}
  __host__ __device__ __half(long long a)
      : __half(fermata_cuda::wholeToOdd(
            a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
            a < 0)) {}
  __host__ __device__ __half(unsigned long a) : __half(fermata_cuda::wholeToOdd(a, false)) {}
  __host__ __device__ __half(unsigned long long a) : __half(fermata_cuda::wholeToOdd(a, false)) {}
  __host__ __device__ operator __half_raw() const {
    return {bits_};
  }
  __host__ __device__ operator float() const {
    return fermata_cuda::floatOfHalf(bits_);
  }
  __host__ __device__ operator bool() const {
    return (bits_ & 0x7fff) != 0;
  }
  __host__ __device__ operator short() const;
  __host__ __device__ operator unsigned short() const;
  __host__ __device__ operator int() const;
  __host__ __device__ operator unsigned int() const;
  __host__ __device__ operator long long() const;
  __host__ __device__ operator unsigned long long() const;
  __host__ __device__ __half& operator=(const __half_raw& raw) {
    bits_ = raw.x;
    return *this;
  }
  __host__ __device__ __half& operator=(float a) {
    return *this = __half(a);
  }
  __host__ __device__ __half& operator=(double a) {
    return *this = __half(a);
  }
  __host__ __device__ __half& operator=(short a) {
    return *this = __half(a);
  }
  __host__ __device__ __half& operator=(unsigned short a) {
    return *this = __half(a);
  }
  __host__ __device__ __half& operator=(int a) {
    return *this = __half(a);
  }
  __host__ __device__ __half& operator=(unsigned int a) {
    return *this = __half(a);
  }
  __host__ __device__ __half& operator=(long long a) {
    return *this = __half(a);
  }
  __host__ __device__ __half& operator=(unsigned long long a) {
    return *this = __half(a);
  }

  /// Their 16 bits.
  __host__ __device__ static __half of(unsigned short bits) {
    __half a;
    a.bits_ = bits;
    return a;
  }
  __host__ __device__ unsigned short bits() const {
    return bits_;
  }

 private:
  unsigned short bits_;
};

struct __align__(4) __half2 {
  __half x;
  __half y;

  __half2() = default;
  __host__ __device__ __half2(const __half& low, const __half& high) : x(low), y(high) {}
  __host__ __device__ __half2(const __half2_raw& raw)
      : x(__half::of(raw.x)), y(__half::of(raw.y)) {}
  __host__ __device__ operator __half2_raw() const {
    return {x.bits(), y.bits()};
  }
};

typedef __half half;
typedef __half2 half2;

// The same bits.
FERMATA_BOTH unsigned short __half_as_ushort(__half a) {
  return a.bits();
}
FERMATA_BOTH short __half_as_short(__half a) {
  return static_cast<short>(a.bits());
}
FERMATA_BOTH __half __ushort_as_half(unsigned short a) {
  return __half::of(a);
}
FERMATA_BOTH __half __short_as_half(short a) {
  return __half::of(static_cast<unsigned short>(a));
}

// Floats and doubles.
FERMATA_BOTH __half __float2half(float a) {
  return __half(a);
}
FERMATA_BOTH __half __double2half(double a) {
  return __half(a);
}
FERMATA_BOTH float __half2float(__half a) {
  return a;
}
FERMATA_BOTH __half __float2half_rn(float a) {
  return __half(a);
}
FERMATA_BOTH __half __float2half_rz(float a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(static_cast<double>(a), fermata_cuda::Rounding::Zero));
#endif
}
FERMATA_BOTH __half __float2half_ru(float a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rp.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(static_cast<double>(a), fermata_cuda::Rounding::Up));
#endif
}
FERMATA_BOTH __half __float2half_rd(float a) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  asm("cvt.rm.f16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return __half::of(bits);
#else
  return __half::of(fermata_cuda::halfBits(static_cast<double>(a), fermata_cuda::Rounding::Down));
#endif
}

// Pairs.
FERMATA_BOTH __half2 __half2half2(__half a) {
  return {a, a};
}
FERMATA_BOTH __half2 __halves2half2(__half a, __half b) {
  return {a, b};
}
FERMATA_BOTH __half2 make_half2(__half a, __half b) {
  return {a, b};
}
FERMATA_BOTH __half __low2half(__half2 a) {
  return a.x;
}
FERMATA_BOTH __half __high2half(__half2 a) {
  return a.y;
}
FERMATA_BOTH __half2 __low2half2(__half2 a) {
  return {a.x, a.x};
}
FERMATA_BOTH __half2 __high2half2(__half2 a) {
  return {a.y, a.y};
}
FERMATA_BOTH __half2 __lows2half2(__half2 a, __half2 b) {
  return {a.x, b.x};
}
FERMATA_BOTH __half2 __highs2half2(__half2 a, __half2 b) {
  return {a.y, b.y};
}
FERMATA_BOTH __half2 __lowhigh2highlow(__half2 a) {
  return {a.y, a.x};
}
FERMATA_BOTH float __low2float(__half2 a) {
  return a.x;
}
FERMATA_BOTH float __high2float(__half2 a) {
  return a.y;
}
FERMATA_BOTH __half2 __float2half2_rn(float a) {
  return {__half(a), __half(a)};
}
FERMATA_BOTH __half2 __floats2half2_rn(float a, float b) {
  return {__half(a), __half(b)};
}
FERMATA_BOTH __half2 __float22half2_rn(float2 a) {
  return {__half(a.x), __half(a.y)};
}
FERMATA_BOTH float2 __half22float2(__half2 a) {
  return {a.x, a.y};
}
