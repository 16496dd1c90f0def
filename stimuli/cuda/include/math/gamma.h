// tgamma and lgamma.
#pragma once

#include "logarithm.h"
#include "trigonometric.h"

namespace fermata_math {

/// Returns 1 / gamma(1 + t), t from 0 to 1.
FERMATA_BOTH double reciprocalGamma(double t) {
  return poly(
      t, 1.0, 0x1.2788cfc6fb619p-1, -0x1.4fcf4026afa2ep-1, -0x1.5815e8fa27048p-5,
      0x1.5512320b43fc1p-3, -0x1.59af103c3412fp-5, -0x1.3b4af2848218ap-7, 0x1.d919c527d8816p-8,
      -0x1.317112cb6b2a0p-10, -0x1.c364fed68aeb0p-13, 0x1.0c8a7a3d21e88p-13, -0x1.51ceaad9e5f91p-16,
      -0x1.4fa8e459856b2p-20, 0x1.301d77945b8fdp-20, -0x1.b94532ef7ada7p-23, 0x1.9906e8cb102b6p-28,
      0x1.6146b615b3ff1p-28, -0x1.5d9138109d746p-30, 0x1.46abfc244d472p-33, -0x1.126a11199c228p-37);
}
/// Returns lgamma(2 + t) / t, |t| <= 1/2.
FERMATA_BOTH double lgammaAtTwo(double t) {
  return poly(
      t, 0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2, -0x1.13e001a557606p-4, 0x1.51322ac7d8483p-6,
      -0x1.e404fc218f683p-8, 0x1.7add6eadb6cbbp-9, -0x1.38ac5c2bf00bfp-10, 0x1.0b36af8630f5fp-11,
      -0x1.d3fd4c7f9fa26p-13, 0x1.a127b0f9ee692p-14, -0x1.78de594a1f5d8p-15, 0x1.580dcc735f957p-16,
      -0x1.3cbd0c34c2671p-17, 0x1.259814c96e3bdp-18, -0x1.11a54bc3cfe3cp-19, 0x1.0057bc58baf67p-20,
      -0x1.e46267845840ap-22, 0x1.c959188a8539dp-23, -0x1.98152dabaf411p-24, 0x1.8367966486352p-25,
      -0x1.0cfcd77c3ec5fp-25, 0x1.01127da9788f9p-26);
}
/// Returns Stirling's series: lgamma(x) less (x - 1/2) log x - x + log(2 pi) / 2, for x from 9 on.
FERMATA_BOTH double stirling(double x) {
  const double r = divide(1.0, x);
  return mul(r, poly(mul(r, r), 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11,
                     -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10,
                     0x1.a41a41a41a41ap-8, -0x1.e4286cb0f5398p-6));
}
/// Returns log gamma(x) for x from 12 on, in two parts.
FERMATA_BOTH Two<double> logGammaLarge(double x) {
  const Two<double> l = logInTwo(x, true);
  const double h = x - 0.5;
  const Two<double> p = product(l.hi, h);
  const Two<double> q = sum(p.hi, -x);
  const Two<double> r = sum(q.hi, 0x1.d67f1c864beb5p-1);
  const double lo = fma(l.lo, h, p.lo) + q.lo + r.lo - 0x1.65b5a1b7ff5dfp-55;
  return sumOrdered(r.hi, lo + stirling(x));
}
FERMATA_BOTH double gammaLarge(double x) {
  if (x > 171.7) return infinity(x);
  const Two<double> l = logGammaLarge(x);
  return expOfTwo(l.hi, l.lo);
}
FERMATA_BOTH_LONG double gammaPositive(double x) {
  if (x >= 12.0) return gammaLarge(x);
  double above = 1.0, below = 1.0;
  while (x >= 2.0) {
    x = x - 1.0;
    above = mul(above, x);
  }
  if (x < 1.0) {
    below = mul(x, reciprocalGamma(x));  // gamma(x) = gamma(1 + x) / x
    return divide(1.0, below);
  }
  return divide(above, reciprocalGamma(x - 1.0));
}
FERMATA_BOTH_LONG double tgamma(double x) {
  if (isNan(x)) return x;
  if (x == 0.0) return signed_as(infinity(x), x);
  if (x > 0.0) return gammaPositive(x);
  if (whole(x).whole) return notANumber(x);  // also minus infinity
  const double a = -x;
  if (a < 0x1p-60) return divide(1.0, x);
  const double s = sinpi(a);  // has either sign
  if (a > 184.0) return s > 0.0 ? -0.0 : 0.0;
  // pi / (sin(pi x) x gamma(-x)), in halves: gamma may overflow although the result is not 0.
  if (a > 170.0) {
    const Two<double> l = logGammaLarge(a);
    const double g = expOfTwo(0.5 * l.hi, 0.5 * l.lo);
    return -divide(divide(divide(0x1.921fb54442d18p1, mul(s, a)), g), g);
  }
  return -divide(0x1.921fb54442d18p1, mul(mul(s, a), gammaPositive(a)));
}

FERMATA_BOTH_LONG double lgammaPositive(double x) {
  if (x >= 9.0) {
    if (x > 1e305) return mul(x, log(x) - 1.0);
    const double l = log(x);
    return fma(x - 0.5, l - 1.0, 0x1.d67f1c864beb5p-1 - 0.5 + stirling(x));
  }
  if (x < 0.5) {  // lgamma(1 + x) - log(x)
    return fma(x, lgammaAtTwo(x), -log1p(x)) - log(x);
  }
  if (x < 1.5) return fma(x - 1.0, lgammaAtTwo(x - 1.0), -log1p(x - 1.0));
  if (x < 2.5) return mul(x - 2.0, lgammaAtTwo(x - 2.0));
  double above = 1.0;
  while (x >= 2.5) {
    x = x - 1.0;
    above = mul(above, x);
  }
  return fma(x - 2.0, lgammaAtTwo(x - 2.0), log(above));
}
FERMATA_BOTH_LONG double lgamma(double x) {
  if (isNan(x)) return x;
  if (isInfinite(x) || x == 0.0) return infinity(x);
  if (x > 0.0) return x < 0x1p-60 ? -log(x) : lgammaPositive(x);
  if (whole(x).whole) return infinity(x);
  const double a = -x;
  if (a < 0x1p-60) return -log(a);
  return log(divide(0x1.921fb54442d18p1, magnitude(mul(sinpi(a), a)))) - lgammaPositive(a);
}

}  // namespace fermata_math
