// min and max of every pair of number types, and functions that CUDA has beyond the C library:
// overloads, and their host versions.
#pragma once

#include "libdevice_math.h"

#define FERMATA_HOST \
  static __attribute__((host)) __inline__ __attribute__((always_inline, nodebug, unused))

FERMATA_HOST int min(int a, int b) { return a < b ? a : b; }
FERMATA_HOST int max(int a, int b) { return a > b ? a : b; }
// Defines `min` and `max` of two types, in their common type.
#define FERMATA_EXTREMES(A, B, Result)                                               \
  FERMATA_BOTH Result min(A a, B b) {                                                \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }                                                                                  \
  FERMATA_BOTH Result max(A a, B b) {                                                \
    return static_cast<Result>(a) > static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }
#include "extreme_list.inl"
// Defines `min` and `max` of floating-point numbers: a NaN loses.
#define FERMATA_EXTREMES(A, B, Result, f)                               \
  FERMATA_BOTH Result min(A a, B b) { return __builtin_fmin##f(a, b); } \
  FERMATA_BOTH Result max(A a, B b) { return __builtin_fmax##f(a, b); }
FERMATA_EXTREMES(float, float, float, f)
FERMATA_EXTREMES(double, double, double, )
FERMATA_EXTREMES(float, double, double, )
FERMATA_EXTREMES(double, float, double, )
#undef FERMATA_EXTREMES

// Defines the host's versions of functions that the compiler's headers have only for the device.
#define FERMATA_HOST_1(name)                                    \
  FERMATA_HOST double name(double a) { return __nv_##name(a); } \
  FERMATA_HOST float name##f(float a) { return __nv_##name##f(a); }
FERMATA_HOST_1(rcbrt)
FERMATA_HOST_1(sinpi)
FERMATA_HOST_1(cospi)
FERMATA_HOST_1(erfinv)
FERMATA_HOST_1(erfcinv)
FERMATA_HOST_1(erfcx)
FERMATA_HOST_1(normcdf)
FERMATA_HOST_1(normcdfinv)
FERMATA_HOST_1(cyl_bessel_i0)
FERMATA_HOST_1(cyl_bessel_i1)
#undef FERMATA_HOST_1
FERMATA_HOST double rsqrt(double a) { return __nv_rsqrt(a); }
FERMATA_HOST float rsqrtf(float a) { return static_cast<float>(__nv_rsqrt(a)); }
FERMATA_HOST void sincospi(double a, double* s, double* c) { __nv_sincospi(a, s, c); }
FERMATA_HOST void sincospif(float a, float* s, float* c) { __nv_sincospif(a, s, c); }
FERMATA_HOST float fdividef(float a, float b) { return a / b; }
#define FERMATA_HOST_MORE(name, Real, list, values) \
  FERMATA_HOST Real name list { return __nv_##name values; }
FERMATA_HOST_MORE(rhypot, double, (double a, double b), (a, b))
FERMATA_HOST_MORE(rhypotf, float, (float a, float b), (a, b))
FERMATA_HOST_MORE(norm3d, double, (double a, double b, double c), (a, b, c))
FERMATA_HOST_MORE(norm3df, float, (float a, float b, float c), (a, b, c))
FERMATA_HOST_MORE(norm4d, double, (double a, double b, double c, double d), (a, b, c, d))
FERMATA_HOST_MORE(norm4df, float, (float a, float b, float c, float d), (a, b, c, d))
FERMATA_HOST_MORE(rnorm3d, double, (double a, double b, double c), (a, b, c))
FERMATA_HOST_MORE(rnorm3df, float, (float a, float b, float c), (a, b, c))
#undef FERMATA_HOST_MORE
#define FERMATA_HOST_EXTREMES(prefix, Whole)                                 \
  FERMATA_HOST Whole prefix##min(Whole a, Whole b) { return a < b ? a : b; } \
  FERMATA_HOST Whole prefix##max(Whole a, Whole b) { return a > b ? a : b; }
FERMATA_HOST_EXTREMES(u, unsigned)
FERMATA_HOST_EXTREMES(ll, long long)
FERMATA_HOST_EXTREMES(ull, unsigned long long)
#undef FERMATA_HOST_EXTREMES

// Float overloads of the doubles' names.
#define FERMATA_OVERLOAD(name) \
  FERMATA_BOTH float name(float a) { return name##f(a); }
FERMATA_OVERLOAD(rsqrt)
FERMATA_OVERLOAD(rcbrt)
FERMATA_OVERLOAD(sinpi)
FERMATA_OVERLOAD(cospi)
FERMATA_OVERLOAD(erfinv)
FERMATA_OVERLOAD(erfcinv)
FERMATA_OVERLOAD(erfcx)
FERMATA_OVERLOAD(normcdf)
FERMATA_OVERLOAD(normcdfinv)
FERMATA_OVERLOAD(exp10)
#undef FERMATA_OVERLOAD
FERMATA_BOTH void sincospi(float a, float* s, float* c) { sincospif(a, s, c); }
FERMATA_BOTH void sincos(float a, float* s, float* c) { sincosf(a, s, c); }
FERMATA_BOTH float fdivide(float a, float b) { return fdividef(a, b); }

#undef FERMATA_HOST
