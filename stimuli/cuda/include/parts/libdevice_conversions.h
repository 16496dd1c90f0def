// Conversions between number types, and between floating-point numbers and whole ones.
#pragma once

#include "libdevice_integers.h"

// Conversions in each rounding direction. To integers they saturate, and a NaN is 0; to 64 bits it
// is 0x8000000000000000. Towards zero by assembly: the optimiser takes the builtins for C's casts.
FERMATA_DEVICE int __nv_float2int_rn(float a) {
  return __nvvm_f2i_rn(a);
}
FERMATA_DEVICE int __nv_float2int_rz(float a) {
  int r;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r) : "f"(a));
  return r;
}
FERMATA_DEVICE int __nv_float2int_ru(float a) {
  return __nvvm_f2i_rp(a);
}
FERMATA_DEVICE int __nv_float2int_rd(float a) {
  return __nvvm_f2i_rm(a);
}
FERMATA_DEVICE unsigned __nv_float2uint_rn(float a) {
  return __nvvm_f2ui_rn(a);
}
FERMATA_DEVICE unsigned __nv_float2uint_rz(float a) {
  unsigned r;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r) : "f"(a));
  return r;
}
FERMATA_DEVICE unsigned __nv_float2uint_ru(float a) {
  return __nvvm_f2ui_rp(a);
}
FERMATA_DEVICE unsigned __nv_float2uint_rd(float a) {
  return __nvvm_f2ui_rm(a);
}
FERMATA_DEVICE long long __nv_float2ll_rn(float a) {
  return __nvvm_f2ll_rn(a);
}
FERMATA_DEVICE long long __nv_float2ll_rz(float a) {
  long long r;
  asm("cvt.rzi.s64.f32 %0, %1;" : "=l"(r) : "f"(a));
  return r;
}
FERMATA_DEVICE long long __nv_float2ll_ru(float a) {
  return __nvvm_f2ll_rp(a);
}
FERMATA_DEVICE long long __nv_float2ll_rd(float a) {
  return __nvvm_f2ll_rm(a);
}
FERMATA_DEVICE unsigned long long __nv_float2ull_rn(float a) {
  return __nvvm_f2ull_rn(a);
}
FERMATA_DEVICE unsigned long long __nv_float2ull_rz(float a) {
  unsigned long long r;
  asm("cvt.rzi.u64.f32 %0, %1;" : "=l"(r) : "f"(a));
  return r;
}
FERMATA_DEVICE unsigned long long __nv_float2ull_ru(float a) {
  return __nvvm_f2ull_rp(a);
}
FERMATA_DEVICE unsigned long long __nv_float2ull_rd(float a) {
  return __nvvm_f2ull_rm(a);
}
FERMATA_DEVICE int __nv_double2int_rn(double a) {
  return __nvvm_d2i_rn(a);
}
FERMATA_DEVICE int __nv_double2int_rz(double a) {
  int r;
  asm("cvt.rzi.s32.f64 %0, %1;" : "=r"(r) : "d"(a));
  return r;
}
FERMATA_DEVICE int __nv_double2int_ru(double a) {
  return __nvvm_d2i_rp(a);
}
FERMATA_DEVICE int __nv_double2int_rd(double a) {
  return __nvvm_d2i_rm(a);
}
FERMATA_DEVICE unsigned __nv_double2uint_rn(double a) {
  return __nvvm_d2ui_rn(a);
}
FERMATA_DEVICE unsigned __nv_double2uint_rz(double a) {
  unsigned r;
  asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(r) : "d"(a));
  return r;
}
FERMATA_DEVICE unsigned __nv_double2uint_ru(double a) {
  return __nvvm_d2ui_rp(a);
}
FERMATA_DEVICE unsigned __nv_double2uint_rd(double a) {
  return __nvvm_d2ui_rm(a);
}
FERMATA_DEVICE long long __nv_double2ll_rn(double a) {
  return __nvvm_d2ll_rn(a);
}
FERMATA_DEVICE long long __nv_double2ll_rz(double a) {
  long long r;
  asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(r) : "d"(a));
  return r;
}
FERMATA_DEVICE long long __nv_double2ll_ru(double a) {
  return __nvvm_d2ll_rp(a);
}
FERMATA_DEVICE long long __nv_double2ll_rd(double a) {
  return __nvvm_d2ll_rm(a);
}
FERMATA_DEVICE unsigned long long __nv_double2ull_rn(double a) {
  return __nvvm_d2ull_rn(a);
}
FERMATA_DEVICE unsigned long long __nv_double2ull_rz(double a) {
  unsigned long long r;
  asm("cvt.rzi.u64.f64 %0, %1;" : "=l"(r) : "d"(a));
  return r;
}
FERMATA_DEVICE unsigned long long __nv_double2ull_ru(double a) {
  return __nvvm_d2ull_rp(a);
}
FERMATA_DEVICE unsigned long long __nv_double2ull_rd(double a) {
  return __nvvm_d2ull_rm(a);
}
FERMATA_DEVICE float __nv_double2float_rn(double a) {
  return __nvvm_d2f_rn(a);
}
FERMATA_DEVICE float __nv_double2float_rz(double a) {
  float r;
  asm("cvt.rz.f32.f64 %0, %1;" : "=f"(r) : "d"(a));
  return r;
}
FERMATA_DEVICE float __nv_double2float_ru(double a) {
  return __nvvm_d2f_rp(a);
}
FERMATA_DEVICE float __nv_double2float_rd(double a) {
  return __nvvm_d2f_rm(a);
}
FERMATA_DEVICE float __nv_int2float_rn(int a) {
  return __nvvm_i2f_rn(a);
}
FERMATA_DEVICE float __nv_int2float_rz(int a) {
  float r;
  asm("cvt.rz.f32.s32 %0, %1;" : "=f"(r) : "r"(a));
  return r;
}
FERMATA_DEVICE float __nv_int2float_ru(int a) {
  return __nvvm_i2f_rp(a);
}
FERMATA_DEVICE float __nv_int2float_rd(int a) {
  return __nvvm_i2f_rm(a);
}
FERMATA_DEVICE float __nv_uint2float_rn(unsigned a) {
  return __nvvm_ui2f_rn(a);
}
FERMATA_DEVICE float __nv_uint2float_rz(unsigned a) {
  float r;
  asm("cvt.rz.f32.u32 %0, %1;" : "=f"(r) : "r"(a));
  return r;
}
FERMATA_DEVICE float __nv_uint2float_ru(unsigned a) {
  return __nvvm_ui2f_rp(a);
}
FERMATA_DEVICE float __nv_uint2float_rd(unsigned a) {
  return __nvvm_ui2f_rm(a);
}
FERMATA_DEVICE float __nv_ll2float_rn(long long a) {
  return __nvvm_ll2f_rn(a);
}
FERMATA_DEVICE double __nv_ll2double_rn(long long a) {
  return __nvvm_ll2d_rn(a);
}
FERMATA_DEVICE float __nv_ll2float_rz(long long a) {
  float r;
  asm("cvt.rz.f32.s64 %0, %1;" : "=f"(r) : "l"(a));
  return r;
}
FERMATA_DEVICE double __nv_ll2double_rz(long long a) {
  double r;
  asm("cvt.rz.f64.s64 %0, %1;" : "=d"(r) : "l"(a));
  return r;
}
FERMATA_DEVICE float __nv_ll2float_ru(long long a) {
  return __nvvm_ll2f_rp(a);
}
FERMATA_DEVICE double __nv_ll2double_ru(long long a) {
  return __nvvm_ll2d_rp(a);
}
FERMATA_DEVICE float __nv_ll2float_rd(long long a) {
  return __nvvm_ll2f_rm(a);
}
FERMATA_DEVICE double __nv_ll2double_rd(long long a) {
  return __nvvm_ll2d_rm(a);
}
FERMATA_DEVICE float __nv_ull2float_rn(unsigned long long a) {
  return __nvvm_ull2f_rn(a);
}
FERMATA_DEVICE double __nv_ull2double_rn(unsigned long long a) {
  return __nvvm_ull2d_rn(a);
}
FERMATA_DEVICE float __nv_ull2float_rz(unsigned long long a) {
  float r;
  asm("cvt.rz.f32.u64 %0, %1;" : "=f"(r) : "l"(a));
  return r;
}
FERMATA_DEVICE double __nv_ull2double_rz(unsigned long long a) {
  double r;
  asm("cvt.rz.f64.u64 %0, %1;" : "=d"(r) : "l"(a));
  return r;
}
FERMATA_DEVICE float __nv_ull2float_ru(unsigned long long a) {
  return __nvvm_ull2f_rp(a);
}
FERMATA_DEVICE double __nv_ull2double_ru(unsigned long long a) {
  return __nvvm_ull2d_rp(a);
}
FERMATA_DEVICE float __nv_ull2float_rd(unsigned long long a) {
  return __nvvm_ull2f_rm(a);
}
FERMATA_DEVICE double __nv_ull2double_rd(unsigned long long a) {
  return __nvvm_ull2d_rm(a);
}
FERMATA_DEVICE double __nv_int2double_rn(int a) {
  return a;
}
FERMATA_DEVICE double __nv_uint2double_rn(unsigned a) {
  return a;
}
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
FERMATA_DEVICE float __nv_fabsf(float a) {
  return __builtin_fabsf(a);
}
FERMATA_DEVICE float __nv_floorf(float a) {
  return __builtin_floorf(a);
}
FERMATA_DEVICE float __nv_ceilf(float a) {
  return __builtin_ceilf(a);
}
FERMATA_DEVICE float __nv_truncf(float a) {
  return __builtin_truncf(a);
}
FERMATA_DEVICE float __nv_rintf(float a) {
  return __builtin_rintf(a);
}
FERMATA_DEVICE float __nv_nearbyintf(float a) {
  return __builtin_nearbyintf(a);
}
FERMATA_DEVICE float __nv_fminf(float a, float b) {
  return __builtin_fminf(a, b);
}
FERMATA_DEVICE float __nv_fmaxf(float a, float b) {
  return __builtin_fmaxf(a, b);
}
FERMATA_DEVICE float __nv_copysignf(float a, float b) {
  return __builtin_copysignf(a, b);
}
FERMATA_DEVICE float __nv_fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
FERMATA_DEVICE float __nv_sqrtf(float a) {
  return __builtin_sqrtf(a);
}
// Halves go away from zero.
FERMATA_DEVICE float __nv_roundf(float a) {
  const float whole = __builtin_truncf(a);
  const float more =
      __builtin_fabsf(a - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, a) : whole;
  return __builtin_copysignf(more, a);
}
FERMATA_DEVICE long long __nv_llrintf(float a) {
  return __nvvm_f2ll_rn(a);
}
FERMATA_DEVICE long long __nv_llroundf(float a) {
  return __nvvm_f2ll_rz(__nv_roundf(a));
}
FERMATA_DEVICE int __nv_signbitf(float a) {
  return static_cast<int>(__nv_float_as_uint(a) >> 31);
}
FERMATA_DEVICE int __nv_isnanf(float a) {
  return a != a;
}
FERMATA_DEVICE int __nv_isinff(float a) {
  return __builtin_fabsf(a) == __builtin_inff();
}
FERMATA_DEVICE int __nv_finitef(float a) {
  return __builtin_fabsf(a) < __builtin_inff();
}
FERMATA_DEVICE float __nv_fdimf(float a, float b) {
  return a > b ? a - b : (a != a || b != b ? a + b : 0.0f);
}
FERMATA_DEVICE double __nv_fabs(double a) {
  return __builtin_fabs(a);
}
FERMATA_DEVICE double __nv_floor(double a) {
  return __builtin_floor(a);
}
FERMATA_DEVICE double __nv_ceil(double a) {
  return __builtin_ceil(a);
}
FERMATA_DEVICE double __nv_trunc(double a) {
  return __builtin_trunc(a);
}
FERMATA_DEVICE double __nv_rint(double a) {
  return __builtin_rint(a);
}
FERMATA_DEVICE double __nv_nearbyint(double a) {
  return __builtin_nearbyint(a);
}
FERMATA_DEVICE double __nv_fmin(double a, double b) {
  return __builtin_fmin(a, b);
}
FERMATA_DEVICE double __nv_fmax(double a, double b) {
  return __builtin_fmax(a, b);
}
FERMATA_DEVICE double __nv_copysign(double a, double b) {
  return __builtin_copysign(a, b);
}
FERMATA_DEVICE double __nv_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
FERMATA_DEVICE double __nv_sqrt(double a) {
  return __nvvm_sqrt_rn_d(a);
}
// Halves go away from zero.
FERMATA_DEVICE double __nv_round(double a) {
  const double whole = __builtin_trunc(a);
  const double more = __builtin_fabs(a - whole) >= 0.5 ? whole + __builtin_copysign(1.0, a) : whole;
  return __builtin_copysign(more, a);
}
FERMATA_DEVICE long long __nv_llrint(double a) {
  return __nvvm_d2ll_rn(a);
}
FERMATA_DEVICE long long __nv_llround(double a) {
  return __nvvm_d2ll_rz(__nv_round(a));
}
FERMATA_DEVICE int __nv_signbitd(double a) {
  return static_cast<int>(__nv_double_as_longlong(a) >> 63);
}
FERMATA_DEVICE int __nv_isnand(double a) {
  return a != a;
}
FERMATA_DEVICE int __nv_isinfd(double a) {
  return __builtin_fabs(a) == __builtin_inf();
}
FERMATA_DEVICE int __nv_isfinited(double a) {
  return __builtin_fabs(a) < __builtin_inf();
}
FERMATA_DEVICE double __nv_fdim(double a, double b) {
  return a > b ? a - b : (a != a || b != b ? a + b : 0.0);
}
FERMATA_DEVICE float __nv_saturatef(float a) {
  return __nvvm_saturate_f(a);
}
