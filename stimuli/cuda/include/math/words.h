// Building blocks of the elementary functions, on the host and the device. Each is exact or rounds
// once. No product is fused with a sum except by fma, so that results do not depend on how the
// compiler contracts.
#pragma once

#include "../parts/device_words.h"

#if defined(__CUDA__) || defined(FERMATA_CUDA_LANGUAGE)
#define FERMATA_BOTH \
  static __attribute__((host, device)) __inline__ __attribute__((always_inline, nodebug, unused))
/// Declares long or rare functions: the compiler decides whether to inline them.
#define FERMATA_BOTH_LONG static __attribute__((host, device)) __attribute__((nodebug, unused))
#else  // a plain host compiler
#define FERMATA_BOTH static inline __attribute__((always_inline, unused))
#define FERMATA_BOTH_LONG static __attribute__((unused))
#endif

namespace fermata_math {

FERMATA_BOTH unsigned long long bits(double a) { return __builtin_bit_cast(unsigned long long, a); }
FERMATA_BOTH unsigned bits(float a) { return __builtin_bit_cast(unsigned, a); }
FERMATA_BOTH double number(unsigned long long a) { return __builtin_bit_cast(double, a); }
FERMATA_BOTH float number(unsigned a) { return __builtin_bit_cast(float, a); }
FERMATA_BOTH int high(double a) { return static_cast<int>(bits(a) >> 32); }

FERMATA_BOTH double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
FERMATA_BOTH float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
// Define operations that round once: on the device by assembly, since the optimiser treats the
// builtins as any operation and fuses them.
#ifdef __CUDA_ARCH__
#define FERMATA_ROUNDED_1(T, name, value, instruction, letter) \
  FERMATA_BOTH T name(T a) {                                   \
    T r;                                                       \
    asm(instruction " %0, %1;" : "=" letter(r) : letter(a));   \
    return r;                                                  \
  }
#define FERMATA_ROUNDED_2(T, name, value, instruction, letter)              \
  FERMATA_BOTH T name(T a, T b) {                                           \
    T r;                                                                    \
    asm(instruction " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b)); \
    return r;                                                               \
  }
#else
#define FERMATA_ROUNDED_1(T, name, value, instruction, letter) \
  FERMATA_BOTH T name(T a) { return value; }
#define FERMATA_ROUNDED_2(T, name, value, instruction, letter) \
  FERMATA_BOTH T name(T a, T b) { return value; }
#endif
FERMATA_ROUNDED_2(double, mul, a* b, "mul.rn.f64", "d")
FERMATA_ROUNDED_2(float, mul, a* b, "mul.rn" FERMATA_FTZ ".f32", "f")
FERMATA_ROUNDED_2(double, divide, a / b, "div.rn.f64", "d")
FERMATA_ROUNDED_2(float, divide, a / b, "div.rn" FERMATA_FTZ ".f32", "f")
FERMATA_ROUNDED_1(double, root, __builtin_sqrt(a), "sqrt.rn.f64", "d")
FERMATA_ROUNDED_1(float, root, __builtin_sqrtf(a), "sqrt.rn" FERMATA_FTZ ".f32", "f")
#undef FERMATA_ROUNDED_1
#undef FERMATA_ROUNDED_2
FERMATA_BOTH double nearest(double a) { return __builtin_rint(a); }
FERMATA_BOTH float nearest(float a) { return __builtin_rintf(a); }
FERMATA_BOTH double magnitude(double a) { return __builtin_fabs(a); }
FERMATA_BOTH float magnitude(float a) { return __builtin_fabsf(a); }
FERMATA_BOTH double signed_as(double a, double sign) { return __builtin_copysign(a, sign); }
FERMATA_BOTH float signed_as(float a, float sign) { return __builtin_copysignf(a, sign); }
FERMATA_BOTH double infinity(double) { return __builtin_inf(); }
FERMATA_BOTH float infinity(float) { return __builtin_inff(); }
FERMATA_BOTH double notANumber(double) { return number(0x7ff8000000000000ull); }
FERMATA_BOTH float notANumber(float) {
  return number(0x7fffffffu);  // the NaN of CUDA
}
template <class T>
FERMATA_BOTH bool isNan(T a) {
  return !(a == a);
}
template <class T>
FERMATA_BOTH bool isInfinite(T a) {
  return magnitude(a) == infinity(a);
}

/// Returns c0 + c1 x + c2 x^2 ...
template <class T>
FERMATA_BOTH T poly(T, T c) {
  return c;
}
template <class T, class... Rest>
FERMATA_BOTH T poly(T x, T c, Rest... rest) {
  return fma(poly(x, rest...), x, c);
}

/// The unrounded sum of two numbers, the second much smaller.
template <class T>
struct Two {
  T hi, lo;
};
/// Returns a + b, for |a| >= |b| or a of 0.
template <class T>
FERMATA_BOTH Two<T> sumOrdered(T a, T b) {
  const T s = a + b;
  return {s, b - (s - a)};
}
template <class T>
FERMATA_BOTH Two<T> sum(T a, T b) {
  const T s = a + b;
  const T part = s - a;
  return {s, (a - (s - part)) + (b - part)};
}
template <class T>
FERMATA_BOTH Two<T> product(T a, T b) {
  const T p = mul(a, b);
  return {p, fma(a, b, -p)};
}

/// Returns 2^n for n in the range of normal numbers.
FERMATA_BOTH double powerOfTwo(double, int n) {
  return number(static_cast<unsigned long long>(n + 1023) << 52);
}
FERMATA_BOTH float powerOfTwo(float, int n) { return number(static_cast<unsigned>(n + 127) << 23); }
/// Returns a * 2^n, rounded once, for a about 1 and |n| up to twice the range of exponents.
template <class T>
FERMATA_BOTH T scaled(T a, int n) {
  const int half = n / 2;
  return mul(mul(a, powerOfTwo(a, half)), powerOfTwo(a, n - half));
}

}  // namespace fermata_math
