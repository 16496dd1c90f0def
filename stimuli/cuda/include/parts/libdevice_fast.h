// Results of the special function unit itself: __sinf and the like, rsqrtf.
#pragma once

#include "device_words.h"

#if defined(FERMATA_FLUSH_DENORMALS) && defined(__CUDA_ARCH__)
#define FERMATA_UNIT(operation) __nvvm_##operation##_ftz_f
#else
#define FERMATA_UNIT(operation) __nvvm_##operation##_f
#endif

FERMATA_DEVICE float __nv_rsqrtf(float a) { return FERMATA_UNIT(rsqrt_approx)(a); }
/// Returns 1 / sqrt(a), rounded once: the unit's result plus a correction.
FERMATA_DEVICE float __nv_frsqrt_rn(float a) {
  if (!(a > 0.0f && a < __builtin_inff())) return FERMATA_UNIT(rsqrt_approx)(a);
  return static_cast<float>(1.0 / __nvvm_sqrt_rn_d(a));
}
FERMATA_DEVICE float __nv_fast_sinf(float a) { return FERMATA_UNIT(sin_approx)(a); }
FERMATA_DEVICE float __nv_fast_cosf(float a) { return FERMATA_UNIT(cos_approx)(a); }
FERMATA_DEVICE void __nv_fast_sincosf(float a, float* s, float* c) {
  *s = FERMATA_UNIT(sin_approx)(a);
  *c = FERMATA_UNIT(cos_approx)(a);
}
FERMATA_DEVICE float __nv_fast_fdividef(float a, float b) { return FERMATA_UNIT(div_approx)(a, b); }
FERMATA_DEVICE float __nv_fast_tanf(float a) {
  return FERMATA_UNIT(div_approx)(FERMATA_UNIT(sin_approx)(a), FERMATA_UNIT(cos_approx)(a));
}
FERMATA_DEVICE float __nv_fast_expf(float a) {
  return FERMATA_UNIT(ex2_approx)(FERMATA_UNIT(mul_rn)(a, 0x1.715476p0f));
}
FERMATA_DEVICE float __nv_fast_exp10f(float a) {
  return FERMATA_UNIT(ex2_approx)(FERMATA_UNIT(mul_rn)(a, 0x1.a934fp1f));
}
FERMATA_DEVICE float __nv_fast_log2f(float a) { return FERMATA_UNIT(lg2_approx)(a); }
FERMATA_DEVICE float __nv_fast_logf(float a) {
  return FERMATA_UNIT(mul_rn)(FERMATA_UNIT(lg2_approx)(a), 0x1.62e43p-1f);
}
FERMATA_DEVICE float __nv_fast_log10f(float a) {
  return FERMATA_UNIT(mul_rn)(FERMATA_UNIT(lg2_approx)(a), 0x1.344136p-2f);
}
FERMATA_DEVICE float __nv_fast_powf(float a, float b) {
  return FERMATA_UNIT(ex2_approx)(FERMATA_UNIT(mul_rn)(b, FERMATA_UNIT(lg2_approx)(a)));
}

#undef FERMATA_UNIT
