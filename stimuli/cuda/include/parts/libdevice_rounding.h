// Arithmetic and conversions in each rounding direction, exact by IEEE 754.
#pragma once

#include "device_words.h"

// Arithmetic in each rounding direction. To the nearest by assembly: the optimiser takes the
// builtins for any sum or product and fuses them, which these never are.
FERMATA_DEVICE float __nv_fadd_rn(float a, float b) {
  float r;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
FERMATA_DEVICE float __nv_fsub_rn(float a, float b) {
  float r;
  asm("sub.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
FERMATA_DEVICE float __nv_fmul_rn(float a, float b) {
  float r;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
FERMATA_DEVICE float __nv_fdiv_rn(float a, float b) {
  float r;
  asm("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
FERMATA_DEVICE float __nv_frcp_rn(float a) {
  float r;
  asm("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
FERMATA_DEVICE float __nv_fsqrt_rn(float a) {
  float r;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
FERMATA_DEVICE float __nv_fmaf_rn(float a, float b, float c) {
  return __nvvm_fma_rn_f(a, b, c);
}
FERMATA_DEVICE float __nv_fadd_rz(float a, float b) {
  return __nvvm_add_rz_f(a, b);
}
FERMATA_DEVICE float __nv_fsub_rz(float a, float b) {
  return __nvvm_add_rz_f(a, -b);
}
FERMATA_DEVICE float __nv_fmul_rz(float a, float b) {
  return __nvvm_mul_rz_f(a, b);
}
FERMATA_DEVICE float __nv_fdiv_rz(float a, float b) {
  return __nvvm_div_rz_f(a, b);
}
FERMATA_DEVICE float __nv_frcp_rz(float a) {
  return __nvvm_rcp_rz_f(a);
}
FERMATA_DEVICE float __nv_fsqrt_rz(float a) {
  return __nvvm_sqrt_rz_f(a);
}
FERMATA_DEVICE float __nv_fmaf_rz(float a, float b, float c) {
  return __nvvm_fma_rz_f(a, b, c);
}
FERMATA_DEVICE float __nv_fadd_ru(float a, float b) {
  return __nvvm_add_rp_f(a, b);
}
FERMATA_DEVICE float __nv_fsub_ru(float a, float b) {
  return __nvvm_add_rp_f(a, -b);
}
FERMATA_DEVICE float __nv_fmul_ru(float a, float b) {
  return __nvvm_mul_rp_f(a, b);
}
FERMATA_DEVICE float __nv_fdiv_ru(float a, float b) {
  return __nvvm_div_rp_f(a, b);
}
FERMATA_DEVICE float __nv_frcp_ru(float a) {
  return __nvvm_rcp_rp_f(a);
}
FERMATA_DEVICE float __nv_fsqrt_ru(float a) {
  return __nvvm_sqrt_rp_f(a);
}
FERMATA_DEVICE float __nv_fmaf_ru(float a, float b, float c) {
  return __nvvm_fma_rp_f(a, b, c);
}
FERMATA_DEVICE float __nv_fadd_rd(float a, float b) {
  return __nvvm_add_rm_f(a, b);
}
FERMATA_DEVICE float __nv_fsub_rd(float a, float b) {
  return __nvvm_add_rm_f(a, -b);
}
FERMATA_DEVICE float __nv_fmul_rd(float a, float b) {
  return __nvvm_mul_rm_f(a, b);
}
FERMATA_DEVICE float __nv_fdiv_rd(float a, float b) {
  return __nvvm_div_rm_f(a, b);
}
FERMATA_DEVICE float __nv_frcp_rd(float a) {
  return __nvvm_rcp_rm_f(a);
}
FERMATA_DEVICE float __nv_fsqrt_rd(float a) {
  return __nvvm_sqrt_rm_f(a);
}
FERMATA_DEVICE float __nv_fmaf_rd(float a, float b, float c) {
  return __nvvm_fma_rm_f(a, b, c);
}
FERMATA_DEVICE double __nv_dadd_rn(double a, double b) {
  double r;
  asm("add.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
FERMATA_DEVICE double __nv_dsub_rn(double a, double b) {
  double r;
  asm("sub.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
FERMATA_DEVICE double __nv_dmul_rn(double a, double b) {
  double r;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
FERMATA_DEVICE double __nv_ddiv_rn(double a, double b) {
  double r;
  asm("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
FERMATA_DEVICE double __nv_drcp_rn(double a) {
  double r;
  asm("rcp.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
  return r;
}
FERMATA_DEVICE double __nv_dsqrt_rn(double a) {
  double r;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
  return r;
}
FERMATA_DEVICE double __nv_fma_rn(double a, double b, double c) {
  return __nvvm_fma_rn_d(a, b, c);
}
FERMATA_DEVICE double __nv_dadd_rz(double a, double b) {
  return __nvvm_add_rz_d(a, b);
}
FERMATA_DEVICE double __nv_dsub_rz(double a, double b) {
  return __nvvm_add_rz_d(a, -b);
}
FERMATA_DEVICE double __nv_dmul_rz(double a, double b) {
  return __nvvm_mul_rz_d(a, b);
}
FERMATA_DEVICE double __nv_ddiv_rz(double a, double b) {
  return __nvvm_div_rz_d(a, b);
}
FERMATA_DEVICE double __nv_drcp_rz(double a) {
  return __nvvm_rcp_rz_d(a);
}
FERMATA_DEVICE double __nv_dsqrt_rz(double a) {
  return __nvvm_sqrt_rz_d(a);
}
FERMATA_DEVICE double __nv_fma_rz(double a, double b, double c) {
  return __nvvm_fma_rz_d(a, b, c);
}
FERMATA_DEVICE double __nv_dadd_ru(double a, double b) {
  return __nvvm_add_rp_d(a, b);
}
FERMATA_DEVICE double __nv_dsub_ru(double a, double b) {
  return __nvvm_add_rp_d(a, -b);
}
FERMATA_DEVICE double __nv_dmul_ru(double a, double b) {
  return __nvvm_mul_rp_d(a, b);
}
FERMATA_DEVICE double __nv_ddiv_ru(double a, double b) {
  return __nvvm_div_rp_d(a, b);
}
FERMATA_DEVICE double __nv_drcp_ru(double a) {
  return __nvvm_rcp_rp_d(a);
}
FERMATA_DEVICE double __nv_dsqrt_ru(double a) {
  return __nvvm_sqrt_rp_d(a);
}
FERMATA_DEVICE double __nv_fma_ru(double a, double b, double c) {
  return __nvvm_fma_rp_d(a, b, c);
}
FERMATA_DEVICE double __nv_dadd_rd(double a, double b) {
  return __nvvm_add_rm_d(a, b);
}
FERMATA_DEVICE double __nv_dsub_rd(double a, double b) {
  return __nvvm_add_rm_d(a, -b);
}
FERMATA_DEVICE double __nv_dmul_rd(double a, double b) {
  return __nvvm_mul_rm_d(a, b);
}
FERMATA_DEVICE double __nv_ddiv_rd(double a, double b) {
  return __nvvm_div_rm_d(a, b);
}
FERMATA_DEVICE double __nv_drcp_rd(double a) {
  return __nvvm_rcp_rm_d(a);
}
FERMATA_DEVICE double __nv_dsqrt_rd(double a) {
  return __nvvm_sqrt_rm_d(a);
}
FERMATA_DEVICE double __nv_fma_rd(double a, double b, double c) {
  return __nvvm_fma_rm_d(a, b, c);
}
FERMATA_DEVICE float __nv_fmaf_ieee_rn(float a, float b, float c) {
  return __nvvm_fma_rn_f(a, b, c);
}
FERMATA_DEVICE float __nv_fmaf_ieee_rz(float a, float b, float c) {
  return __nvvm_fma_rz_f(a, b, c);
}
FERMATA_DEVICE float __nv_fmaf_ieee_ru(float a, float b, float c) {
  return __nvvm_fma_rp_f(a, b, c);
}
FERMATA_DEVICE float __nv_fmaf_ieee_rd(float a, float b, float c) {
  return __nvvm_fma_rm_f(a, b, c);
}
