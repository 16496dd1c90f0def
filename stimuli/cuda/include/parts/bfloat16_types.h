// __nv_bfloat16 and __nv_bfloat162: numbers in bfloat16: a float's first 16 bits, and their
// conversions, on the host and the device.
#pragma once

#include "../vector_types.h"
#include "narrow_rounding.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x;
  unsigned short y;
};

namespace fermata_cuda {

/// Bits of a number, rounded.
FERMATA_BOTH unsigned short bfloat16Bits(double a, Rounding rounding) {
  return narrowed<7, 127>(a, rounding);
}
FERMATA_BOTH unsigned short bfloat16Bits(float a) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return bits;
#else
  const unsigned b = fermata_math::bits(a);
  if ((b & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<unsigned short>((b + 0x7fff + (b >> 16 & 1)) >> 16);
#endif
}
FERMATA_BOTH float floatOfBfloat16(unsigned short bits) {
  return fermata_math::number(static_cast<unsigned>(bits) << 16);
}

}  // namespace fermata_cuda

struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits_(raw.x) {}
  __host__ __device__ __nv_bfloat16(float a) : bits_(fermata_cuda::bfloat16Bits(a)) {}
  __host__ __device__ __nv_bfloat16(double a)
      : bits_(fermata_cuda::bfloat16Bits(a, fermata_cuda::Rounding::Nearest)) {}
  __host__ __device__ __nv_bfloat16(short a) : __nv_bfloat16(static_cast<double>(a)) {}
  __host__ __device__ __nv_bfloat16(unsigned short a) : __nv_bfloat16(static_cast<double>(a)) {}
  __host__ __device__ __nv_bfloat16(int a) : __nv_bfloat16(static_cast<double>(a)) {}
  __host__ __device__ __nv_bfloat16(unsigned int a) : __nv_bfloat16(static_cast<double>(a)) {}
  __host__ __device__ __nv_bfloat16(long a)
      : __nv_bfloat16(fermata_cuda::wholeToOdd(
            a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
            a < 0)) {}
  __host__ __device__ __nv_bfloat16(long long a)
      : __nv_bfloat16(fermata_cuda::wholeToOdd(
            a < 0 ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a),
            a < 0)) {}
  __host__ __device__ __nv_bfloat16(unsigned long a)
      : __nv_bfloat16(fermata_cuda::wholeToOdd(a, false)) {}
  __host__ __device__ __nv_bfloat16(unsigned long long a)
      : __nv_bfloat16(fermata_cuda::wholeToOdd(a, false)) {}
  __host__ __device__ operator __nv_bfloat16_raw() const {
    return {bits_};
  }
  __host__ __device__ operator float() const {
    return fermata_cuda::floatOfBfloat16(bits_);
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
  __host__ __device__ __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) {
    bits_ = raw.x;
    return *this;
  }
  __host__ __device__ __nv_bfloat16& operator=(float a) {
    return *this = __nv_bfloat16(a);
  }
  __host__ __device__ __nv_bfloat16& operator=(double a) {
    return *this = __nv_bfloat16(a);
  }
  __host__ __device__ __nv_bfloat16& operator=(short a) {
    return *this = __nv_bfloat16(a);
  }
  __host__ __device__ __nv_bfloat16& operator=(unsigned short a) {
    return *this = __nv_bfloat16(a);
  }
  __host__ __device__ __nv_bfloat16& operator=(int a) {
    return *this = __nv_bfloat16(a);
  }
  __host__ __device__ __nv_bfloat16& operator=(unsigned int a) {
    return *this = __nv_bfloat16(a);
  }
  __host__ __device__ __nv_bfloat16& operator=(long long a) {
    return *this = __nv_bfloat16(a);
  }
  __host__ __device__ __nv_bfloat16& operator=(unsigned long long a) {
    return *this = __nv_bfloat16(a);
  }

  /// Their 16 bits.
  __host__ __device__ static __nv_bfloat16 of(unsigned short bits) {
    __nv_bfloat16 a;
    a.bits_ = bits;
    return a;
  }
  __host__ __device__ unsigned short bits() const {
    return bits_;
  }

 private:
  unsigned short bits_;
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x;
  __nv_bfloat16 y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high)
      : x(low), y(high) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16::of(raw.x)), y(__nv_bfloat16::of(raw.y)) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return {x.bits(), y.bits()};
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// The same bits.
FERMATA_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.bits();
}
FERMATA_BOTH short __bfloat16_as_short(__nv_bfloat16 a) {
  return static_cast<short>(a.bits());
}
FERMATA_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) {
  return __nv_bfloat16::of(a);
}
FERMATA_BOTH __nv_bfloat16 __short_as_bfloat16(short a) {
  return __nv_bfloat16::of(static_cast<unsigned short>(a));
}

// Floats and doubles.
FERMATA_BOTH __nv_bfloat16 __float2bfloat16(float a) {
  return __nv_bfloat16(a);
}
FERMATA_BOTH __nv_bfloat16 __double2bfloat16(double a) {
  return __nv_bfloat16(a);
}
FERMATA_BOTH float __bfloat162float(__nv_bfloat16 a) {
  return a;
}
FERMATA_BOTH __nv_bfloat16 __float2bfloat16_rn(float a) {
  return __nv_bfloat16(a);
}
FERMATA_BOTH __nv_bfloat16 __float2bfloat16_rz(float a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(static_cast<double>(a), fermata_cuda::Rounding::Zero));
}
FERMATA_BOTH __nv_bfloat16 __float2bfloat16_ru(float a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(static_cast<double>(a), fermata_cuda::Rounding::Up));
}
FERMATA_BOTH __nv_bfloat16 __float2bfloat16_rd(float a) {
  return __nv_bfloat16::of(
      fermata_cuda::bfloat16Bits(static_cast<double>(a), fermata_cuda::Rounding::Down));
}

// Pairs.
FERMATA_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return {a, a};
}
FERMATA_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return {a, b};
}
FERMATA_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return {a, b};
}
FERMATA_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) {
  return a.x;
}
FERMATA_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) {
  return a.y;
}
FERMATA_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) {
  return {a.x, a.x};
}
FERMATA_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) {
  return {a.y, a.y};
}
FERMATA_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x, b.x};
}
FERMATA_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.y, b.y};
}
FERMATA_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) {
  return {a.y, a.x};
}
FERMATA_BOTH float __low2float(__nv_bfloat162 a) {
  return a.x;
}
FERMATA_BOTH float __high2float(__nv_bfloat162 a) {
  return a.y;
}
FERMATA_BOTH __nv_bfloat162 __float2bfloat162_rn(float a) {
  return {__nv_bfloat16(a), __nv_bfloat16(a)};
}
FERMATA_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {__nv_bfloat16(a), __nv_bfloat16(b)};
}
FERMATA_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return {__nv_bfloat16(a.x), __nv_bfloat16(a.y)};
}
FERMATA_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) {
  return {a.x, a.y};
}
