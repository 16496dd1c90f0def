// The special function unit's own results: __sinf and the like, rsqrtf.
#pragma once

#include "device_words.h"

FERMATA_DEVICE float __nv_rsqrtf(float a) {
  return __nvvm_rsqrt_approx_f(a);
}
/// 1 / sqrt(a), rounded once: from the unit's result and what it lacks.
FERMATA_DEVICE float __nv_frsqrt_rn(float a) {
  if (!(a > 0.0f && a < __builtin_inff())) return __nvvm_rsqrt_approx_f(a);
  return static_cast<float>(1.0 / __nvvm_sqrt_rn_d(a));
}
FERMATA_DEVICE float __nv_fast_sinf(float a) {
  return __nvvm_sin_approx_f(a);
}
FERMATA_DEVICE float __nv_fast_cosf(float a) {
  return __nvvm_cos_approx_f(a);
}
FERMATA_DEVICE void __nv_fast_sincosf(float a, float* s, float* c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}
FERMATA_DEVICE float __nv_fast_fdividef(float a, float b) {
  return __nvvm_div_approx_f(a, b);
}
FERMATA_DEVICE float __nv_fast_tanf(float a) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
FERMATA_DEVICE float __nv_fast_expf(float a) {
  return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(a, 0x1.715476p0f));
}
FERMATA_DEVICE float __nv_fast_exp10f(float a) {
  return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(a, 0x1.a934fp1f));
}
FERMATA_DEVICE float __nv_fast_log2f(float a) {
  return __nvvm_lg2_approx_f(a);
}
FERMATA_DEVICE float __nv_fast_logf(float a) {
  return __nvvm_mul_rn_f(__nvvm_lg2_approx_f(a), 0x1.62e43p-1f);
}
FERMATA_DEVICE float __nv_fast_log10f(float a) {
  return __nvvm_mul_rn_f(__nvvm_lg2_approx_f(a), 0x1.344136p-2f);
}
FERMATA_DEVICE float __nv_fast_powf(float a, float b) {
  return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(b, __nvvm_lg2_approx_f(a)));
}
