// Bessel functions: by recurrence from high orders down (Miller's), by Neumann's series, and for
// large arguments by Hankel's expansion. Floats use the doubles' functions, rounded.
#pragma once

#include "logarithm.h"
#include "trigonometric.h"

namespace fermata_math {

struct Bessel {
  double j0, j1, y0, y1;
};

/// Computes J and Y from Hankel's P and Q of order n: J = sqrt(2/(pi x)) (P cos - Q sin) of x -
/// (2n+1) pi/4.
FERMATA_BOTH_LONG void hankel(int n, double x, double* j, double* y) {
  const double mu = 4.0 * n;
  const double r = divide(0.125, x);
  double p = 1.0, q = 0.0, term = 1.0;
  for (int k = 1; k < 30; ++k) {
    const double odd = 2 * k - 1;
    const double next = divide(mul(mul(term, mu - mul(odd, odd)), r), k);
    if (magnitude(next) > magnitude(term) || magnitude(next) < 0x1p-60) break;
    term = next;
    const bool minus = (k & 2) != 0;
    if ((k & 1) != 0) {
      q = minus ? q - term : q + term;
    } else {
      p = minus ? p - term : p + term;
    }
  }
  // Takes cos(x - pi/4) and so on as sums of sin x and cos x, so that the angle loses no precision.
  double s, c;
  sincos(x, &s, &c);
  const double a = n == 0 ? c + s : s - c, b = n == 0 ? s - c : -(s + c);
  const double scale = divide(0x1.20dd750429b6dp-1, root(x));  // sqrt(2 / pi / x) / sqrt(2)
  *j = mul(scale, fma(p, a, -mul(q, b)));
  *y = mul(scale, fma(p, b, mul(q, a)));
}

/// Computes all four for 0 < x < 25.
FERMATA_BOTH_LONG Bessel besselBetween(double x) {
  int n = static_cast<int>(x) + 40;
  n += n & 1;
  double after = 0.0, here = 1e-280;
  double norm = 0.0, even = 0.0, odd = 0.0, j1 = 0.0;
  const double twice = divide(2.0, x);
  for (int k = n; k > 0; --k) {
    // `here` is J_k, up to a factor.
    if (k == 1) j1 = here;
    const int m = k / 2;
    if ((k & 1) == 0) {
      norm = norm + (here + here);
      const double part = divide(here, m);
      even = (m & 1) != 0 ? even - part : even + part;  // (-1)^m J_2m / m
    } else if (k > 1) {
      const double part = divide(mul(here, k), m * (m + 1));
      odd = (m & 1) != 0 ? odd - part : odd + part;
    }
    const double before = fma(mul(k, twice), here, -after);
    after = here;
    here = before;
    if (magnitude(here) > 1e150) {
      const double down = 1e-200;
      here = mul(here, down), after = mul(after, down), norm = mul(norm, down);
      even = mul(even, down), odd = mul(odd, down), j1 = mul(j1, down);
    }
  }
  const double f = divide(1.0, norm + here);
  const double l = log(mul(0.5, x)) + 0x1.2788cfc6fb619p-1;
  const double perPi = 0x1.45f306dc9c883p-2, j0 = mul(here, f);
  j1 = mul(j1, f);
  const double y0 = fma(mul(2.0, l), j0, -mul(mul(4.0, even), f));
  const double y1 = fma(mul(2.0, l - 1.0), j1, -mul(twice, j0)) - mul(mul(2.0, odd), f);
  return {j0, j1, mul(perPi, y0), mul(perPi, y1)};
}
FERMATA_BOTH_LONG Bessel bessel(double x) {
  if (x < 25.0) return besselBetween(x);
  Bessel b;
  hankel(0, x, &b.j0, &b.y0);
  hankel(1, x, &b.j1, &b.y1);
  return b;
}

FERMATA_BOTH double j0(double x) {
  const double a = magnitude(x);
  if (isNan(x)) return x;
  return isInfinite(x) ? 0.0 : a < 1e-8 ? 1.0 : bessel(a).j0;
}
FERMATA_BOTH double j1(double x) {
  const double a = magnitude(x);
  if (isNan(x)) return x;
  return signed_as(1.0, x) * (isInfinite(x) ? 0.0 : a < 1e-8 ? 0.5 * a : bessel(a).j1);
}
FERMATA_BOTH bool isOutOfY(double x) { return !(x > 0.0 && x < infinity(x)); }
FERMATA_BOTH double specialY(double x) {
  return x == 0.0 ? -infinity(x) : x > 0.0 ? 0.0 : isNan(x) ? x : notANumber(x);
}
FERMATA_BOTH double y0(double x) {
  if (isOutOfY(x)) return specialY(x);
  if (x < 1e-9)
    return 0x1.45f306dc9c883p-1 * ((log(x) - 0x1.62e42fefa39efp-1) + 0x1.2788cfc6fb619p-1);
  return bessel(x).y0;
}
FERMATA_BOTH double y1(double x) {
  if (isOutOfY(x)) return specialY(x);
  return x < 1e-9 ? -divide(0x1.45f306dc9c883p-1, x) : bessel(x).y1;
}
/// Returns J of order n >= 0; CUDA gives NaN for other orders.
FERMATA_BOTH_LONG double jn(int n, double x) {
  if (n < 0) return notANumber(x);
  if (n == 0) return j0(x);
  if (n == 1) return j1(x);
  if (isNan(x)) return x;
  const double a = magnitude(x);
  const double sign = (n & 1) != 0 ? signed_as(1.0, x) : 1.0;
  if (a == 0.0 || isInfinite(x)) return 0.0 * sign;
  if (a < 0x1p-28) {  // the first term of the series: the next is lost in rounding
    double term = sign;
    for (int k = 1; k <= n; ++k) term = mul(term, divide(a, 2.0 * k));
    return term;
  }
  const double twice = divide(2.0, a);
  if (a > n) {  // upwards, where it is stable
    const Bessel b = bessel(a);
    double before = b.j0, here = b.j1;
    for (int k = 1; k < n; ++k) {
      const double next = fma(mul(k, twice), here, -before);
      before = here;
      here = next;
    }
    return sign * here;
  }
  int start = n + static_cast<int>(root(60.0 * n)) + 30;
  start += start & 1;
  double after = 0.0, here = 1e-280, norm = 0.0, wanted = 0.0;
  for (int k = start; k > 0; --k) {
    if (k == n) wanted = here;
    if ((k & 1) == 0) norm = norm + (here + here);
    const double before = fma(mul(k, twice), here, -after);
    after = here;
    here = before;
    if (magnitude(here) > 1e150) {
      const double down = 1e-200;
      here = mul(here, down), after = mul(after, down);
      norm = mul(norm, down), wanted = mul(wanted, down);
    }
  }
  return sign * divide(wanted, norm + here);
}
FERMATA_BOTH_LONG double yn(int n, double x) {
  if (n < 0) return notANumber(x);
  if (n == 0) return y0(x);
  if (n == 1 || isOutOfY(x)) return y1(x);
  double before = y0(x), here = y1(x);
  const double twice = divide(2.0, x);
  for (int k = 1; k < n && !isInfinite(here); ++k) {
    const double next = fma(mul(k, twice), here, -before);
    before = here;
    here = next;
  }
  return here;
}

/// Returns the modified function I of order n, 0 or 1.
FERMATA_BOTH_LONG double besselI(int n, double x) {
  const double a = magnitude(x);
  double value = a;
  if (a < 20.0) {
    // The series needs two parts: its terms are products of many factors.
    const double half = mul(0.5, a);
    const Two<double> z = product(half, half);
    Two<double> term = {n == 0 ? 1.0 : half, 0.0}, all = term;
    for (int k = 1; k < 200 && term.hi > mul(all.hi, 0x1p-58); ++k) {
      const double c = k * (k + n);
      const Two<double> p = product(term.hi, z.hi);
      const double lo = fma(term.hi, z.lo, fma(term.lo, z.hi, p.lo));
      term.hi = divide(p.hi, c);
      term.lo = divide(fma(-term.hi, c, p.hi) + lo, c);
      const Two<double> s = sum(all.hi, term.hi);
      all = {s.hi, all.lo + (s.lo + term.lo)};
    }
    value = all.hi + all.lo;
  } else if (a < infinity(x)) {
    const double mu = 4.0 * n, r = divide(0.125, a);
    double term = 1.0, series = 1.0;
    for (int k = 1; k < 60; ++k) {
      const double odd = 2 * k - 1;
      const double next = divide(mul(mul(term, mul(odd, odd) - mu), r), k);
      if (magnitude(next) > magnitude(term) || magnitude(next) < 0x1p-58) break;
      term = next;
      series = series + term;
    }
    const double rest = divide(mul(series, 0x1.9884533d43651p-2), root(a));
    if (a < 700.0) {
      value = mul(exp(a), rest);
    } else {  // in halves: the exponential may be out of range
      const double half = exp(mul(0.5, a));
      value = mul(mul(half, rest), half);
    }
  }
  return n == 1 ? signed_as(value, x) : value;
}

}  // namespace fermata_math
