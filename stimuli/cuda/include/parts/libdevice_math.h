// Elementary functions by the names of NVIDIA's libdevice, which the compiler's CUDA headers call.
#pragma once

#include "../math/error_functions.h"
#include "../math/hyperbolic.h"
#include "../math/inverse.h"
#include "../math/roots.h"
#include "libdevice_rare.h"

FERMATA_BOTH double __nv_exp(double a) {
  return fermata_math::exp(a);
}
FERMATA_BOTH double __nv_exp2(double a) {
  return fermata_math::exp2(a);
}
FERMATA_BOTH double __nv_exp10(double a) {
  return fermata_math::exp10(a);
}
FERMATA_BOTH double __nv_expm1(double a) {
  return fermata_math::expm1(a);
}
FERMATA_BOTH double __nv_log(double a) {
  return fermata_math::log(a);
}
FERMATA_BOTH double __nv_log2(double a) {
  return fermata_math::log2(a);
}
FERMATA_BOTH double __nv_log10(double a) {
  return fermata_math::log10(a);
}
FERMATA_BOTH double __nv_log1p(double a) {
  return fermata_math::log1p(a);
}
FERMATA_BOTH double __nv_sin(double a) {
  return fermata_math::sin(a);
}
FERMATA_BOTH double __nv_cos(double a) {
  return fermata_math::cos(a);
}
FERMATA_BOTH double __nv_tan(double a) {
  return fermata_math::tan(a);
}
FERMATA_BOTH double __nv_sinpi(double a) {
  return fermata_math::sinpi(a);
}
FERMATA_BOTH double __nv_cospi(double a) {
  return fermata_math::cospi(a);
}
FERMATA_BOTH double __nv_asin(double a) {
  return fermata_math::asin(a);
}
FERMATA_BOTH double __nv_acos(double a) {
  return fermata_math::acos(a);
}
FERMATA_BOTH double __nv_atan(double a) {
  return fermata_math::atan(a);
}
FERMATA_BOTH double __nv_asinh(double a) {
  return fermata_math::asinh(a);
}
FERMATA_BOTH double __nv_acosh(double a) {
  return fermata_math::acosh(a);
}
FERMATA_BOTH double __nv_atanh(double a) {
  return fermata_math::atanh(a);
}
FERMATA_BOTH double __nv_sinh(double a) {
  return fermata_math::sinh(a);
}
FERMATA_BOTH double __nv_cosh(double a) {
  return fermata_math::cosh(a);
}
FERMATA_BOTH double __nv_tanh(double a) {
  return fermata_math::tanh(a);
}
FERMATA_BOTH double __nv_cbrt(double a) {
  return fermata_math::cbrt(a);
}
FERMATA_BOTH double __nv_rcbrt(double a) {
  return fermata_math::rcbrt(a);
}
FERMATA_BOTH double __nv_logb(double a) {
  return fermata_math::logb(a);
}
FERMATA_BOTH double __nv_pow(double a, double b) {
  return fermata_math::pow(a, b);
}
FERMATA_BOTH double __nv_atan2(double a, double b) {
  return fermata_math::atan2(a, b);
}
FERMATA_BOTH double __nv_fmod(double a, double b) {
  return fermata_math::fmod(a, b);
}
FERMATA_BOTH double __nv_remainder(double a, double b) {
  return fermata_math::remainder(a, b);
}
FERMATA_BOTH double __nv_nextafter(double a, double b) {
  return fermata_math::nextafter(a, b);
}
FERMATA_BOTH void __nv_sincos(double a, double* s, double* c) {
  fermata_math::sincos(a, s, c);
}
FERMATA_BOTH void __nv_sincospi(double a, double* s, double* c) {
  *s = fermata_math::sinpi(a);
  *c = fermata_math::cospi(a);
}
FERMATA_BOTH double __nv_remquo(double a, double b, int* quotient) {
  return fermata_math::remquo(a, b, quotient);
}
FERMATA_BOTH double __nv_frexp(double a, int* exponent) {
  return fermata_math::frexp(a, exponent);
}
FERMATA_BOTH double __nv_modf(double a, double* whole) {
  return fermata_math::modf(a, whole);
}
FERMATA_BOTH double __nv_ldexp(double a, int n) {
  return fermata_math::ldexp(a, n);
}
FERMATA_BOTH double __nv_scalbn(double a, int n) {
  return fermata_math::ldexp(a, n);
}
FERMATA_BOTH int __nv_ilogb(double a) {
  return fermata_math::ilogb(a);
}
FERMATA_BOTH double __nv_powi(double a, int n) {
  return fermata_math::pow(a, static_cast<double>(n));
}
FERMATA_BOTH double __nv_hypot(double a, double b) {
  return fermata_math::length(a, b, double(0), double(0), false);
}
FERMATA_BOTH double __nv_rhypot(double a, double b) {
  return fermata_math::length(a, b, double(0), double(0), true);
}
FERMATA_BOTH double __nv_norm3d(double a, double b, double c) {
  return fermata_math::length(a, b, c, double(0), false);
}
FERMATA_BOTH double __nv_rnorm3d(double a, double b, double c) {
  return fermata_math::length(a, b, c, double(0), true);
}
FERMATA_BOTH double __nv_norm4d(double a, double b, double c, double d) {
  return fermata_math::length(a, b, c, d, false);
}
FERMATA_BOTH double __nv_rnorm4d(double a, double b, double c, double d) {
  return fermata_math::length(a, b, c, d, true);
}
FERMATA_BOTH double __nv_norm(int n, const double* a) {
  return fermata_math::lengthOf(n, a, false);
}
FERMATA_BOTH double __nv_rnorm(int n, const double* a) {
  return fermata_math::lengthOf(n, a, true);
}
FERMATA_BOTH float __nv_expf(float a) {
  return fermata_math::exp(a);
}
FERMATA_BOTH float __nv_exp2f(float a) {
  return fermata_math::exp2(a);
}
FERMATA_BOTH float __nv_exp10f(float a) {
  return fermata_math::exp10(a);
}
FERMATA_BOTH float __nv_expm1f(float a) {
  return fermata_math::expm1(a);
}
FERMATA_BOTH float __nv_logf(float a) {
  return fermata_math::log(a);
}
FERMATA_BOTH float __nv_log2f(float a) {
  return fermata_math::log2(a);
}
FERMATA_BOTH float __nv_log10f(float a) {
  return fermata_math::log10(a);
}
FERMATA_BOTH float __nv_log1pf(float a) {
  return fermata_math::log1p(a);
}
FERMATA_BOTH float __nv_sinf(float a) {
  return fermata_math::sin(a);
}
FERMATA_BOTH float __nv_cosf(float a) {
  return fermata_math::cos(a);
}
FERMATA_BOTH float __nv_tanf(float a) {
  return fermata_math::tan(a);
}
FERMATA_BOTH float __nv_sinpif(float a) {
  return fermata_math::sinpi(a);
}
FERMATA_BOTH float __nv_cospif(float a) {
  return fermata_math::cospi(a);
}
FERMATA_BOTH float __nv_asinf(float a) {
  return fermata_math::asin(a);
}
FERMATA_BOTH float __nv_acosf(float a) {
  return fermata_math::acos(a);
}
FERMATA_BOTH float __nv_atanf(float a) {
  return fermata_math::atan(a);
}
FERMATA_BOTH float __nv_asinhf(float a) {
  return fermata_math::asinh(a);
}
FERMATA_BOTH float __nv_acoshf(float a) {
  return fermata_math::acosh(a);
}
FERMATA_BOTH float __nv_atanhf(float a) {
  return fermata_math::atanh(a);
}
FERMATA_BOTH float __nv_sinhf(float a) {
  return fermata_math::sinh(a);
}
FERMATA_BOTH float __nv_coshf(float a) {
  return fermata_math::cosh(a);
}
FERMATA_BOTH float __nv_tanhf(float a) {
  return fermata_math::tanh(a);
}
FERMATA_BOTH float __nv_cbrtf(float a) {
  return fermata_math::cbrt(a);
}
FERMATA_BOTH float __nv_rcbrtf(float a) {
  return fermata_math::rcbrt(a);
}
FERMATA_BOTH float __nv_logbf(float a) {
  return fermata_math::logb(a);
}
FERMATA_BOTH float __nv_powf(float a, float b) {
  return fermata_math::pow(a, b);
}
FERMATA_BOTH float __nv_atan2f(float a, float b) {
  return fermata_math::atan2(a, b);
}
FERMATA_BOTH float __nv_fmodf(float a, float b) {
  return fermata_math::fmod(a, b);
}
FERMATA_BOTH float __nv_remainderf(float a, float b) {
  return fermata_math::remainder(a, b);
}
FERMATA_BOTH float __nv_nextafterf(float a, float b) {
  return fermata_math::nextafter(a, b);
}
FERMATA_BOTH void __nv_sincosf(float a, float* s, float* c) {
  fermata_math::sincos(a, s, c);
}
FERMATA_BOTH void __nv_sincospif(float a, float* s, float* c) {
  *s = fermata_math::sinpi(a);
  *c = fermata_math::cospi(a);
}
FERMATA_BOTH float __nv_remquof(float a, float b, int* quotient) {
  return fermata_math::remquo(a, b, quotient);
}
FERMATA_BOTH float __nv_frexpf(float a, int* exponent) {
  return fermata_math::frexp(a, exponent);
}
FERMATA_BOTH float __nv_modff(float a, float* whole) {
  return fermata_math::modf(a, whole);
}
FERMATA_BOTH float __nv_ldexpf(float a, int n) {
  return fermata_math::ldexp(a, n);
}
FERMATA_BOTH float __nv_scalbnf(float a, int n) {
  return fermata_math::ldexp(a, n);
}
FERMATA_BOTH int __nv_ilogbf(float a) {
  return fermata_math::ilogb(a);
}
FERMATA_BOTH float __nv_powif(float a, int n) {
  return fermata_math::pow(a, static_cast<float>(n));
}
FERMATA_BOTH float __nv_hypotf(float a, float b) {
  return fermata_math::length(a, b, float(0), float(0), false);
}
FERMATA_BOTH float __nv_rhypotf(float a, float b) {
  return fermata_math::length(a, b, float(0), float(0), true);
}
FERMATA_BOTH float __nv_norm3df(float a, float b, float c) {
  return fermata_math::length(a, b, c, float(0), false);
}
FERMATA_BOTH float __nv_rnorm3df(float a, float b, float c) {
  return fermata_math::length(a, b, c, float(0), true);
}
FERMATA_BOTH float __nv_norm4df(float a, float b, float c, float d) {
  return fermata_math::length(a, b, c, d, false);
}
FERMATA_BOTH float __nv_rnorm4df(float a, float b, float c, float d) {
  return fermata_math::length(a, b, c, d, true);
}
FERMATA_BOTH float __nv_normf(int n, const float* a) {
  return fermata_math::lengthOf(n, a, false);
}
FERMATA_BOTH float __nv_rnormf(int n, const float* a) {
  return fermata_math::lengthOf(n, a, true);
}
FERMATA_BOTH double __nv_rsqrt(double a) {
  return fermata_math::rsqrt(a);
}
FERMATA_BOTH double __nv_erf(double a) {
  return fermata_math::erf(a);
}
FERMATA_BOTH float __nv_erff(float a) {
  return fermata_math::erf(a);
}
FERMATA_BOTH double __nv_erfc(double a) {
  return fermata_math::erfc(a);
}
FERMATA_BOTH float __nv_erfcf(float a) {
  return fermata_math::erfc(a);
}

FERMATA_DEVICE double __nv_nan(const signed char*) {
  return fermata_math::notANumber(0.0);
}
FERMATA_DEVICE float __nv_nanf(const signed char*) {
  return fermata_math::notANumber(0.0f);
}
