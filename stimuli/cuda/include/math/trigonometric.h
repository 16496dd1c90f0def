// sin, cos, tan of radians and of half turns. The angle is reduced to an eighth of a turn: with
// three parts of pi/2 while they suffice, otherwise with as many bits of 2/pi as the angle is
// large.
#pragma once

#include "words.h"

namespace fermata_math {

template <class T>
struct Angle {
  int quarter;  ///< quarter turns; multiples of 4 do not matter
  T hi, lo;     ///< the rest, |rest| <= pi/4
};

/// Returns word i of a number with 64 bits of 0, then the bits of 2/pi.
FERMATA_BOTH unsigned long long wordOfTwoOverPi(int i) {
  static constexpr unsigned long long kWords[20] = {0,
                                                    0xa2f9836e4e441529,
                                                    0xfc2757d1f534ddc0,
                                                    0xdb6295993c439041,
                                                    0xfe5163abdebbc561,
                                                    0xb7246e3a424dd2e0,
                                                    0x06492eea09d1921c,
                                                    0xfe1deb1cb129a73e,
                                                    0xe88235f52ebb4484,
                                                    0xe99c7026b45f7e41,
                                                    0x3991d639835339f4,
                                                    0x9c845f8bbdf9283b,
                                                    0x1ff897ffde05980f,
                                                    0xef2f118b5a0a6d1f,
                                                    0x6d367ecf27cb09b7,
                                                    0x4f463f669e5fea2d,
                                                    0x7527bac7ebe5f17b,
                                                    0x3d0739f78a5292ea,
                                                    0x6bfb5fb11f8d5d08,
                                                    0x56033046fc7b6bab};
  return kWords[i];
}
/// Reduces a positive finite x of 2^20 or more: multiplies its mantissa by the bits of 2/pi as
/// whole numbers, and drops whole turns.
FERMATA_BOTH_LONG Angle<double> reducedLarge(double x) {
  typedef unsigned long long Word;
  const Word b = bits(x);
  const Word mantissa = (b & 0xfffffffffffffull) | 0x10000000000000ull;
  const int first = static_cast<int>(b >> 52) - 1075 + 62;
  const int i = first >> 6, shift = first & 63;
  Word w[3];
  for (int k = 0; k < 3; ++k) {
    const Word here = wordOfTwoOverPi(i + k), next = wordOfTwoOverPi(i + k + 1);
    w[k] = shift == 0 ? here : here << shift | next >> (64 - shift);
  }
  typedef unsigned __int128 Wide;
  const Wide low = static_cast<Wide>(mantissa) * w[2];
  const Wide middle = static_cast<Wide>(mantissa) * w[1] + static_cast<Word>(low >> 64);
  const Word top = mantissa * w[0] + static_cast<Word>(middle >> 64);
  int quarter = static_cast<int>(top >> 62);
  Word f0 = top << 2 | static_cast<Word>(middle) >> 62;
  Word f1 = static_cast<Word>(middle) << 2 | static_cast<Word>(low) >> 62;
  Word f2 = static_cast<Word>(low) << 2;
  const bool negative = f0 >> 63 != 0;
  if (negative) {  // nearer to the next quarter
    ++quarter;
    f0 = ~f0;
    f1 = ~f1;
    f2 = ~f2;  // one unit in the last place too small, which does not matter
  }
  int zeros = f0 == 0 ? 64 : __builtin_clzll(f0);
  if (zeros == 64) {
    f0 = f1;
    f1 = f2;
    f2 = 0;
  }
  const int s = zeros == 64 ? (f0 == 0 ? 0 : __builtin_clzll(f0)) : zeros;
  if (zeros == 64) zeros += s;
  if (s != 0) {
    f0 = f0 << s | f1 >> (64 - s);
    f1 = f1 << s | f2 >> (64 - s);
  }
  const double hi = mul(static_cast<double>(f0 >> 11), powerOfTwo(x, -53 - zeros));
  const double lo =
      mul(static_cast<double>((f0 & 0x7ff) << 42 | f1 >> 22), powerOfTwo(x, -106 - zeros));
  const Two<double> r = product(hi, 0x1.921fb54442d18p0);
  const double rLo = fma(hi, 0x1.1a62633145c07p-54, fma(lo, 0x1.921fb54442d18p0, r.lo));
  const Two<double> sum = sumOrdered(r.hi, rLo);
  return negative ? Angle<double>{quarter, -sum.hi, -sum.lo}
                  : Angle<double>{quarter, sum.hi, sum.lo};
}

FERMATA_BOTH Angle<double> reduced(double x) {
  if (magnitude(x) < 0x1p20) {
    const double n = nearest(mul(x, 0x1.45f306dc9c883p-1));
    const double a = fma(-n, 0x1.921fb54442d18p0, x);
    const Two<double> p = product(n, 0x1.1a62633145c07p-54);
    const Two<double> r = sum(a, -p.hi);
    const double lo = r.lo - p.lo - mul(n, -0x1.f1976b7ed8fbcp-110);
    return {static_cast<int>(n), r.hi, lo};
  }
  if (!(magnitude(x) < infinity(x))) return {0, notANumber(x), 0.0};
  const Angle<double> a = reducedLarge(magnitude(x));
  return x < 0.0 ? Angle<double>{-a.quarter, -a.hi, -a.lo} : a;
}
FERMATA_BOTH Angle<float> reduced(float x) {
  if (magnitude(x) < 48000.0f) {
    const float n = nearest(mul(x, 0x1.45f306p-1f));
    const float a = fma(-n, -0x1.777a5cp-25f, fma(-n, 0x1.921fb6p0f, x));
    return {static_cast<int>(n), fma(-n, -0x1.ee59dap-50f, a), 0.0f};
  }
  const Angle<double> a = reduced(static_cast<double>(x));
  return {a.quarter, static_cast<float>(a.hi), 0.0f};
}

FERMATA_BOTH double sinReduced(double r, double lo) {
  const double z = mul(r, r);
  const double tail = poly(z, -0x1.5555555555555p-3, 0x1.111111111101fp-7, -0x1.a01a019fe8de3p-13,
                           0x1.71de3a10d6dd4p-19, -0x1.ae63f8fdc710ep-26, 0x1.60e684b29b3fcp-33,
                           -0x1.8db5a7916f0cep-41);
  return r + fma(mul(r, z), tail, fma(mul(lo, z), -0.5, lo));
}
FERMATA_BOTH double cosReduced(double r, double lo) {
  const double z = mul(r, r);
  const double tail = poly(z, 0x1.5555555555555p-5, -0x1.6c16c16c168cap-10, 0x1.a01a019f3838fp-16,
                           -0x1.27e4fa02e3bf8p-22, 0x1.1eeb57d2ffc05p-29, -0x1.907385311fb0ap-37);
  const double w = fma(z, -0.5, 1.0);
  return w + (fma(z, -0.5, 1.0 - w) + fma(mul(z, z), tail, -mul(r, lo)));
}
FERMATA_BOTH float sinReduced(float r, float) {
  const float z = mul(r, r);
  return fma(mul(r, z), poly(z, -0x1.555552p-3f, 0x1.110be2p-7f, -0x1.9ab22ap-13f), r);
}
FERMATA_BOTH float cosReduced(float r, float) {
  const float z = mul(r, r);
  const float tail = poly(z, 0x1.555554p-5f, -0x1.6c129cp-10f, 0x1.9bc68p-16f);
  return fma(mul(z, z), tail, fma(z, -0.5f, 1.0f));
}

/// Returns the sine of the angle plus some quarters; one quarter more gives the cosine.
template <class T>
FERMATA_BOTH T sinOf(const Angle<T>& a, int quarters) {
  const int q = a.quarter + quarters;
  const T value = (q & 1) != 0 ? cosReduced(a.hi, a.lo) : sinReduced(a.hi, a.lo);
  return (q & 2) != 0 ? -value : value;
}
template <class T>
FERMATA_BOTH void sincosOf(const Angle<T>& a, T* s, T* c) {
  const T sine = sinReduced(a.hi, a.lo), cosine = cosReduced(a.hi, a.lo);
  const T first = (a.quarter & 1) != 0 ? cosine : sine;
  const T second = (a.quarter & 1) != 0 ? sine : cosine;
  *s = (a.quarter & 2) != 0 ? -first : first;
  *c = ((a.quarter + 1) & 2) != 0 ? -second : second;
}

template <class T>
FERMATA_BOTH T sin(T x) {
  return x == T(0) ? x : sinOf(reduced(x), 0);
}
template <class T>
FERMATA_BOTH T cos(T x) {
  return sinOf(reduced(x), 1);
}
template <class T>
FERMATA_BOTH void sincos(T x, T* s, T* c) {
  sincosOf(reduced(x), s, c);
  if (x == T(0)) *s = x;
}
template <class T>
FERMATA_BOTH T tan(T x) {
  if (x == T(0)) return x;
  const Angle<T> a = reduced(x);
  const T sine = sinReduced(a.hi, a.lo), cosine = cosReduced(a.hi, a.lo);
  return (a.quarter & 1) != 0 ? -divide(cosine, sine) : divide(sine, cosine);
}

/// Reduces x half turns.
FERMATA_BOTH Angle<double> reducedHalfTurns(double x) {
  if (!(magnitude(x) < infinity(x))) return {0, notANumber(x), 0.0};
  const double y = magnitude(x) < 0x1p53 ? x : 0.0;  // every larger number is even
  const double n = nearest(y + y);
  const double rest = fma(n, -0.5, y);
  const Two<double> r = product(rest, 0x1.921fb54442d18p1);
  return {static_cast<int>(static_cast<long long>(n) & 3), r.hi,
          fma(rest, 0x1.1a62633145c07p-53, r.lo)};
}
FERMATA_BOTH Angle<float> reducedHalfTurns(float x) {
  if (!(magnitude(x) < infinity(x))) return {0, notANumber(x), 0.0f};
  const float y = magnitude(x) < 0x1p24f ? x : 0.0f;
  const float n = nearest(y + y);
  const float rest = fma(n, -0.5f, y);
  return {static_cast<int>(n), fma(rest, 0x1.921fb6p1f, mul(rest, -0x1.777a5cp-24f)), 0.0f};
}
template <class T>
FERMATA_BOTH T sinpi(T x) {
  const T value = sinOf(reducedHalfTurns(x), 0);
  return value == T(0) ? signed_as(value, x) : value;
}
template <class T>
FERMATA_BOTH T cospi(T x) {
  const T value = sinOf(reducedHalfTurns(x), 1);
  return value == T(0) ? T(0) : value;
}

}  // namespace fermata_math
