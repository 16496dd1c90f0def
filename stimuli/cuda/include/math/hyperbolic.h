// sinh, cosh, tanh.
#pragma once

#include "exponential.h"

namespace fermata_math {

/// Returns (sinh(x) - x) / x^3 for z = x^2 <= 1.
FERMATA_BOTH double sinhTail(double z) {
  return poly(z, 0x1.5555555555555p-3, 0x1.1111111111212p-7, 0x1.a01a019fe19b4p-13,
              0x1.71de3aae51dd9p-19, 0x1.ae63c1f41f435p-26, 0x1.61b1223cac178p-33,
              0x1.169fb10ff3f85p-41, 0x1.620daad064a16p-43, -0x1.47ad8759052f5p-45);
}
FERMATA_BOTH float sinhTail(float z) {
  return poly(z, 0x1.555556p-3f, 0x1.1110c4p-7f, 0x1.a036dap-13f, 0x1.720e84p-19f);
}
/// Returns (tanh(x) - x) / x^3 for z = x^2 <= 0.3.
FERMATA_BOTH double tanhTail(double z) {
  return poly(z, -0x1.5555555555555p-2, 0x1.1111111111008p-3, -0x1.ba1ba1b9fd0aep-5,
              0x1.664f4875974c8p-6, -0x1.226e322cbb02ap-7, 0x1.d6d2d932ff073p-9,
              -0x1.7d8a8fa17d13fp-10, 0x1.33a3ea0c881d8p-11, -0x1.cbdf0addef497p-13,
              0x1.abca8765805c5p-17, 0x1.aba1e3264cab6p-13, -0x1.ce23f264aa3dbp-12,
              0x1.041b1b850324ep-11, -0x1.ff77a846037fcp-13);
}
FERMATA_BOTH float tanhTail(float z) {
  return poly(z, -0x1.555554p-2f, 0x1.110fc4p-3f, -0x1.b9993cp-5f, 0x1.5ce4a2p-6f, -0x1.afceb8p-8f);
}

/// Returns exp(a) / 2, which may be finite although exp(a) is not.
template <class T>
FERMATA_BOTH T halfExp(T a) {
  using Split = decltype(split(a));
  const Two<T> s = sum(a, -Split::ln2);
  return expOfTwo(s.hi, s.lo - Split::ln2Rest);
}
template <class T>
FERMATA_BOTH T sinh(T x) {
  const T a = magnitude(x);
  if (a < T(1)) {
    const T z = mul(x, x);
    return fma(mul(x, z), sinhTail(z), x);
  }
  const T e = halfExp(a);
  return signed_as(a > T(22) ? e : e - divide(T(0.25), e), x);
}
template <class T>
FERMATA_BOTH T cosh(T x) {
  const T e = halfExp(magnitude(x));
  return e + divide(T(0.25), e);
}
template <class T>
FERMATA_BOTH T tanh(T x) {
  const T a = magnitude(x);
  if (a < T(0.55)) {
    const T z = mul(a, a);
    return signed_as(fma(mul(a, z), tanhTail(z), a), x);
  }
  if (isNan(x)) return x;
  const T y = a > T(22) ? T(1) : T(1) - divide(T(2), exp(a + a) + T(1));
  return signed_as(y, x);
}

}  // namespace fermata_math
