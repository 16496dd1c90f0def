// Complex numbers of two floats or two doubles, on the host and the device.
#pragma once
#define CU_COMPLEX_H_  // programs test whether it was included

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define FERMATA_COMPLEX static __inline__ __host__ __device__

// Defines the functions of `Complex`, made of two `Real`; `f` ends the names of floats' functions.
// The quotient is scaled by the divisor's parts so that squares neither overflow nor vanish.
#define FERMATA_COMPLEX_FUNCTIONS(Complex, Real, f)                                    \
  FERMATA_COMPLEX Complex make_##Complex(Real re, Real im) {                           \
    Complex r = {re, im};                                                              \
    return r;                                                                          \
  }                                                                                    \
  FERMATA_COMPLEX Real cuCreal##f(Complex a) { return a.x; }                           \
  FERMATA_COMPLEX Real cuCimag##f(Complex a) { return a.y; }                           \
  FERMATA_COMPLEX Real cuCabs##f(Complex a) { return hypot##f(a.x, a.y); }             \
  FERMATA_COMPLEX Complex cuConj##f(Complex a) { return make_##Complex(a.x, -a.y); }   \
  FERMATA_COMPLEX Complex cuCadd##f(Complex a, Complex b) {                            \
    return make_##Complex(a.x + b.x, a.y + b.y);                                       \
  }                                                                                    \
  FERMATA_COMPLEX Complex cuCsub##f(Complex a, Complex b) {                            \
    return make_##Complex(a.x - b.x, a.y - b.y);                                       \
  }                                                                                    \
  FERMATA_COMPLEX Complex cuCmul##f(Complex a, Complex b) {                            \
    return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);               \
  }                                                                                    \
  FERMATA_COMPLEX Complex cuCdiv##f(Complex a, Complex b) {                            \
    const Real scale = (Real)1 / (fabs##f(b.x) + fabs##f(b.y));                        \
    const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
    const Real square = (Real)1 / (bx * bx + by * by);                                 \
    return make_##Complex((ax * bx + ay * by) * square, (ay * bx - ax * by) * square); \
  }                                                                                    \
  FERMATA_COMPLEX Complex cuCfma##f(Complex a, Complex b, Complex c) {                 \
    return make_##Complex(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);   \
  }
FERMATA_COMPLEX_FUNCTIONS(cuFloatComplex, float, f)
FERMATA_COMPLEX_FUNCTIONS(cuDoubleComplex, double, )
#undef FERMATA_COMPLEX_FUNCTIONS

FERMATA_COMPLEX cuComplex make_cuComplex(float re, float im) { return make_float2(re, im); }
FERMATA_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_double2(a.x, a.y);
}
FERMATA_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}

#undef FERMATA_COMPLEX
