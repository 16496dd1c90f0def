// min and max of every pair of number types, and functions that CUDA has beyond the C library:
// overloads, and their host versions.
#pragma once

#include "libdevice_math.h"

#define FERMATA_HOST \
  static __attribute__((host)) __inline__ __attribute__((always_inline, nodebug, unused))

FERMATA_HOST int min(int a, int b) {
  return a < b ? a : b;
}
FERMATA_HOST int max(int a, int b) {
  return a > b ? a : b;
}
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
FERMATA_EXTREMES(unsigned, unsigned, unsigned)
FERMATA_EXTREMES(int, unsigned, unsigned)
FERMATA_EXTREMES(unsigned, int, unsigned)
FERMATA_EXTREMES(long, long, long)
FERMATA_EXTREMES(unsigned long, unsigned long, unsigned long)
FERMATA_EXTREMES(long, unsigned long, unsigned long)
FERMATA_EXTREMES(unsigned long, long, unsigned long)
FERMATA_EXTREMES(long long, long long, long long)
FERMATA_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
FERMATA_EXTREMES(long long, unsigned long long, unsigned long long)
FERMATA_EXTREMES(unsigned long long, long long, unsigned long long)
#undef FERMATA_EXTREMES
// min and max of floating-point numbers: a NaN loses.
FERMATA_BOTH float min(float a, float b) {
  return __builtin_fminf(a, b);
}
FERMATA_BOTH float max(float a, float b) {
  return __builtin_fmaxf(a, b);
}
FERMATA_BOTH double min(double a, double b) {
  return __builtin_fmin(a, b);
}
FERMATA_BOTH double max(double a, double b) {
  return __builtin_fmax(a, b);
}
FERMATA_BOTH double min(float a, double b) {
  return __builtin_fmin(a, b);
}
FERMATA_BOTH double max(float a, double b) {
  return __builtin_fmax(a, b);
}
FERMATA_BOTH double min(double a, float b) {
  return __builtin_fmin(a, b);
}
FERMATA_BOTH double max(double a, float b) {
  return __builtin_fmax(a, b);
}

// Defines the host's versions of functions that the compiler's headers have only for the device.
#define FERMATA_HOST_1(name)            \
  FERMATA_HOST double name(double a) {  \
    return __nv_##name(a);              \
  }                                     \
  FERMATA_HOST float name##f(float a) { \
    return __nv_##name##f(a);           \
  }
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
FERMATA_HOST double rsqrt(double a) {
  return __nv_rsqrt(a);
}
FERMATA_HOST float rsqrtf(float a) {
  return static_cast<float>(__nv_rsqrt(a));
}
FERMATA_HOST void sincospi(double a, double* s, double* c) {
  __nv_sincospi(a, s, c);
}
FERMATA_HOST void sincospif(float a, float* s, float* c) {
  __nv_sincospif(a, s, c);
}
FERMATA_HOST float fdividef(float a, float b) {
  return a / b;
}
FERMATA_HOST double rhypot(double a, double b) {
  return __nv_rhypot(a, b);
}
FERMATA_HOST float rhypotf(float a, float b) {
  return __nv_rhypotf(a, b);
}
FERMATA_HOST double norm3d(double a, double b, double c) {
  return __nv_norm3d(a, b, c);
}
FERMATA_HOST float norm3df(float a, float b, float c) {
  return __nv_norm3df(a, b, c);
}
FERMATA_HOST double norm4d(double a, double b, double c, double d) {
  return __nv_norm4d(a, b, c, d);
}
FERMATA_HOST float norm4df(float a, float b, float c, float d) {
  return __nv_norm4df(a, b, c, d);
}
FERMATA_HOST double rnorm3d(double a, double b, double c) {
  return __nv_rnorm3d(a, b, c);
}
FERMATA_HOST float rnorm3df(float a, float b, float c) {
  return __nv_rnorm3df(a, b, c);
}
FERMATA_HOST unsigned umin(unsigned a, unsigned b) {
  return a < b ? a : b;
}
FERMATA_HOST unsigned umax(unsigned a, unsigned b) {
  return a > b ? a : b;
}
FERMATA_HOST long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
FERMATA_HOST long long llmax(long long a, long long b) {
  return a > b ? a : b;
}
FERMATA_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
FERMATA_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}

// Float overloads of the doubles' names.
FERMATA_BOTH float rsqrt(float a) {
  return rsqrtf(a);
}
FERMATA_BOTH float rcbrt(float a) {
  return rcbrtf(a);
}
FERMATA_BOTH float sinpi(float a) {
  return sinpif(a);
}
FERMATA_BOTH float cospi(float a) {
  return cospif(a);
}
FERMATA_BOTH void sincospi(float a, float* s, float* c) {
  sincospif(a, s, c);
}
FERMATA_BOTH void sincos(float a, float* s, float* c) {
  sincosf(a, s, c);
}
FERMATA_BOTH float erfinv(float a) {
  return erfinvf(a);
}
FERMATA_BOTH float erfcinv(float a) {
  return erfcinvf(a);
}
FERMATA_BOTH float erfcx(float a) {
  return erfcxf(a);
}
FERMATA_BOTH float normcdf(float a) {
  return normcdff(a);
}
FERMATA_BOTH float normcdfinv(float a) {
  return normcdfinvf(a);
}
FERMATA_BOTH float exp10(float a) {
  return exp10f(a);
}
FERMATA_BOTH float fdivide(float a, float b) {
  return fdividef(a, b);
}

#undef FERMATA_HOST
