// asin, acos, atan, atan2; asinh, acosh, atanh.
#pragma once

#include "logarithm.h"

namespace fermata_math {

/// Returns the part in atan(r) = r + atanPart(r), |r| <= 1.
FERMATA_BOTH double atanPart(double r) {
  const double z = mul(r, r);
  return mul(mul(r, z), poly(z, -0x1.5555555555555p-2, 0x1.99999999998bep-3, -0x1.249249248cf76p-3,
                             0x1.c71c71c526281p-4, -0x1.745d17100e505p-4, 0x1.3b13ad7fca918p-4,
                             -0x1.1110e2f05b291p-4, 0x1.e1dea17f3b29p-5, -0x1.af1241c68d0afp-5,
                             0x1.85a345612c285p-5, -0x1.62435b8085dfdp-5, 0x1.41458f9e20fb6p-5,
                             -0x1.1dedda5aab926p-5, 0x1.e68a964d5eee8p-6, -0x1.7e27592fc14a6p-6,
                             0x1.0a4ca7e1bac0cp-6, -0x1.3bc71b6c23ef9p-7, 0x1.30bbfec41e2f4p-8,
                             -0x1.c64f3174ea5a6p-10, 0x1.e6e2adc33d387p-12, -0x1.4bf6acd885969p-14,
                             0x1.aef7c667f20ebp-18));
}
FERMATA_BOTH float atanPart(float r) {
  const float z = mul(r, r);
  return mul(mul(r, z),
             poly(z, -0x1.555554p-2f, 0x1.999832p-3f, -0x1.246ce4p-3f, 0x1.c3f7fep-4f,
                  -0x1.62baf8p-4f, 0x1.005ebp-4f, -0x1.26cceep-5f, 0x1.bd14p-7f, -0x1.3b6c6ap-9f));
}
/// Returns the part in asin(r) = r + asinPart(r), |r| <= 1/2, with z = r^2.
FERMATA_BOTH double asinPart(double r, double z) {
  return mul(mul(r, z), poly(z, 0x1.5555555555556p-3, 0x1.3333333332dcdp-4, 0x1.6db6db6e4397cp-5,
                             0x1.f1c71c14da09cp-6, 0x1.6e8bb2fe2329ap-6, 0x1.1c4d1bf9d28bap-6,
                             0x1.c9d1cecf332dcp-7, 0x1.780cd7fa32c4fp-7, 0x1.52df0d2513969p-7,
                             0x1.60a47d907b3cfp-8, 0x1.205df5d5ac419p-6, -0x1.f07d84dfc527p-7,
                             0x1.da67301f75728p-6));
}
FERMATA_BOTH float asinPart(float r, float z) {
  return mul(mul(r, z), poly(z, 0x1.55555ep-3f, 0x1.332688p-4f, 0x1.70bf2ap-5f, 0x1.b1e3acp-6f,
                             0x1.3926d2p-5f));
}
FERMATA_BOTH Two<double> quarterTurn(double) {
  return {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
}
FERMATA_BOTH Two<float> quarterTurn(float) { return {0x1.921fb6p0f, -0x1.777a5cp-25f}; }

template <class T>
FERMATA_BOTH T atan(T x) {
  const T a = magnitude(x);
  if (a <= T(1)) return signed_as(a + atanPart(a), x);
  if (isNan(x)) return x;
  const Two<T> q = quarterTurn(x);
  const T r = divide(T(1), a);
  return signed_as(q.hi - ((r - q.lo) + atanPart(r)), x);
}

template <class T>
FERMATA_BOTH T atan2(T y, T x) {
  if (isNan(x) || isNan(y)) return x + y;
  const T ax = magnitude(x), ay = magnitude(y);
  const bool steep = ay > ax;
  const T small = steep ? ax : ay, large = steep ? ay : ax;
  T r = large == T(0) ? T(0) : divide(small, large);
  T rLo = T(0);
  if (isInfinite(large)) {
    r = isInfinite(small) ? T(1) : T(0);
  } else if (large > T(1e-20) && large < T(1e20)) {
    rLo = divide(fma(-r, large, small), large);  // remainder of the quotient
    rLo = divide(rLo, fma(r, r, T(1)));
  }
  const Two<T> q = quarterTurn(x);
  const T part = atanPart(r) + rLo;
  T angle = r + part;
  if (steep) {
    angle = q.hi - ((r - q.lo) + part);
    if (signed_as(T(1), x) < T(0)) angle = q.hi + ((r + q.lo) + part);
  } else if (signed_as(T(1), x) < T(0)) {
    angle = T(2) * q.hi - ((r - T(2) * q.lo) + part);
  }
  return signed_as(angle, y);
}

/// Returns hi + lo with asin(1 - 2 z) = pi/2 - 2 (hi + lo), that is asin(sqrt(z)) in two parts.
template <class T>
FERMATA_BOTH Two<T> halfAngle(T z) {
  const T s = root(z);
  const T lo = s == T(0) ? T(0) : divide(fma(-s, s, z), s + s);
  return {s, lo + asinPart(s, z)};
}
template <class T>
FERMATA_BOTH T asin(T x) {
  const T a = magnitude(x);
  if (a < T(0.5)) return x + asinPart(x, mul(x, x));
  if (!(a <= T(1))) return notANumber(x);
  const Two<T> h = halfAngle(fma(a, T(-0.5), T(0.5)));
  const Two<T> q = quarterTurn(x);
  return signed_as((q.hi - T(2) * h.hi) - (T(2) * h.lo - q.lo), x);
}
template <class T>
FERMATA_BOTH T acos(T x) {
  const T a = magnitude(x);
  const Two<T> q = quarterTurn(x);
  if (a < T(0.5)) return q.hi - (x - (q.lo - asinPart(x, mul(x, x))));
  if (!(a <= T(1))) return notANumber(x);
  const Two<T> h = halfAngle(fma(a, T(-0.5), T(0.5)));
  if (x > T(0)) return T(2) * (h.hi + h.lo);
  return T(2) * (q.hi - (h.hi - (q.lo - h.lo)));
}

/// Returns the bound above which a square plus one equals the square.
FERMATA_BOTH double largeForOne(double) { return 0x1p28; }
FERMATA_BOTH float largeForOne(float) { return 0x1p13f; }
FERMATA_BOTH double ln2(double) { return SplitDouble::ln2; }
FERMATA_BOTH float ln2(float) { return SplitFloat::ln2; }
template <class T>
FERMATA_BOTH T asinh(T x) {
  const T a = magnitude(x);
  if (!(a < infinity(x))) return x;
  if (a > largeForOne(x)) return signed_as(log(a) + ln2(x), x);
  const T z = mul(a, a);
  return signed_as(log1p(a + divide(z, T(1) + root(fma(a, a, T(1))))), x);
}
template <class T>
FERMATA_BOTH T acosh(T x) {
  if (!(x >= T(1))) return notANumber(x);
  if (x > largeForOne(x)) return log(x) + ln2(x);
  const T t = x - T(1);
  return log1p(t + root(fma(t, t, t + t)));
}
template <class T>
FERMATA_BOTH T atanh(T x) {
  const T a = magnitude(x);
  if (a > T(1)) return notANumber(x);
  return signed_as(T(0.5) * log1p(divide(a + a, T(1) - a)), x);
}

}  // namespace fermata_math
