// Exponents, neighbours and remainders, all exact.
#pragma once

#include "words.h"

namespace fermata_math {

/// Splits x into fraction * 2^exponent, fraction from 1/2 to 1. Returns x and exponent 0 if it has
/// none (0, infinity, NaN).
FERMATA_BOTH double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0.0 || !(magnitude(x) < infinity(x))) return x;
  int extra = 0;
  if (magnitude(x) < 0x1p-1022) {
    x = mul(x, 0x1p54);
    extra = -54;
  }
  *exponent = (high(x) >> 20 & 0x7ff) - 1022 + extra;
  return number((bits(x) & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
FERMATA_BOTH float frexp(float x, int* exponent) {
  *exponent = 0;
  if (x == 0.0f || !(magnitude(x) < infinity(x))) return x;
  int extra = 0;
  if (magnitude(x) < 0x1p-126f) {
    x = mul(x, 0x1p25f);
    extra = -25;
  }
  *exponent = static_cast<int>(bits(x) >> 23 & 0xff) - 126 + extra;
  return number((bits(x) & 0x807fffffu) | 0x3f000000u);
}
/// Returns x * 2^n, rounded once.
FERMATA_BOTH double ldexp(double x, int n) {
  int e;
  const double m = frexp(x, &e);
  if (x == 0.0 || !(magnitude(x) < infinity(x))) return x;
  n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
  const int total = n + e;
  if (total > 1024) return signed_as(infinity(x), x);
  if (total < -1080) return signed_as(0.0, x);
  if (total > -1000)
    return mul(mul(m, 0.5), powerOfTwo(x, total == 1024 ? 1023 : total)) *
           (total == 1024 ? 4.0 : 2.0);
  return mul(mul(m, powerOfTwo(x, total + 1000)), 0x1p-1000);
}
FERMATA_BOTH float ldexp(float x, int n) {
  int e;
  const float m = frexp(x, &e);
  if (x == 0.0f || !(magnitude(x) < infinity(x))) return x;
  n = n > 1000 ? 1000 : n < -1000 ? -1000 : n;
  const int total = n + e;
  if (total > 128) return signed_as(infinity(x), x);
  if (total < -155) return signed_as(0.0f, x);
  if (total > -100)
    return mul(mul(m, 0.5f), powerOfTwo(x, total == 128 ? 127 : total)) *
           (total == 128 ? 4.0f : 2.0f);
  return mul(mul(m, powerOfTwo(x, total + 100)), 0x1p-100f);
}
template <class T>
FERMATA_BOTH int ilogb(T x) {
  if (x == T(0)) return -2147483647 - 1;
  if (isNan(x)) return -2147483647 - 1;
  if (isInfinite(x)) return 2147483647;
  int e;
  frexp(x, &e);
  return e - 1;
}
template <class T>
FERMATA_BOTH T logb(T x) {
  if (x == T(0)) return -infinity(x);
  if (!(magnitude(x) < infinity(x))) return mul(x, x);
  int e;
  frexp(x, &e);
  return static_cast<T>(e - 1);
}
FERMATA_BOTH double nextafter(double x, double y) {
  if (isNan(x) || isNan(y)) return x + y;
  if (x == y) return y;
  if (x == 0.0) return signed_as(0x1p-1074, y);
  return number((x < y) == (x > 0.0) ? bits(x) + 1 : bits(x) - 1);
}
FERMATA_BOTH float nextafter(float x, float y) {
  if (isNan(x) || isNan(y)) return x + y;
  if (x == y) return y;
  if (x == 0.0f) return signed_as(0x1p-149f, y);
  return number((x < y) == (x > 0.0f) ? bits(x) + 1 : bits(x) - 1);
}

/// A positive finite number as a whole number m times 2^e.
struct Scaled {
  unsigned long long m;
  int e;
};
FERMATA_BOTH Scaled scaledWhole(double x) {
  const int e = high(x) >> 20;
  const unsigned long long m = bits(x) & 0xfffffffffffffull;
  return e == 0 ? Scaled{m, -1074} : Scaled{m | 0x10000000000000ull, e - 1075};
}
FERMATA_BOTH Scaled scaledWhole(float x) {
  const int e = static_cast<int>(bits(x) >> 23);
  const unsigned m = bits(x) & 0x7fffffu;
  return e == 0 ? Scaled{m, -149} : Scaled{m | 0x800000u, e - 150};
}
/// Returns m 2^e for m < 2^53, when no bit is lost.
FERMATA_BOTH double exactly(double, unsigned long long m, int e) {
  return ldexp(static_cast<double>(m), e);
}
FERMATA_BOTH float exactly(float, unsigned long long m, int e) {
  return ldexp(static_cast<float>(m), e);
}
/// |x| modulo |y|, and the quotient's lowest bits, for x and y finite and y not 0.
template <class T>
struct Division {
  T rest;
  unsigned quotient;
};
template <class T>
FERMATA_BOTH_LONG Division<T> division(T x, T y) {
  if (magnitude(x) < magnitude(y)) return {magnitude(x), 0};
  const Scaled a = scaledWhole(magnitude(x));
  const Scaled b = scaledWhole(magnitude(y));
  constexpr int kStep = sizeof(T) == 4 ? 39 : 10;  // bits that a shift keeps within 64
  int left = a.e - b.e;
  unsigned quotient = static_cast<unsigned>(a.m / b.m);
  unsigned long long rest = a.m % b.m;
  while (left > 0) {
    const int step = left < kStep ? left : kStep;
    rest <<= step;
    quotient = (step < 32 ? quotient << step : 0) + static_cast<unsigned>(rest / b.m);
    rest %= b.m;
    left -= step;
  }
  return {exactly(x, rest, b.e), quotient};
}
template <class T>
FERMATA_BOTH bool dividesNot(T x, T y) {
  return isNan(x) || isNan(y) || isInfinite(x) || y == T(0);
}
template <class T>
FERMATA_BOTH T fmod(T x, T y) {
  if (dividesNot(x, y)) return isNan(x) || isNan(y) ? x + y : notANumber(x);
  if (isInfinite(y)) return x;
  return signed_as(division(x, y).rest, x);
}
template <class T>
FERMATA_BOTH T remquo(T x, T y, int* quotient) {
  *quotient = 0;
  if (dividesNot(x, y)) return isNan(x) || isNan(y) ? x + y : notANumber(x);
  if (isInfinite(y)) return x;
  Division<T> d = division(x, y);
  const T b = magnitude(y);
  // Round to the nearest quotient, the even one if tied. Compare with b - rest: doubling rest may
  // overflow.
  const T other = b - d.rest;
  if (d.rest > other || (d.rest == other && (d.quotient & 1) != 0)) {
    d.rest = -other;
    ++d.quotient;
  }
  const int low = static_cast<int>(d.quotient & 0x7fffffff);
  *quotient = signed_as(T(1), x) * signed_as(T(1), y) < T(0) ? -low : low;
  return signed_as(T(1), x) < T(0) ? -d.rest : d.rest;
}
template <class T>
FERMATA_BOTH T remainder(T x, T y) {
  int quotient;
  return remquo(x, y, &quotient);
}
FERMATA_BOTH double wholePart(double x) { return __builtin_trunc(x); }
FERMATA_BOTH float wholePart(float x) { return __builtin_truncf(x); }
template <class T>
FERMATA_BOTH T modf(T x, T* whole) {
  *whole = wholePart(x);
  return isInfinite(x) ? signed_as(T(0), x) : signed_as(x - *whole, x);
}

}  // namespace fermata_math
