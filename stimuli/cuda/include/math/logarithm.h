// log, log2, log10, log1p, pow. x = 2^e m with m from sqrt(1/2) to sqrt(2); log m = 2
// atanh((m-1)/(m+1)).
#pragma once

#include "exponential.h"

namespace fermata_math {

template <class T>
struct Parted {
  T m;  ///< from sqrt(1/2) to sqrt(2)
  T e;
};
/// Splits a positive finite number.
FERMATA_BOTH Parted<double> parted(double x) {
  const bool small = x < 0x1p-1022;
  const unsigned long long b = bits(small ? mul(x, 0x1p54) : x);
  const unsigned long long shifted = b - 0x3fe6a09e667f3bcdull;  // sqrt(1/2)
  const int e = static_cast<int>(static_cast<long long>(shifted) >> 52);
  return {number(b - (static_cast<unsigned long long>(static_cast<long long>(e)) << 52)),
          static_cast<double>(small ? e - 54 : e)};
}
FERMATA_BOTH Parted<float> parted(float x) {
  const bool small = x < 0x1p-126f;
  const unsigned b = bits(small ? mul(x, 0x1p25f) : x);
  const int e = static_cast<int>(b - 0x3f3504f3u) >> 23;
  return {number(b - (static_cast<unsigned>(e) << 23)), static_cast<float>(small ? e - 25 : e)};
}

/// Returns (2 atanh(s) - 2 s) / s^3 for z = s^2.
FERMATA_BOTH double atanhTail(double z) {
  return poly(z, 0x1.5555555555555p-1, 0x1.9999999999d59p-2, 0x1.249249242ee1bp-2,
              0x1.c71c725c5ee56p-3, 0x1.745cdb7521fa2p-3, 0x1.3b215933c2fc5p-3,
              0x1.0f4a1544c3517p-3, 0x1.1023b86d5d38dp-3);
}
FERMATA_BOTH float atanhTail(float z) {
  return poly(z, 0x1.555556p-1f, 0x1.99986cp-2f, 0x1.24c216p-2f, 0x1.ce5c5ap-3f);
}

/// Returns log(1 + f) in two parts, for f from sqrt(1/2) - 1 to sqrt(2) - 1. `below` is the lower
/// part of the number that f rounds.
template <class T>
FERMATA_BOTH Two<T> logNearOne(T f, T below) {
  const T t = T(2) + f;
  const T tLo = (f - (t - T(2))) + below;
  const T s = divide(f, t);
  const T sLo = divide(fma(-s, t, f) - mul(s, tLo) + below, t);
  const Two<T> z = product(s, s);
  const T tail = mul(mul(s, z.hi), atanhTail(z.hi));
  const T twice = s + s;
  return sumOrdered(twice, tail + (sLo + sLo));
}
/// Returns log(1 + f) as exactly as a power needs it: the cubic term is in two parts.
FERMATA_BOTH Two<double> logNearOneExactly(double f) {
  const double t = 2.0 + f;
  const double tLo = f - (t - 2.0);
  const double s = divide(f, t);
  const double sLo = divide(fma(-s, t, f) - mul(s, tLo), t);
  const Two<double> z = product(s, s);
  const double zLo = fma(s + s, sLo, z.lo);
  const Two<double> cube = product(z.hi, s);
  const double cubeLo = fma(z.hi, sLo, fma(zLo, s, cube.lo));
  const double third = 0x1.5555555555555p-1, thirdLo = 0x1.5555555555555p-55;
  const Two<double> term = product(cube.hi, third);
  const double termLo = fma(cube.hi, thirdLo, fma(cubeLo, third, term.lo));
  const double tail =
      mul(mul(cube.hi, z.hi), poly(z.hi, 0x1.999999999999fp-2, 0x1.249249248e312p-2,
                                   0x1.c71c71d835423p-3, 0x1.745d09cb27a68p-3, 0x1.3b18c19b9cf1ep-3,
                                   0x1.1017b7598bb25p-3, 0x1.08830ed566e6cp-3));
  const Two<double> both = sumOrdered(s + s, term.hi);
  const Two<double> all = sumOrdered(both.hi, tail);
  return sumOrdered(all.hi, all.lo + (both.lo + (termLo + (sLo + sLo))));
}
/// Returns log(1 + f) as exactly as a power needs it; a float needs no separate cubic term.
FERMATA_BOTH Two<float> logNearOneExactly(float f) {
  const float t = 2.0f + f;
  const float tLo = f - (t - 2.0f);
  const float s = divide(f, t);
  const float sLo = divide(fma(-s, t, f) - mul(s, tLo), t);
  const Two<float> z = product(s, s);
  const Two<float> cube = product(z.hi, s);
  const float p = atanhTail(z.hi);
  const Two<float> term = product(cube.hi, p);
  const float termLo = fma(fma(z.lo, s, cube.lo), p, term.lo);
  const Two<float> both = sumOrdered(s + s, term.hi);
  return sumOrdered(both.hi, both.lo + (termLo + (sLo + sLo)));
}

/// Returns log x in two parts, for x positive and finite.
template <class T>
FERMATA_BOTH Two<T> logInTwo(T x, bool exactly) {
  using Split = decltype(split(x));
  const Parted<T> p = parted(x);
  const Two<T> near = exactly ? logNearOneExactly(p.m - T(1)) : logNearOne(p.m - T(1), T(0));
  const Two<T> all = sumOrdered(mul(p.e, Split::ln2Hi), near.hi);
  return sumOrdered(all.hi, all.lo + (near.lo + mul(p.e, Split::ln2Lo)));
}
/// Returns true for arguments with a special logarithm: negative ones, 0, infinity, NaN.
template <class T>
FERMATA_BOTH bool logIsSpecial(T x) {
  return !(x > T(0) && x < infinity(x));
}
template <class T>
FERMATA_BOTH T specialLog(T x) {
  return x == T(0) ? -infinity(x) : x < T(0) ? notANumber(x) : x;
}

template <class T>
FERMATA_BOTH T log(T x) {
  if (logIsSpecial(x)) return specialLog(x);
  return logInTwo(x, false).hi;
}
/// Multiplies the logarithm by 1 / ln 2 so that whole powers of two come out exact.
template <class T>
FERMATA_BOTH T log2(T x) {
  using Split = decltype(split(x));
  if (logIsSpecial(x)) return specialLog(x);
  const Parted<T> p = parted(x);
  const Two<T> l = logNearOne(p.m - T(1), T(0));
  const Two<T> y = product(l.hi, Split::perLn2);
  const T lo = fma(l.hi, Split::perLn2Rest, fma(l.lo, Split::perLn2, y.lo));
  const Two<T> all = sumOrdered(p.e, y.hi);
  return all.hi + (all.lo + lo);
}
template <class T>
FERMATA_BOTH T log10(T x) {
  using Split = decltype(split(x));
  if (logIsSpecial(x)) return specialLog(x);
  const Parted<T> p = parted(x);
  const Two<T> l = logNearOne(p.m - T(1), T(0));
  const Two<T> y = product(l.hi, Split::perLn10);
  const T lo = fma(l.hi, Split::perLn10Rest, fma(l.lo, Split::perLn10, y.lo));
  const Two<T> all = sumOrdered(mul(p.e, Split::log2Hi), y.hi);
  return all.hi + (all.lo + fma(p.e, Split::log2Lo, lo));
}

template <class T>
FERMATA_BOTH T log1p(T x) {
  using Split = decltype(split(x));
  if (!(x > T(-1) && x < infinity(x)))
    return x == T(-1) ? -infinity(x) : x < T(-1) ? notANumber(x) : x;
  if (magnitude(x) < T(1e-30)) return x;  // also keeps the sign of 0
  const Two<T> u = sum(T(1), x);
  const Parted<T> p = parted(u.hi);
  const T below = p.e > T(64) ? T(0) : mul(u.lo, powerOfTwo(x, -static_cast<int>(p.e)));
  // If no power of two is split off, use x itself: 1 + x has lost digits of it.
  const Two<T> near = p.e == T(0) ? logNearOne(x, T(0)) : logNearOne(p.m - T(1), below);
  const Two<T> all = sumOrdered(mul(p.e, Split::ln2Hi), near.hi);
  return all.hi + (all.lo + (near.lo + mul(p.e, Split::ln2Lo)));
}

/// Tells whether y is a whole number, and an odd one.
template <class T>
struct Whole {
  bool whole, odd;
};
FERMATA_BOTH Whole<double> whole(double y) {
  const bool is = __builtin_trunc(y) == y;
  return {is, is && magnitude(y) < 0x1p53 && __builtin_trunc(y * 0.5) * 2.0 != y};
}
FERMATA_BOTH Whole<float> whole(float y) {
  const bool is = __builtin_truncf(y) == y;
  return {is, is && magnitude(y) < 0x1p24f && __builtin_truncf(y * 0.5f) * 2.0f != y};
}

template <class T>
FERMATA_BOTH_LONG T specialPower(T x, T y) {
  if (x == T(1) || y == T(0)) return T(1);
  if (isNan(x) || isNan(y)) return x + y;
  const T ax = magnitude(x);
  if (isInfinite(y)) {
    if (ax == T(1)) return T(1);
    return (ax > T(1)) == (y > T(0)) ? infinity(x) : T(0);
  }
  const Whole<T> w = whole(y);
  if (ax == T(0) || isInfinite(x)) {
    const T result = (ax == T(0)) == (y > T(0)) ? T(0) : infinity(x);
    return w.odd ? signed_as(result, x) : result;
  }
  return notANumber(x);  // a negative number to a power that is not whole
}

/// Returns |x|^y, for x neither 0 nor infinite, y finite.
template <class T>
FERMATA_BOTH T powerOfMagnitude(T x, T y) {
  const Two<T> l = logInTwo(magnitude(x), true);
  // Keep the products within range; beyond this limit the result is 0 or infinite anyway.
  const T limit = sizeof(T) == 4 ? T(1e11) : T(1e22);
  const T z = y > limit ? limit : y < -limit ? -limit : y;
  const Two<T> p = product(l.hi, z);
  return expOfTwo(p.hi, fma(l.lo, z, p.lo));
}
template <class T>
FERMATA_BOTH T pow(T x, T y) {
  const Whole<T> w = whole(y);
  if (!(magnitude(x) > T(0) && magnitude(x) < infinity(x) && magnitude(y) < infinity(y)) ||
      (x < T(0) && !w.whole) || x == T(1) || y == T(0))
    return specialPower(x, y);
  const T result = powerOfMagnitude(x, y);
  return x < T(0) && w.odd ? -result : result;
}

}  // namespace fermata_math
