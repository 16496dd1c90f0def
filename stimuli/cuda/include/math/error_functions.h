// erf and its relatives. Rare functions of floats use the doubles', rounded.
#pragma once

#include "logarithm.h"

namespace fermata_math {

/// Returns erf(x) / x - 1 for z = x^2 <= 1.
FERMATA_BOTH double erfTail(double z) {
  return poly(z, 0x1.06eba8214db69p-3, -0x1.812746b0379fdp-2, 0x1.ce2f21a04362dp-4,
              -0x1.b82ce312abf08p-6, 0x1.565bcd12991cp-8, -0x1.c02db49b09506p-11,
              0x1.f9a335388d2f5p-14, -0x1.f4d333884b5cap-17, 0x1.b9ee95850f6f5p-20,
              -0x1.5f9828c55da45p-23, 0x1.fc78cbccf6129p-27, -0x1.46794feb16f44p-30,
              0x1.2978304266ff7p-34);
}
FERMATA_BOTH float erfTail(float z) {
  return poly(z, 0x1.06eba8p-3f, -0x1.81274p-2f, 0x1.ce2d52p-4f, -0x1.b7fec4p-6f, 0x1.542fecp-8f,
              -0x1.a5197ap-11f, 0x1.4c5cb4p-14f);
}
template <class T>
FERMATA_BOTH T erfNearZero(T x) {
  return fma(x, erfTail(mul(x, x)), x);
}
/// Returns erfcx(x) (1 + 2 x) for t = (x - 4) / (x + 4), x from 0.9 to 30.
FERMATA_BOTH double erfcxScaled(double t) {
  return poly(
      t, 0x1.3ba5916e9fd7fp0, -0x1.1df1ad154a28fp-3, 0x1.f7f5df66fc657p-7, 0x1.16ecefcfa5504p-4,
      -0x1.9ddb23c3e2603p-4, 0x1.7fee004e0cbfbp-4, -0x1.0fb06dfedf52cp-4, 0x1.3079edf7ae442p-5,
      -0x1.096238684767dp-6, 0x1.49c6720077e15p-8, -0x1.8d4ab427d6fp-11, -0x1.a1de98e36aaacp-13,
      0x1.3be2119cd74dp-13, -0x1.9970126aa7f5cp-16, -0x1.78d2bf6d88b63p-17, 0x1.80500f548fcf2p-18,
      0x1.474ec184628d2p-22, -0x1.cd26514b3b1e5p-21, 0x1.375ac63351424p-24, 0x1.3a25ec2047f7ap-23,
      -0x1.0302ec8d12017p-25, -0x1.fefd077ccc552p-26, 0x1.aac50fdfd4e52p-27);
}
/// Returns erfcx(x) (1 + 2 x) for a float, x from 0.9 to 10.5.
FERMATA_BOTH float erfcxScaled(float t) {
  return poly(t, 0x1.3ba592p0f, -0x1.1df1a8p-3f, 0x1.f7e53ap-7f, 0x1.16ea26p-4f, -0x1.9dbb5ap-4f,
              0x1.802366p-4f, -0x1.10515ep-4f, 0x1.2d9a96p-5f, -0x1.07df9ap-6f, 0x1.7adecap-8f);
}
/// Returns erfc(x) exp(x^2) for x from 0.9 on.
FERMATA_BOTH double erfcxPositive(double x) {
  if (x > 29.0) {
    const double r = divide(1.0, mul(x, x));
    const double series = poly(r, 1.0, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875);
    return divide(mul(series, 0x1.20dd750429b6dp-1), x);
  }
  const double d = x + 4.0;
  const double t = divide(x - 4.0, d);
  return divide(erfcxScaled(t), fma(x, 2.0, 1.0));
}
FERMATA_BOTH float erfcxPositive(float x) {
  const float t = divide(x - 4.0f, x + 4.0f);
  return divide(erfcxScaled(t), fma(x, 2.0f, 1.0f));
}
/// Returns exp(-x^2).
template <class T>
FERMATA_BOTH T expOfSquare(T x) {
  const Two<T> s = product(x, x);
  return expOfTwo(-s.hi, -s.lo);
}
FERMATA_BOTH double erfcVanishes(double) { return 27.3; }
FERMATA_BOTH float erfcVanishes(float) { return 10.2f; }
template <class T>
FERMATA_BOTH T erfcPositive(T x) {
  return x > erfcVanishes(x) ? T(0) : mul(erfcxPositive(x), expOfSquare(x));
}
template <class T>
FERMATA_BOTH T erf(T x) {
  const T a = magnitude(x);
  if (a < T(1)) return erfNearZero(x);
  if (isNan(x)) return x;
  return signed_as(a > T(6) ? T(1) : T(1) - erfcPositive(a), x);
}
template <class T>
FERMATA_BOTH T erfc(T x) {
  if (isNan(x)) return x;
  if (magnitude(x) < T(0.9)) return T(1) - erfNearZero(x);
  return x > T(0) ? erfcPositive(x) : T(2) - erfcPositive(-x);
}
FERMATA_BOTH double erfcx(double x) {
  if (isNan(x)) return x;
  if (x > 0.9) return isInfinite(x) ? 0.0 : erfcxPositive(x);
  if (x < -27.0) return infinity(x);
  const Two<double> s = product(x, x);
  return mul(expOfTwo(s.hi, s.lo), erfc(x));
}

/// Returns erfc(hi + lo).
FERMATA_BOTH double erfcOfTwo(double hi, double lo) {
  return fma(-lo, mul(0x1.20dd750429b6dp0, expOfSquare(hi)), erfc(hi));
}
FERMATA_BOTH double normcdf(double x) {
  if (isNan(x)) return x;
  if (x < -40.0) return 0.0;
  if (x > 40.0) return 1.0;
  const Two<double> y = product(-x, 0x1.6a09e667f3bcdp-1);
  return 0.5 * erfcOfTwo(y.hi, fma(-x, -0x1.bdd3413b26456p-55, y.lo));
}

/// Returns the x with erfc(x) = y, 0 < y <= 1: a closed form that is right to three digits, then
/// Halley's steps.
FERMATA_BOTH_LONG double erfcinvPositive(double y) {
  // log(1 - erf(x)^2) = log(y (2 - y)).
  const double l = log(y) + log1p(1.0 - y);
  const double half = fma(l, 0.5, 4.330746750799873);  // 2 / (pi 0.147)
  double x = root(root(fma(half, half, -mul(l, 6.802721088435374))) - half);
  for (int i = 0; i < 5; ++i) {
    // Divide erfc(x) - y by the derivative, both times exp(x^2), which keeps their digits.
    const double scale = 0x1.c5bf891b4ef6ap-1;  // sqrt(pi) / 2
    double t;
    if (x < 0.9) {
      t = divide(erfc(x) - y, expOfSquare(x)) * scale;
    } else {  // the exponential in halves: y may be so small that the whole is out of range
      const Two<double> s = product(x, x);
      const double half = expOfTwo(0.5 * s.hi, 0.5 * s.lo);
      t = (erfcxPositive(x) - mul(mul(y, half), half)) * scale;
    }
    x = x + divide(t, fma(-t, x, 1.0));
  }
  return x;
}
FERMATA_BOTH_LONG double erfinvSmall(double y) {
  double x = mul(y, 0.886226925452758);
  x = fma(mul(x, mul(y, y)), 0.2617993877991494, x);
  for (int i = 0; i < 4; ++i) {
    const double t = divide(erf(x) - y, mul(0x1.20dd750429b6dp0, expOfSquare(x)));
    x = x - divide(t, fma(t, x, 1.0));
  }
  return x;
}
FERMATA_BOTH double erfcinv(double y) {
  if (!(y >= 0.0 && y <= 2.0)) return notANumber(y);
  if (y == 0.0) return infinity(y);
  if (y == 2.0) return -infinity(y);
  if (y > 0.5 && y < 1.5) return erfinvSmall(1.0 - y);
  return y < 1.0 ? erfcinvPositive(y) : -erfcinvPositive(2.0 - y);
}
FERMATA_BOTH double erfinv(double y) {
  const double a = magnitude(y);
  if (!(a <= 1.0)) return notANumber(y);
  if (a == 1.0) return signed_as(infinity(y), y);
  if (a < 0.5) return y == 0.0 ? y : erfinvSmall(y);
  return signed_as(erfcinvPositive(1.0 - a), y);
}
FERMATA_BOTH double normcdfinv(double p) { return 0.0 - mul(0x1.6a09e667f3bcdp0, erfcinv(p + p)); }

}  // namespace fermata_math
