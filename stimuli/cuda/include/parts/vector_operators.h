// Operators of vectors, element by element.
#pragma once

#include "../cuda_runtime.h"

#define FERMATA_VECTOR inline __host__ __device__

#define FERMATA_OPERATOR_2(V, E, op)              \
  FERMATA_VECTOR V operator op(V a, V b) {        \
    return make_##V(a.x op b.x, a.y op b.y);      \
  }                                               \
  FERMATA_VECTOR V operator op(V a, E b) {        \
    return make_##V(a.x op b, a.y op b);          \
  }                                               \
  FERMATA_VECTOR V operator op(E a, V b) {        \
    return make_##V(a op b.x, a op b.y);          \
  }                                               \
  FERMATA_VECTOR void operator op##=(V& a, V b) { \
    a = a op b;                                   \
  }                                               \
  FERMATA_VECTOR void operator op##=(V& a, E b) { \
    a = a op b;                                   \
  }
#define FERMATA_OPERATOR_3(V, E, op)                     \
  FERMATA_VECTOR V operator op(V a, V b) {               \
    return make_##V(a.x op b.x, a.y op b.y, a.z op b.z); \
  }                                                      \
  FERMATA_VECTOR V operator op(V a, E b) {               \
    return make_##V(a.x op b, a.y op b, a.z op b);       \
  }                                                      \
  FERMATA_VECTOR V operator op(E a, V b) {               \
    return make_##V(a op b.x, a op b.y, a op b.z);       \
  }                                                      \
  FERMATA_VECTOR void operator op##=(V& a, V b) {        \
    a = a op b;                                          \
  }                                                      \
  FERMATA_VECTOR void operator op##=(V& a, E b) {        \
    a = a op b;                                          \
  }
#define FERMATA_OPERATOR_4(V, E, op)                                 \
  FERMATA_VECTOR V operator op(V a, V b) {                           \
    return make_##V(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w); \
  }                                                                  \
  FERMATA_VECTOR V operator op(V a, E b) {                           \
    return make_##V(a.x op b, a.y op b, a.z op b, a.w op b);         \
  }                                                                  \
  FERMATA_VECTOR V operator op(E a, V b) {                           \
    return make_##V(a op b.x, a op b.y, a op b.z, a op b.w);         \
  }                                                                  \
  FERMATA_VECTOR void operator op##=(V& a, V b) {                    \
    a = a op b;                                                      \
  }                                                                  \
  FERMATA_VECTOR void operator op##=(V& a, E b) {                    \
    a = a op b;                                                      \
  }
FERMATA_OPERATOR_2(float2, float, +)
FERMATA_OPERATOR_2(float2, float, -)
FERMATA_OPERATOR_2(float2, float, *)
FERMATA_OPERATOR_2(float2, float, /)
FERMATA_OPERATOR_3(float3, float, +)
FERMATA_OPERATOR_3(float3, float, -)
FERMATA_OPERATOR_3(float3, float, *)
FERMATA_OPERATOR_3(float3, float, /)
FERMATA_OPERATOR_4(float4, float, +)
FERMATA_OPERATOR_4(float4, float, -)
FERMATA_OPERATOR_4(float4, float, *)
FERMATA_OPERATOR_4(float4, float, /)
FERMATA_OPERATOR_2(int2, int, +)
FERMATA_OPERATOR_2(int2, int, -)
FERMATA_OPERATOR_2(int2, int, *)
FERMATA_OPERATOR_2(int2, int, /)
FERMATA_OPERATOR_3(int3, int, +)
FERMATA_OPERATOR_3(int3, int, -)
FERMATA_OPERATOR_3(int3, int, *)
FERMATA_OPERATOR_3(int3, int, /)
FERMATA_OPERATOR_4(int4, int, +)
FERMATA_OPERATOR_4(int4, int, -)
FERMATA_OPERATOR_4(int4, int, *)
FERMATA_OPERATOR_4(int4, int, /)
FERMATA_OPERATOR_2(uint2, unsigned int, +)
FERMATA_OPERATOR_2(uint2, unsigned int, -)
FERMATA_OPERATOR_2(uint2, unsigned int, *)
FERMATA_OPERATOR_2(uint2, unsigned int, /)
FERMATA_OPERATOR_3(uint3, unsigned int, +)
FERMATA_OPERATOR_3(uint3, unsigned int, -)
FERMATA_OPERATOR_3(uint3, unsigned int, *)
FERMATA_OPERATOR_3(uint3, unsigned int, /)
FERMATA_OPERATOR_4(uint4, unsigned int, +)
FERMATA_OPERATOR_4(uint4, unsigned int, -)
FERMATA_OPERATOR_4(uint4, unsigned int, *)
FERMATA_OPERATOR_4(uint4, unsigned int, /)
#undef FERMATA_OPERATOR_2
#undef FERMATA_OPERATOR_3
#undef FERMATA_OPERATOR_4

FERMATA_VECTOR float2 operator-(float2 a) {
  return make_float2(-a.x, -a.y);
}
FERMATA_VECTOR float3 operator-(float3 a) {
  return make_float3(-a.x, -a.y, -a.z);
}
FERMATA_VECTOR float4 operator-(float4 a) {
  return make_float4(-a.x, -a.y, -a.z, -a.w);
}
FERMATA_VECTOR int2 operator-(int2 a) {
  return make_int2(-a.x, -a.y);
}
FERMATA_VECTOR int3 operator-(int3 a) {
  return make_int3(-a.x, -a.y, -a.z);
}
FERMATA_VECTOR int4 operator-(int4 a) {
  return make_int4(-a.x, -a.y, -a.z, -a.w);
}

#undef FERMATA_VECTOR
