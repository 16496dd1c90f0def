// Conversions between number types, and between floating-point numbers and whole ones.
#pragma once

#include "libdevice_integers.h"

// Conversions in each rounding direction. Conversions to integers saturate; a NaN becomes 0, or
// 0x8000000000000000 for 64 bits. Towards zero needs assembly: the optimiser treats the builtins as
// C's casts. `to`, `from`: letters of the assembly's operands.
#define FERMATA_CONVERT(name, To, to, From, from, instruction) \
  FERMATA_DEVICE To __nv_##name(From a) {                      \
    To r;                                                      \
    asm(instruction " %0, %1;" : "=" to(r) : from(a));         \
    return r;                                                  \
  }
// Defines the four directions: to the nearest, towards zero, up and down.
#define FERMATA_CONVERT_WHOLE(name, To, to, From, from, types)    \
  FERMATA_CONVERT(name##_rn, To, to, From, from, "cvt.rni" types) \
  FERMATA_CONVERT(name##_rz, To, to, From, from, "cvt.rzi" types) \
  FERMATA_CONVERT(name##_ru, To, to, From, from, "cvt.rpi" types) \
  FERMATA_CONVERT(name##_rd, To, to, From, from, "cvt.rmi" types)
#define FERMATA_CONVERT_REAL(name, To, to, From, from, types)    \
  FERMATA_CONVERT(name##_rn, To, to, From, from, "cvt.rn" types) \
  FERMATA_CONVERT(name##_rz, To, to, From, from, "cvt.rz" types) \
  FERMATA_CONVERT(name##_ru, To, to, From, from, "cvt.rp" types) \
  FERMATA_CONVERT(name##_rd, To, to, From, from, "cvt.rm" types)

FERMATA_CONVERT_WHOLE(float2int, int, "r", float, "f", FERMATA_FTZ ".s32.f32")
FERMATA_CONVERT_WHOLE(float2uint, unsigned, "r", float, "f", FERMATA_FTZ ".u32.f32")
FERMATA_CONVERT_WHOLE(float2ll, long long, "l", float, "f", FERMATA_FTZ ".s64.f32")
FERMATA_CONVERT_WHOLE(float2ull, unsigned long long, "l", float, "f", FERMATA_FTZ ".u64.f32")
FERMATA_CONVERT_WHOLE(double2int, int, "r", double, "d", ".s32.f64")
FERMATA_CONVERT_WHOLE(double2uint, unsigned, "r", double, "d", ".u32.f64")
FERMATA_CONVERT_WHOLE(double2ll, long long, "l", double, "d", ".s64.f64")
FERMATA_CONVERT_WHOLE(double2ull, unsigned long long, "l", double, "d", ".u64.f64")
FERMATA_CONVERT_REAL(double2float, float, "f", double, "d", FERMATA_FTZ ".f32.f64")
FERMATA_CONVERT_REAL(int2float, float, "f", int, "r", ".f32.s32")
FERMATA_CONVERT_REAL(uint2float, float, "f", unsigned, "r", ".f32.u32")
FERMATA_CONVERT_REAL(ll2float, float, "f", long long, "l", ".f32.s64")
FERMATA_CONVERT_REAL(ull2float, float, "f", unsigned long long, "l", ".f32.u64")
FERMATA_CONVERT_REAL(ll2double, double, "d", long long, "l", ".f64.s64")
FERMATA_CONVERT_REAL(ull2double, double, "d", unsigned long long, "l", ".f64.u64")

#undef FERMATA_CONVERT_REAL
#undef FERMATA_CONVERT_WHOLE
#undef FERMATA_CONVERT
FERMATA_DEVICE double __nv_int2double_rn(int a) { return a; }
FERMATA_DEVICE double __nv_uint2double_rn(unsigned a) { return a; }
FERMATA_DEVICE unsigned short __nv_float2half_rn(float a) {
  unsigned short half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  return half;
}
FERMATA_DEVICE float __nv_half2float(unsigned short half) {
  float a;
  asm("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(half));
  return a;
}

// Whole numbers, signs, extremes, classes.
#define FERMATA_PART_1(name)                                                  \
  FERMATA_DEVICE double __nv_##name(double a) { return __builtin_##name(a); } \
  FERMATA_DEVICE float __nv_##name##f(float a) { return __builtin_##name##f(a); }
#define FERMATA_PART_2(name)                                                               \
  FERMATA_DEVICE double __nv_##name(double a, double b) { return __builtin_##name(a, b); } \
  FERMATA_DEVICE float __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); }
// Defines functions of T; `f` ends the names of floats' functions. Halves are rounded away from
// zero.
#define FERMATA_PARTS(T, f)                                                                      \
  FERMATA_DEVICE T __nv_fma##f(T a, T b, T c) { return __builtin_fma##f(a, b, c); }              \
  FERMATA_DEVICE T __nv_round##f(T a) {                                                          \
    const T whole = __builtin_trunc##f(a);                                                       \
    const T more =                                                                               \
        __builtin_fabs##f(a - whole) >= T(0.5) ? whole + __builtin_copysign##f(T(1), a) : whole; \
    return __builtin_copysign##f(more, a);                                                       \
  }                                                                                              \
  FERMATA_DEVICE T __nv_fdim##f(T a, T b) {                                                      \
    return a > b ? a - b : (a != a || b != b ? a + b : T(0));                                    \
  }
// Defines functions whose names differ in more than an `f`.
#define FERMATA_CLASSES(T, isNan, isInfinite, isFinite, infinity, magnitude) \
  FERMATA_DEVICE int isNan(T a) { return a != a; }                           \
  FERMATA_DEVICE int isInfinite(T a) { return magnitude(a) == infinity(); }  \
  FERMATA_DEVICE int isFinite(T a) { return magnitude(a) < infinity(); }

FERMATA_PART_1(fabs)
FERMATA_PART_1(floor)
FERMATA_PART_1(ceil)
FERMATA_PART_1(trunc)
FERMATA_PART_1(rint)
FERMATA_PART_1(nearbyint)
FERMATA_PART_2(fmin)
FERMATA_PART_2(fmax)
FERMATA_PART_2(copysign)
FERMATA_PARTS(double, )
FERMATA_PARTS(float, f)
FERMATA_CLASSES(double, __nv_isnand, __nv_isinfd, __nv_isfinited, __builtin_inf, __builtin_fabs)
FERMATA_CLASSES(float, __nv_isnanf, __nv_isinff, __nv_finitef, __builtin_inff, __builtin_fabsf)

#undef FERMATA_CLASSES
#undef FERMATA_PARTS
#undef FERMATA_PART_2
#undef FERMATA_PART_1

FERMATA_DEVICE double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
/// Roots under -prec-sqrt=false, for which `cc` defines a macro. The compiler's own root is always
/// exact.
FERMATA_DEVICE float __nv_sqrtf(float a) {
#ifdef FERMATA_APPROXIMATE_ROOTS
  float r;
  asm("sqrt.approx" FERMATA_FTZ ".f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return __builtin_sqrtf(a);
#endif
}
FERMATA_DEVICE long long __nv_llrint(double a) { return __nv_double2ll_rn(a); }
FERMATA_DEVICE long long __nv_llrintf(float a) { return __nv_float2ll_rn(a); }
FERMATA_DEVICE long long __nv_llround(double a) { return __nv_double2ll_rz(__nv_round(a)); }
FERMATA_DEVICE long long __nv_llroundf(float a) { return __nv_float2ll_rz(__nv_roundf(a)); }
FERMATA_DEVICE int __nv_signbitd(double a) {
  return static_cast<int>(__nv_double_as_longlong(a) >> 63);
}
FERMATA_DEVICE int __nv_signbitf(float a) { return static_cast<int>(__nv_float_as_uint(a) >> 31); }
FERMATA_DEVICE float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
