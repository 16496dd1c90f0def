// Arithmetic of vectors in the interface of the CUDA samples: element by element, on the host and
// the device.
#pragma once
#define HELPER_MATH_H  // programs test whether it was included

#include <math.h>

#include "cuda_runtime.h"
#include "parts/vector_operators.h"

#ifndef __CUDACC__
static inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
#endif

#define FERMATA_VECTOR inline __host__ __device__

// Vectors from numbers and from other vectors.
FERMATA_VECTOR float2 make_float2(float s) {
  return make_float2(s, s);
}
FERMATA_VECTOR float3 make_float3(float s) {
  return make_float3(s, s, s);
}
FERMATA_VECTOR float4 make_float4(float s) {
  return make_float4(s, s, s, s);
}
FERMATA_VECTOR float2 make_float2(float3 a) {
  return make_float2(a.x, a.y);
}
FERMATA_VECTOR float3 make_float3(float2 a, float s = 0) {
  return make_float3(a.x, a.y, s);
}
FERMATA_VECTOR float3 make_float3(float4 a) {
  return make_float3(a.x, a.y, a.z);
}
FERMATA_VECTOR float4 make_float4(float3 a, float s = 0) {
  return make_float4(a.x, a.y, a.z, s);
}
FERMATA_VECTOR int2 make_int2(int s) {
  return make_int2(s, s);
}
FERMATA_VECTOR int3 make_int3(int s) {
  return make_int3(s, s, s);
}
FERMATA_VECTOR int4 make_int4(int s) {
  return make_int4(s, s, s, s);
}
FERMATA_VECTOR int2 make_int2(int3 a) {
  return make_int2(a.x, a.y);
}
FERMATA_VECTOR int3 make_int3(int2 a, int s = 0) {
  return make_int3(a.x, a.y, s);
}
FERMATA_VECTOR int3 make_int3(int4 a) {
  return make_int3(a.x, a.y, a.z);
}
FERMATA_VECTOR int4 make_int4(int3 a, int s = 0) {
  return make_int4(a.x, a.y, a.z, s);
}
FERMATA_VECTOR uint2 make_uint2(unsigned int s) {
  return make_uint2(s, s);
}
FERMATA_VECTOR uint3 make_uint3(unsigned int s) {
  return make_uint3(s, s, s);
}
FERMATA_VECTOR uint4 make_uint4(unsigned int s) {
  return make_uint4(s, s, s, s);
}
FERMATA_VECTOR uint2 make_uint2(uint3 a) {
  return make_uint2(a.x, a.y);
}
FERMATA_VECTOR uint3 make_uint3(uint2 a, unsigned int s = 0) {
  return make_uint3(a.x, a.y, s);
}
FERMATA_VECTOR uint3 make_uint3(uint4 a) {
  return make_uint3(a.x, a.y, a.z);
}
FERMATA_VECTOR uint4 make_uint4(uint3 a, unsigned int s = 0) {
  return make_uint4(a.x, a.y, a.z, s);
}
FERMATA_VECTOR float2 make_float2(int2 a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}
FERMATA_VECTOR float3 make_float3(int3 a) {
  return make_float3(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z));
}
FERMATA_VECTOR float4 make_float4(int4 a) {
  return make_float4(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z),
                     static_cast<float>(a.w));
}
FERMATA_VECTOR float2 make_float2(uint2 a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}
FERMATA_VECTOR float3 make_float3(uint3 a) {
  return make_float3(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z));
}
FERMATA_VECTOR float4 make_float4(uint4 a) {
  return make_float4(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z),
                     static_cast<float>(a.w));
}
FERMATA_VECTOR int2 make_int2(float2 a) {
  return make_int2(static_cast<int>(a.x), static_cast<int>(a.y));
}
FERMATA_VECTOR int3 make_int3(float3 a) {
  return make_int3(static_cast<int>(a.x), static_cast<int>(a.y), static_cast<int>(a.z));
}
FERMATA_VECTOR int4 make_int4(float4 a) {
  return make_int4(static_cast<int>(a.x), static_cast<int>(a.y), static_cast<int>(a.z),
                   static_cast<int>(a.w));
}
FERMATA_VECTOR int2 make_int2(uint2 a) {
  return make_int2(static_cast<int>(a.x), static_cast<int>(a.y));
}
FERMATA_VECTOR int3 make_int3(uint3 a) {
  return make_int3(static_cast<int>(a.x), static_cast<int>(a.y), static_cast<int>(a.z));
}
FERMATA_VECTOR int4 make_int4(uint4 a) {
  return make_int4(static_cast<int>(a.x), static_cast<int>(a.y), static_cast<int>(a.z),
                   static_cast<int>(a.w));
}
FERMATA_VECTOR uint2 make_uint2(int2 a) {
  return make_uint2(static_cast<unsigned int>(a.x), static_cast<unsigned int>(a.y));
}
FERMATA_VECTOR uint3 make_uint3(int3 a) {
  return make_uint3(static_cast<unsigned int>(a.x), static_cast<unsigned int>(a.y),
                    static_cast<unsigned int>(a.z));
}
FERMATA_VECTOR uint4 make_uint4(int4 a) {
  return make_uint4(static_cast<unsigned int>(a.x), static_cast<unsigned int>(a.y),
                    static_cast<unsigned int>(a.z), static_cast<unsigned int>(a.w));
}

// Extremes, clamps and interpolation.
FERMATA_VECTOR float lerp(float a, float b, float t) {
  return a + t * (b - a);
}
FERMATA_VECTOR float clamp(float f, float a, float b) {
  return fmaxf(a, fminf(f, b));
}
FERMATA_VECTOR int clamp(int f, int a, int b) {
  return f < a ? a : f > b ? b : f;
}
FERMATA_VECTOR unsigned int clamp(unsigned int f, unsigned int a, unsigned int b) {
  return f < a ? a : f > b ? b : f;
}
FERMATA_VECTOR float fracf(float v) {
  return v - floorf(v);
}
FERMATA_VECTOR float2 fminf(float2 a, float2 b) {
  return make_float2(fminf(a.x, b.x), fminf(a.y, b.y));
}
FERMATA_VECTOR float2 fmaxf(float2 a, float2 b) {
  return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y));
}
FERMATA_VECTOR float2 lerp(float2 a, float2 b, float t) {
  return a + t * (b - a);
}
FERMATA_VECTOR float2 floorf(float2 a) {
  return make_float2(floorf(a.x), floorf(a.y));
}
FERMATA_VECTOR float2 fracf(float2 a) {
  return make_float2(fracf(a.x), fracf(a.y));
}
FERMATA_VECTOR float2 fabs(float2 a) {
  return make_float2(fabsf(a.x), fabsf(a.y));
}
FERMATA_VECTOR float2 fmodf(float2 a, float2 b) {
  return make_float2(fmodf(a.x, b.x), fmodf(a.y, b.y));
}
FERMATA_VECTOR float dot(float2 a, float2 b) {
  return a.x * b.x + a.y * b.y;
}
FERMATA_VECTOR float length(float2 a) {
  return sqrtf(dot(a, a));
}
FERMATA_VECTOR float2 normalize(float2 a) {
  return a * rsqrtf(dot(a, a));
}
FERMATA_VECTOR float2 clamp(float2 v, float a, float b) {
  return make_float2(clamp(v.x, a, b), clamp(v.y, a, b));
}
FERMATA_VECTOR float2 clamp(float2 v, float2 a, float2 b) {
  return make_float2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y));
}
FERMATA_VECTOR int2 clamp(int2 v, int a, int b) {
  return make_int2(clamp(v.x, a, b), clamp(v.y, a, b));
}
FERMATA_VECTOR int2 clamp(int2 v, int2 a, int2 b) {
  return make_int2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y));
}
FERMATA_VECTOR int2 min(int2 a, int2 b) {
  return make_int2(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y);
}
FERMATA_VECTOR int2 max(int2 a, int2 b) {
  return make_int2(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y);
}
FERMATA_VECTOR int dot(int2 a, int2 b) {
  return a.x * b.x + a.y * b.y;
}
FERMATA_VECTOR uint2 clamp(uint2 v, unsigned int a, unsigned int b) {
  return make_uint2(clamp(v.x, a, b), clamp(v.y, a, b));
}
FERMATA_VECTOR uint2 clamp(uint2 v, uint2 a, uint2 b) {
  return make_uint2(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y));
}
FERMATA_VECTOR uint2 min(uint2 a, uint2 b) {
  return make_uint2(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y);
}
FERMATA_VECTOR uint2 max(uint2 a, uint2 b) {
  return make_uint2(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y);
}
FERMATA_VECTOR unsigned int dot(uint2 a, uint2 b) {
  return a.x * b.x + a.y * b.y;
}
FERMATA_VECTOR float2 smoothstep(float2 a, float2 b, float2 x) {
  const float2 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (make_float2(3.0f) - 2.0f * y);
}
FERMATA_VECTOR float3 fminf(float3 a, float3 b) {
  return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}
FERMATA_VECTOR float3 fmaxf(float3 a, float3 b) {
  return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}
FERMATA_VECTOR float3 lerp(float3 a, float3 b, float t) {
  return a + t * (b - a);
}
FERMATA_VECTOR float3 floorf(float3 a) {
  return make_float3(floorf(a.x), floorf(a.y), floorf(a.z));
}
FERMATA_VECTOR float3 fracf(float3 a) {
  return make_float3(fracf(a.x), fracf(a.y), fracf(a.z));
}
FERMATA_VECTOR float3 fabs(float3 a) {
  return make_float3(fabsf(a.x), fabsf(a.y), fabsf(a.z));
}
FERMATA_VECTOR float3 fmodf(float3 a, float3 b) {
  return make_float3(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z));
}
FERMATA_VECTOR float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
FERMATA_VECTOR float length(float3 a) {
  return sqrtf(dot(a, a));
}
FERMATA_VECTOR float3 normalize(float3 a) {
  return a * rsqrtf(dot(a, a));
}
FERMATA_VECTOR float3 clamp(float3 v, float a, float b) {
  return make_float3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
FERMATA_VECTOR float3 clamp(float3 v, float3 a, float3 b) {
  return make_float3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z));
}
FERMATA_VECTOR int3 clamp(int3 v, int a, int b) {
  return make_int3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
FERMATA_VECTOR int3 clamp(int3 v, int3 a, int3 b) {
  return make_int3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z));
}
FERMATA_VECTOR int3 min(int3 a, int3 b) {
  return make_int3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
FERMATA_VECTOR int3 max(int3 a, int3 b) {
  return make_int3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
FERMATA_VECTOR int dot(int3 a, int3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
FERMATA_VECTOR uint3 clamp(uint3 v, unsigned int a, unsigned int b) {
  return make_uint3(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b));
}
FERMATA_VECTOR uint3 clamp(uint3 v, uint3 a, uint3 b) {
  return make_uint3(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z));
}
FERMATA_VECTOR uint3 min(uint3 a, uint3 b) {
  return make_uint3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
FERMATA_VECTOR uint3 max(uint3 a, uint3 b) {
  return make_uint3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
FERMATA_VECTOR unsigned int dot(uint3 a, uint3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
FERMATA_VECTOR float3 smoothstep(float3 a, float3 b, float3 x) {
  const float3 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (make_float3(3.0f) - 2.0f * y);
}
FERMATA_VECTOR float4 fminf(float4 a, float4 b) {
  return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w));
}
FERMATA_VECTOR float4 fmaxf(float4 a, float4 b) {
  return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
}
FERMATA_VECTOR float4 lerp(float4 a, float4 b, float t) {
  return a + t * (b - a);
}
FERMATA_VECTOR float4 floorf(float4 a) {
  return make_float4(floorf(a.x), floorf(a.y), floorf(a.z), floorf(a.w));
}
FERMATA_VECTOR float4 fracf(float4 a) {
  return make_float4(fracf(a.x), fracf(a.y), fracf(a.z), fracf(a.w));
}
FERMATA_VECTOR float4 fabs(float4 a) {
  return make_float4(fabsf(a.x), fabsf(a.y), fabsf(a.z), fabsf(a.w));
}
FERMATA_VECTOR float4 fmodf(float4 a, float4 b) {
  return make_float4(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z), fmodf(a.w, b.w));
}
FERMATA_VECTOR float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
FERMATA_VECTOR float length(float4 a) {
  return sqrtf(dot(a, a));
}
FERMATA_VECTOR float4 normalize(float4 a) {
  return a * rsqrtf(dot(a, a));
}
FERMATA_VECTOR float4 clamp(float4 v, float a, float b) {
  return make_float4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b));
}
FERMATA_VECTOR float4 clamp(float4 v, float4 a, float4 b) {
  return make_float4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z),
                     clamp(v.w, a.w, b.w));
}
FERMATA_VECTOR int4 clamp(int4 v, int a, int b) {
  return make_int4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b));
}
FERMATA_VECTOR int4 clamp(int4 v, int4 a, int4 b) {
  return make_int4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z),
                   clamp(v.w, a.w, b.w));
}
FERMATA_VECTOR int4 min(int4 a, int4 b) {
  return make_int4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
                   a.w < b.w ? a.w : b.w);
}
FERMATA_VECTOR int4 max(int4 a, int4 b) {
  return make_int4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                   a.w > b.w ? a.w : b.w);
}
FERMATA_VECTOR int dot(int4 a, int4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
FERMATA_VECTOR uint4 clamp(uint4 v, unsigned int a, unsigned int b) {
  return make_uint4(clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b));
}
FERMATA_VECTOR uint4 clamp(uint4 v, uint4 a, uint4 b) {
  return make_uint4(clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z),
                    clamp(v.w, a.w, b.w));
}
FERMATA_VECTOR uint4 min(uint4 a, uint4 b) {
  return make_uint4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
                    a.w < b.w ? a.w : b.w);
}
FERMATA_VECTOR uint4 max(uint4 a, uint4 b) {
  return make_uint4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                    a.w > b.w ? a.w : b.w);
}
FERMATA_VECTOR unsigned int dot(uint4 a, uint4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
FERMATA_VECTOR float4 smoothstep(float4 a, float4 b, float4 x) {
  const float4 y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (make_float4(3.0f) - 2.0f * y);
}
FERMATA_VECTOR float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
FERMATA_VECTOR float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
FERMATA_VECTOR float3 reflect(float3 i, float3 n) {
  return i - 2.0f * n * dot(n, i);
}

#undef FERMATA_VECTOR
