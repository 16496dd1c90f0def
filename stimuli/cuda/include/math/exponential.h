// exp, exp2, exp10, expm1. A power of two is split off; the exponential of the rest, up to ln 2 /
// 2, is a polynomial.
#pragma once

#include "words.h"

namespace fermata_math {

struct SplitDouble {
  static constexpr double perLn2 = 0x1.71547652b82fep0;
  static constexpr double ln2Hi = 0x1.62e42fefa38p-1, ln2Lo = 0x1.ef35793c7673p-45;
  static constexpr double ln2 = 0x1.62e42fefa39efp-1, ln2Rest = 0x1.abc9e3b39803fp-56;
  static constexpr double perLog2 = 0x1.a934f0979a371p1;
  static constexpr double log2Hi = 0x1.34413509f78p-2, log2Lo = 0x1.fef311f12b358p-46;
  static constexpr double perLn2Rest = 0x1.777d0ffda0d24p-56;
  static constexpr double perLn10 = 0x1.bcb7b1526e50ep-2, perLn10Rest = 0x1.95355baaafad3p-57;
  static constexpr double ln10 = 0x1.26bb1bbb55516p1, ln10Rest = -0x1.f48ad494ea3e9p-53;
};
struct SplitFloat {
  static constexpr float perLn2 = 0x1.715476p0f;
  static constexpr float ln2Hi = 0x1.62e4p-1f, ln2Lo = 0x1.7f7d1cp-20f;
  static constexpr float ln2 = 0x1.62e43p-1f, ln2Rest = -0x1.05c61p-29f;
  static constexpr float perLog2 = 0x1.a934fp1f;
  static constexpr float log2Hi = 0x1.344p-2f, log2Lo = 0x1.3509f8p-18f;
  static constexpr float perLn2Rest = 0x1.4ae0cp-26f;
  static constexpr float perLn10 = 0x1.bcb7b2p-2f, perLn10Rest = -0x1.5b235ep-27f;
  static constexpr float ln10 = 0x1.26bb1cp1f, ln10Rest = -0x1.12aabap-25f;
};
FERMATA_BOTH SplitDouble split(double) { return {}; }
FERMATA_BOTH SplitFloat split(float) { return {}; }

/// Returns (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2.
FERMATA_BOTH double expTail(double r) {
  return poly(r, 0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555552p-5, 0x1.1111111110056p-7,
              0x1.6c16c16c18931p-10, 0x1.a01a01ac1a723p-13, 0x1.a01a0197bcfd8p-16,
              0x1.71de01b889c28p-19, 0x1.27e500e0ac0a4p-22, 0x1.af4eb2a1b7ae2p-26,
              0x1.1f32ea9d545ccp-29);
}
FERMATA_BOTH float expTail(float r) {
  return poly(r, 0x1p-1f, 0x1.5554dep-3f, 0x1.55556cp-5f, 0x1.120abep-7f, 0x1.6ca992p-10f);
}

/// Returns exp(r + lo) - 1 for |r| <= ln 2 / 2.
template <class T>
FERMATA_BOTH T expm1Reduced(T r, T lo) {
  return r + fma(mul(r, r), expTail(r), fma(lo, r, lo));
}

/// Returns 2^n (1 + q); n may lie beyond the exponents.
template <class T>
FERMATA_BOTH T withPower(T q, T n) {
  return scaled(T(1) + q, static_cast<int>(n));
}

/// Clamps x to bounds beyond which exp2(x) is 0 or infinite anyway; x is not NaN.
FERMATA_BOTH double clampedPower(double x) {
  return x < -1100.0 ? -1100.0 : x > 1100.0 ? 1100.0 : x;
}
FERMATA_BOTH float clampedPower(float x) { return x < -160.0f ? -160.0f : x > 140.0f ? 140.0f : x; }

/// Returns exp(hi + lo).
template <class T>
FERMATA_BOTH T expOfTwo(T hi, T lo) {
  using Split = decltype(split(hi));
  if (isNan(hi)) return hi;
  const T limit = clampedPower(mul(hi, Split::perLn2));
  if (limit != mul(hi, Split::perLn2)) return limit > T(0) ? infinity(hi) : T(0);
  const T n = nearest(limit);
  const Two<T> r = sumOrdered(fma(-n, Split::ln2Hi, hi), -mul(n, Split::ln2Lo));
  const Two<T> all = sumOrdered(r.hi, r.lo + lo);
  return withPower(expm1Reduced(all.hi, all.lo), n);
}
template <class T>
FERMATA_BOTH T exp(T x) {
  return expOfTwo(x, T(0));
}

template <class T>
FERMATA_BOTH T exp2(T x) {
  using Split = decltype(split(x));
  if (isNan(x)) return x;
  const T y = clampedPower(x);
  const T n = nearest(y);
  const Two<T> r = product(y - n, Split::ln2);
  return withPower(expm1Reduced(r.hi, fma(y - n, Split::ln2Rest, r.lo)), n);
}

template <class T>
FERMATA_BOTH T exp10(T x) {
  using Split = decltype(split(x));
  if (isNan(x)) return x;
  const T limit = clampedPower(mul(x, Split::perLog2));
  if (limit != mul(x, Split::perLog2)) return limit > T(0) ? infinity(x) : T(0);
  const T n = nearest(limit);
  const Two<T> part = sumOrdered(fma(-n, Split::log2Hi, x), -mul(n, Split::log2Lo));
  const Two<T> r = product(part.hi, Split::ln10);
  const T lo = fma(part.hi, Split::ln10Rest, fma(part.lo, Split::ln10, r.lo));
  return withPower(expm1Reduced(r.hi, lo), n);
}

template <class T>
FERMATA_BOTH T expm1(T x) {
  using Split = decltype(split(x));
  if (isNan(x) || x == T(0)) return x;
  const T limit = clampedPower(mul(x, Split::perLn2));
  if (limit > (sizeof(T) == 4 ? T(128.4) : T(1024.4))) return infinity(x);
  if (limit < T(-60)) return T(-1);
  const T n = nearest(limit);
  const Two<T> r = sumOrdered(fma(-n, Split::ln2Hi, x), -mul(n, Split::ln2Lo));
  const T q = expm1Reduced(r.hi, r.lo);
  const T t = powerOfTwo(x, static_cast<int>(n) - 1);  // half: 2^n may overflow
  const T half = fma(t, q, t - T(0.5));
  return half + half;
}

}  // namespace fermata_math
