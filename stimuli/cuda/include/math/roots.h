// Roots and lengths: rsqrt, cbrt, rcbrt, hypot and norms.
#pragma once

#include "parts.h"

namespace fermata_math {

FERMATA_BOTH double rsqrt(double x) {
  if (!(x > 0.0 && x < infinity(x)))
    return x == 0.0                   ? signed_as(infinity(x), x)
           : isInfinite(x) && x > 0.0 ? 0.0
           : isNan(x)                 ? x
                                      : notANumber(x);
  const double s = root(x);
  const double r = divide(1.0, s);
  // Correct the joint error of the root and its reciprocal.
  const double lack = fma(-s, r, 1.0) - divide(fma(-s, s, x), s + s) * r;
  return fma(r, lack, r);
}

/// Takes a cubic that is right to seven bits, then Halley's steps.
template <class T>
FERMATA_BOTH T cbrt(T x) {
  if (x == T(0) || !(magnitude(x) < infinity(x))) return x;
  constexpr bool kFloat = sizeof(T) == 4;
  int e;
  T m = frexp(magnitude(x), &e);               // [1/2, 1)
  constexpr int kThird = kFloat ? 100 : 1000;  // makes the exponent positive
  const int third = (e + 3 * kThird) / 3 - kThird;
  m = mul(m, powerOfTwo(x, e - 3 * third));  // [1/2, 4)
  const T square = fma(fma(T(0x1.e14c4ap-7), m, T(-0x1.199a34p-3)), m, T(0x1.284524p-1));
  T t = fma(square, m, T(0x1.1504ep-1));
  for (int i = 0; i < (kFloat ? 2 : 3); ++i) {  // each step of Halley's triples the digits
    const T c = mul(mul(t, t), t);
    t = divide(mul(t, fma(T(2), m, c)), fma(T(2), c, m));
  }
  // Take one step in two parts, for the last place.
  const Two<T> s = product(t, t);
  const Two<T> c = product(s.hi, t);
  const T rest = ((m - c.hi) - c.lo) - mul(s.lo, t);
  t = t + divide(rest, mul(T(3), s.hi));
  return signed_as(ldexp(t, third), x);
}
template <class T>
FERMATA_BOTH T rcbrt(T x) {
  if (x == T(0)) return signed_as(infinity(x), x);
  return divide(T(1), cbrt(x));
}

/// Returns the length of up to four parts, or its reciprocal.
template <class T>
FERMATA_BOTH T length(T a, T b, T c, T d, bool reciprocal) {
  T p[4] = {magnitude(a), magnitude(b), magnitude(c), magnitude(d)};
  T most = p[0];
  bool nan = false, infinite = false;
  for (int i = 0; i < 4; ++i) {
    most = p[i] > most ? p[i] : most;
    nan = nan || isNan(p[i]);
    infinite = infinite || isInfinite(p[i]);
  }
  if (infinite) return reciprocal ? T(0) : infinity(a);
  if (nan) return notANumber(a);
  if (most == T(0)) return reciprocal ? infinity(a) : T(0);
  int e;
  frexp(most, &e);
  Two<T> all = {T(0), T(0)};
  for (int i = 0; i < 4; ++i) {
    const T x = ldexp(p[i], -e);
    const Two<T> square = product(x, x);
    const Two<T> s = sum(all.hi, square.hi);
    all = {s.hi, all.lo + (s.lo + square.lo)};
  }
  const T s = root(all.hi);
  const T lo = divide(fma(-s, s, all.hi) + all.lo, s + s);
  if (!reciprocal) return ldexp(s + lo, e);
  const T r = divide(T(1), s);
  return ldexp(fma(r, fma(-s, r, T(1)) - mul(lo, r), r), -e);
}
template <class T>
FERMATA_BOTH_LONG T lengthOf(int n, const T* a, bool reciprocal) {
  T most = T(0);
  for (int i = 0; i < n; ++i) {
    if (isNan(a[i])) most = a[i];
    if (magnitude(a[i]) > most) most = magnitude(a[i]);
  }
  for (int i = 0; i < n; ++i) {
    if (isInfinite(a[i])) return reciprocal ? T(0) : infinity(most);
  }
  for (int i = 0; i < n; ++i) {
    if (isNan(a[i])) return a[i];
  }
  if (most == T(0)) return reciprocal ? infinity(most) : T(0);
  int e;
  frexp(most, &e);
  Two<T> all = {T(0), T(0)};
  for (int i = 0; i < n; ++i) {
    const T x = ldexp(a[i], -e);
    const Two<T> square = product(x, x);
    const Two<T> s = sum(all.hi, square.hi);
    all = {s.hi, all.lo + (s.lo + square.lo)};
  }
  const T s = root(all.hi + all.lo);
  return reciprocal ? ldexp(divide(T(1), s), -e) : ldexp(s, e);
}

}  // namespace fermata_math
