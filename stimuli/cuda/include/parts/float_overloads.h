// Float overloads of the doubles' names, in kernels: clang's headers declare them and leave the
// definitions to the toolkit.
#pragma once

#include "device_words.h"

#define FERMATA_FLOAT_1(result, name) \
  FERMATA_DEVICE result name(float a) { return ::name##f(a); }
#define FERMATA_FLOAT_2(name) \
  FERMATA_DEVICE float name(float a, float b) { return ::name##f(a, b); }
FERMATA_FLOAT_1(float, acosh)
FERMATA_FLOAT_1(float, asinh)
FERMATA_FLOAT_1(float, atanh)
FERMATA_FLOAT_1(float, cbrt)
FERMATA_FLOAT_1(float, erf)
FERMATA_FLOAT_1(float, erfc)
FERMATA_FLOAT_1(float, exp2)
FERMATA_FLOAT_1(float, expm1)
FERMATA_FLOAT_1(float, lgamma)
FERMATA_FLOAT_1(float, log1p)
FERMATA_FLOAT_1(float, log2)
FERMATA_FLOAT_1(float, logb)
FERMATA_FLOAT_1(float, nearbyint)
FERMATA_FLOAT_1(float, rint)
FERMATA_FLOAT_1(float, round)
FERMATA_FLOAT_1(float, tgamma)
FERMATA_FLOAT_1(float, trunc)
FERMATA_FLOAT_1(int, ilogb)
FERMATA_FLOAT_1(long, lrint)
FERMATA_FLOAT_1(long, lround)
FERMATA_FLOAT_1(long long, llrint)
FERMATA_FLOAT_1(long long, llround)
FERMATA_FLOAT_2(copysign)
FERMATA_FLOAT_2(fdim)
FERMATA_FLOAT_2(fmax)
FERMATA_FLOAT_2(fmin)
FERMATA_FLOAT_2(hypot)
FERMATA_FLOAT_2(nextafter)
FERMATA_FLOAT_2(remainder)
#undef FERMATA_FLOAT_1
#undef FERMATA_FLOAT_2
FERMATA_DEVICE float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
FERMATA_DEVICE float remquo(float a, float b, int* quotient) { return ::remquof(a, b, quotient); }
FERMATA_DEVICE float scalbn(float a, int power) { return ::scalbnf(a, power); }
FERMATA_DEVICE float scalbln(float a, long power) { return ::scalblnf(a, power); }
// Returns the quiet NaN; CUDA's nan() ignores the payload, too.
FERMATA_DEVICE double nan(const char*) { return __builtin_nan(""); }
FERMATA_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
