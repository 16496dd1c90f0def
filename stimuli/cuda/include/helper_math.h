// Arithmetic of vectors in the interface of the CUDA samples: element by element, on the host and
// the device.
#pragma once
#define HELPER_MATH_H  // programs test whether it was included

#include <math.h>

#include "cuda_runtime.h"

#ifndef __CUDACC__
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

#define FERMATA_FUNCTION inline __host__ __device__

// Values of a macro `f` for each element, as arguments or added up.
#define FERMATA_EACH_2(f, how) f(x, how), f(y, how)
#define FERMATA_EACH_3(f, how) f(x, how), f(y, how), f(z, how)
#define FERMATA_EACH_4(f, how) f(x, how), f(y, how), f(z, how), f(w, how)
#define FERMATA_SUM_2(f, how) f(x, how) + f(y, how)
#define FERMATA_SUM_3(f, how) f(x, how) + f(y, how) + f(z, how)
#define FERMATA_SUM_4(f, how) f(x, how) + f(y, how) + f(z, how) + f(w, how)
// Such macros, for element `e` of the vectors `a` and `b`.
#define FERMATA_CAST(e, type) static_cast<type>(a.e)
#define FERMATA_PREFIX(e, op) op a.e
#define FERMATA_BETWEEN(e, op) a.e op b.e
#define FERMATA_BY_NUMBER(e, op) a.e op b
#define FERMATA_OF_NUMBER(e, op) a op b.e
#define FERMATA_CHOICE(e, op) a.e op b.e ? a.e : b.e
#define FERMATA_CALL(e, function) function(a.e)
#define FERMATA_CALL_2(e, function) function(a.e, b.e)
#define FERMATA_CLAMP(e, function) function(v.e, a, b)
#define FERMATA_CLAMP_EACH(e, function) function(v.e, a.e, b.e)

// Vectors from numbers and from longer, shorter and other vectors.
#define FERMATA_MAKE(name, E)                                                                  \
  FERMATA_FUNCTION name##2 make_##name##2(E s) { return make_##name##2(s, s); }                \
  FERMATA_FUNCTION name##3 make_##name##3(E s) { return make_##name##3(s, s, s); }             \
  FERMATA_FUNCTION name##4 make_##name##4(E s) { return make_##name##4(s, s, s, s); }          \
  FERMATA_FUNCTION name##2 make_##name##2(name##3 a) { return make_##name##2(a.x, a.y); }      \
  FERMATA_FUNCTION name##3 make_##name##3(name##2 a, E s = 0) {                                \
    return make_##name##3(a.x, a.y, s);                                                        \
  }                                                                                            \
  FERMATA_FUNCTION name##3 make_##name##3(name##4 a) { return make_##name##3(a.x, a.y, a.z); } \
  FERMATA_FUNCTION name##4 make_##name##4(name##3 a, E s = 0) {                                \
    return make_##name##4(a.x, a.y, a.z, s);                                                   \
  }
FERMATA_MAKE(float, float)
FERMATA_MAKE(int, int)
FERMATA_MAKE(uint, unsigned int)
#define FERMATA_CONVERT(To, E, From)                      \
  FERMATA_FUNCTION To##2 make_##To##2(From##2 a) {        \
    return make_##To##2(FERMATA_EACH_2(FERMATA_CAST, E)); \
  }                                                       \
  FERMATA_FUNCTION To##3 make_##To##3(From##3 a) {        \
    return make_##To##3(FERMATA_EACH_3(FERMATA_CAST, E)); \
  }                                                       \
  FERMATA_FUNCTION To##4 make_##To##4(From##4 a) {        \
    return make_##To##4(FERMATA_EACH_4(FERMATA_CAST, E)); \
  }
FERMATA_CONVERT(float, float, int)
FERMATA_CONVERT(float, float, uint)
FERMATA_CONVERT(int, int, float)
FERMATA_CONVERT(int, int, uint)
FERMATA_CONVERT(uint, unsigned int, int)

// Functions of numbers.
FERMATA_FUNCTION float lerp(float a, float b, float t) { return a + t * (b - a); }
FERMATA_FUNCTION float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
FERMATA_FUNCTION int clamp(int f, int a, int b) { return f < a ? a : f > b ? b : f; }
FERMATA_FUNCTION unsigned int clamp(unsigned int f, unsigned int a, unsigned int b) {
  return f < a ? a : f > b ? b : f;
}
FERMATA_FUNCTION float fracf(float v) { return v - floorf(v); }
FERMATA_FUNCTION float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

// Operators and functions of all vectors.
#define FERMATA_OPERATOR(V, E, n, op)                             \
  FERMATA_FUNCTION V operator op(V a, V b) {                      \
    return make_##V(FERMATA_EACH_##n(FERMATA_BETWEEN, op));       \
  }                                                               \
  FERMATA_FUNCTION V operator op(V a, E b) {                      \
    return make_##V(FERMATA_EACH_##n(FERMATA_BY_NUMBER, op));     \
  }                                                               \
  FERMATA_FUNCTION V operator op(E a, V b) {                      \
    return make_##V(FERMATA_EACH_##n(FERMATA_OF_NUMBER, op));     \
  }                                                               \
  FERMATA_FUNCTION void operator op##=(V& a, V b) { a = a op b; } \
  FERMATA_FUNCTION void operator op##=(V& a, E b) { a = a op b; }
#define FERMATA_ARITHMETIC(V, E, n)                                                \
  FERMATA_OPERATOR(V, E, n, +)                                                     \
  FERMATA_OPERATOR(V, E, n, -)                                                     \
  FERMATA_OPERATOR(V, E, n, *)                                                     \
  FERMATA_OPERATOR(V, E, n, /)                                                     \
  FERMATA_FUNCTION E dot(V a, V b) { return FERMATA_SUM_##n(FERMATA_BETWEEN, *); } \
  FERMATA_FUNCTION V clamp(V v, E a, E b) {                                        \
    return make_##V(FERMATA_EACH_##n(FERMATA_CLAMP, clamp));                       \
  }                                                                                \
  FERMATA_FUNCTION V clamp(V v, V a, V b) {                                        \
    return make_##V(FERMATA_EACH_##n(FERMATA_CLAMP_EACH, clamp));                  \
  }
#define FERMATA_NEGATIVE(V, n) \
  FERMATA_FUNCTION V operator-(V a) { return make_##V(FERMATA_EACH_##n(FERMATA_PREFIX, -)); }
#define FERMATA_EXTREMES(V, n)                                                               \
  FERMATA_FUNCTION V min(V a, V b) { return make_##V(FERMATA_EACH_##n(FERMATA_CHOICE, <)); } \
  FERMATA_FUNCTION V max(V a, V b) { return make_##V(FERMATA_EACH_##n(FERMATA_CHOICE, >)); }
#define FERMATA_FLOATS(V, n)                                                                       \
  FERMATA_FUNCTION V fminf(V a, V b) { return make_##V(FERMATA_EACH_##n(FERMATA_CALL_2, fminf)); } \
  FERMATA_FUNCTION V fmaxf(V a, V b) { return make_##V(FERMATA_EACH_##n(FERMATA_CALL_2, fmaxf)); } \
  FERMATA_FUNCTION V fmodf(V a, V b) { return make_##V(FERMATA_EACH_##n(FERMATA_CALL_2, fmodf)); } \
  FERMATA_FUNCTION V floorf(V a) { return make_##V(FERMATA_EACH_##n(FERMATA_CALL, floorf)); }      \
  FERMATA_FUNCTION V fracf(V a) { return make_##V(FERMATA_EACH_##n(FERMATA_CALL, fracf)); }        \
  FERMATA_FUNCTION V fabs(V a) { return make_##V(FERMATA_EACH_##n(FERMATA_CALL, fabsf)); }         \
  FERMATA_FUNCTION V lerp(V a, V b, float t) { return a + t * (b - a); }                           \
  FERMATA_FUNCTION float length(V a) { return sqrtf(dot(a, a)); }                                  \
  FERMATA_FUNCTION V normalize(V a) { return a * rsqrtf(dot(a, a)); }                              \
  FERMATA_FUNCTION V smoothstep(V a, V b, V x) {                                                   \
    const V y = clamp((x - a) / (b - a), 0.0f, 1.0f);                                              \
    return y * y * (make_##V(3.0f) - 2.0f * y);                                                    \
  }
#define FERMATA_LENGTH(n)                      \
  FERMATA_ARITHMETIC(float##n, float, n)       \
  FERMATA_ARITHMETIC(int##n, int, n)           \
  FERMATA_ARITHMETIC(uint##n, unsigned int, n) \
  FERMATA_NEGATIVE(float##n, n)                \
  FERMATA_NEGATIVE(int##n, n)                  \
  FERMATA_EXTREMES(int##n, n)                  \
  FERMATA_EXTREMES(uint##n, n)                 \
  FERMATA_FLOATS(float##n, n)
FERMATA_LENGTH(2)
FERMATA_LENGTH(3)
FERMATA_LENGTH(4)

FERMATA_FUNCTION float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
FERMATA_FUNCTION float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }

#undef FERMATA_FUNCTION
#undef FERMATA_EACH_2
#undef FERMATA_EACH_3
#undef FERMATA_EACH_4
#undef FERMATA_SUM_2
#undef FERMATA_SUM_3
#undef FERMATA_SUM_4
#undef FERMATA_CAST
#undef FERMATA_PREFIX
#undef FERMATA_BETWEEN
#undef FERMATA_BY_NUMBER
#undef FERMATA_OF_NUMBER
#undef FERMATA_CHOICE
#undef FERMATA_CALL
#undef FERMATA_CALL_2
#undef FERMATA_CLAMP
#undef FERMATA_CLAMP_EACH
#undef FERMATA_MAKE
#undef FERMATA_CONVERT
#undef FERMATA_OPERATOR
#undef FERMATA_ARITHMETIC
#undef FERMATA_NEGATIVE
#undef FERMATA_EXTREMES
#undef FERMATA_FLOATS
#undef FERMATA_LENGTH
