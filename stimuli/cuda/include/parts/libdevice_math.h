// Elementary functions by the names of NVIDIA's libdevice, which the compiler's CUDA headers call.
#pragma once

#include "../math/error_functions.h"
#include "../math/hyperbolic.h"
#include "../math/inverse.h"
#include "../math/roots.h"
#include "libdevice_fast.h"
#include "libdevice_rare.h"

// Under -use_fast_math some functions of floats return the special function unit's results, as CUDA
// lists them. The compiler's own headers choose sines, cosines, logf and log2f.
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
#define FERMATA_FAST_OR(fast, slow) fast
#else
#define FERMATA_FAST_OR(fast, slow) slow
#endif

#define FERMATA_MATH_1(name)                                                  \
  FERMATA_BOTH double __nv_##name(double a) { return fermata_math::name(a); } \
  FERMATA_BOTH float __nv_##name##f(float a) { return fermata_math::name(a); }
#define FERMATA_MATH_1_FAST(name)                                             \
  FERMATA_BOTH double __nv_##name(double a) { return fermata_math::name(a); } \
  FERMATA_BOTH float __nv_##name##f(float a) {                                \
    return FERMATA_FAST_OR(__nv_fast_##name##f(a), fermata_math::name(a));    \
  }
#define FERMATA_MATH_2(name)                                                               \
  FERMATA_BOTH double __nv_##name(double a, double b) { return fermata_math::name(a, b); } \
  FERMATA_BOTH float __nv_##name##f(float a, float b) { return fermata_math::name(a, b); }
// Defines functions with other argument lists; `f` ends the names of floats' functions.
#define FERMATA_MATH(T, f)                                                                         \
  FERMATA_BOTH void __nv_sincos##f(T a, T* s, T* c) { fermata_math::sincos(a, s, c); }             \
  FERMATA_BOTH void __nv_sincospi##f(T a, T* s, T* c) {                                            \
    *s = fermata_math::sinpi(a);                                                                   \
    *c = fermata_math::cospi(a);                                                                   \
  }                                                                                                \
  FERMATA_BOTH T __nv_remquo##f(T a, T b, int* quotient) {                                         \
    return fermata_math::remquo(a, b, quotient);                                                   \
  }                                                                                                \
  FERMATA_BOTH T __nv_frexp##f(T a, int* exponent) { return fermata_math::frexp(a, exponent); }    \
  FERMATA_BOTH T __nv_modf##f(T a, T* whole) { return fermata_math::modf(a, whole); }              \
  FERMATA_BOTH T __nv_ldexp##f(T a, int n) { return fermata_math::ldexp(a, n); }                   \
  FERMATA_BOTH T __nv_scalbn##f(T a, int n) { return fermata_math::ldexp(a, n); }                  \
  FERMATA_BOTH int __nv_ilogb##f(T a) { return fermata_math::ilogb(a); }                           \
  FERMATA_BOTH T __nv_powi##f(T a, int n) { return fermata_math::pow(a, static_cast<T>(n)); }      \
  FERMATA_BOTH T __nv_hypot##f(T a, T b) { return fermata_math::length(a, b, T(0), T(0), false); } \
  FERMATA_BOTH T __nv_rhypot##f(T a, T b) { return fermata_math::length(a, b, T(0), T(0), true); } \
  FERMATA_BOTH T __nv_norm3d##f(T a, T b, T c) {                                                   \
    return fermata_math::length(a, b, c, T(0), false);                                             \
  }                                                                                                \
  FERMATA_BOTH T __nv_rnorm3d##f(T a, T b, T c) {                                                  \
    return fermata_math::length(a, b, c, T(0), true);                                              \
  }                                                                                                \
  FERMATA_BOTH T __nv_norm4d##f(T a, T b, T c, T d) {                                              \
    return fermata_math::length(a, b, c, d, false);                                                \
  }                                                                                                \
  FERMATA_BOTH T __nv_rnorm4d##f(T a, T b, T c, T d) {                                             \
    return fermata_math::length(a, b, c, d, true);                                                 \
  }                                                                                                \
  FERMATA_BOTH T __nv_norm##f(int n, const T* a) { return fermata_math::lengthOf(n, a, false); }   \
  FERMATA_BOTH T __nv_rnorm##f(int n, const T* a) { return fermata_math::lengthOf(n, a, true); }   \
  FERMATA_DEVICE T __nv_nan##f(const signed char*) { return fermata_math::notANumber(T(0)); }

FERMATA_MATH_1_FAST(exp)
FERMATA_MATH_1(exp2)
FERMATA_MATH_1_FAST(exp10)
FERMATA_MATH_1(expm1)
FERMATA_MATH_1(log)
FERMATA_MATH_1(log2)
FERMATA_MATH_1_FAST(log10)
FERMATA_MATH_1(log1p)
FERMATA_MATH_1(sin)
FERMATA_MATH_1(cos)
FERMATA_MATH_1_FAST(tan)
FERMATA_MATH_1(sinpi)
FERMATA_MATH_1(cospi)
FERMATA_MATH_1(asin)
FERMATA_MATH_1(acos)
FERMATA_MATH_1(atan)
FERMATA_MATH_1(asinh)
FERMATA_MATH_1(acosh)
FERMATA_MATH_1(atanh)
FERMATA_MATH_1(sinh)
FERMATA_MATH_1(cosh)
FERMATA_MATH_1(tanh)
FERMATA_MATH_1(cbrt)
FERMATA_MATH_1(rcbrt)
FERMATA_MATH_1(logb)
FERMATA_MATH_1(erf)
FERMATA_MATH_1(erfc)
FERMATA_MATH_2(atan2)
FERMATA_MATH_2(fmod)
FERMATA_MATH_2(remainder)
FERMATA_MATH_2(nextafter)
FERMATA_MATH(double, )
FERMATA_MATH(float, f)
FERMATA_BOTH double __nv_rsqrt(double a) { return fermata_math::rsqrt(a); }
FERMATA_BOTH double __nv_pow(double a, double b) { return fermata_math::pow(a, b); }
FERMATA_BOTH float __nv_powf(float a, float b) {
  return FERMATA_FAST_OR(__nv_fast_powf(a, b), fermata_math::pow(a, b));
}

#undef FERMATA_MATH
#undef FERMATA_MATH_2
#undef FERMATA_MATH_1_FAST
#undef FERMATA_MATH_1
#undef FERMATA_FAST_OR
