// Complex numbers of two floats or two doubles, on the host and the device.
#pragma once
#define CU_COMPLEX_H_  // programs test whether it was included

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define FERMATA_COMPLEX static __inline__ __host__ __device__

FERMATA_COMPLEX float cuCrealf(cuFloatComplex a) {
  return a.x;
}
FERMATA_COMPLEX float cuCimagf(cuFloatComplex a) {
  return a.y;
}
FERMATA_COMPLEX cuFloatComplex make_cuFloatComplex(float re, float im) {
  return make_float2(re, im);
}
FERMATA_COMPLEX cuFloatComplex cuConjf(cuFloatComplex a) {
  return make_float2(a.x, -a.y);
}
FERMATA_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
FERMATA_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
FERMATA_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/// Divides, scaled by the divisor's parts so that squares neither overflow nor vanish.
FERMATA_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
  const float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const float square = 1.0f / (bx * bx + by * by);
  return make_float2((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);
}
FERMATA_COMPLEX float cuCabsf(cuFloatComplex a) {
  return hypotf(a.x, a.y);
}
FERMATA_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return make_float2(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

FERMATA_COMPLEX double cuCreal(cuDoubleComplex a) {
  return a.x;
}
FERMATA_COMPLEX double cuCimag(cuDoubleComplex a) {
  return a.y;
}
FERMATA_COMPLEX cuDoubleComplex make_cuDoubleComplex(double re, double im) {
  return make_double2(re, im);
}
FERMATA_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex a) {
  return make_double2(a.x, -a.y);
}
FERMATA_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
FERMATA_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
FERMATA_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
FERMATA_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1.0 / (fabs(b.x) + fabs(b.y));
  const double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const double square = 1.0 / (bx * bx + by * by);
  return make_double2((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);
}
FERMATA_COMPLEX double cuCabs(cuDoubleComplex a) {
  return hypot(a.x, a.y);
}
FERMATA_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return make_double2(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

FERMATA_COMPLEX cuComplex make_cuComplex(float re, float im) {
  return make_float2(re, im);
}
FERMATA_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_double2(a.x, a.y);
}
FERMATA_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}

#undef FERMATA_COMPLEX
