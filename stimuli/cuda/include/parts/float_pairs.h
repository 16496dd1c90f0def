// Arithmetic on pairs of floats (__fadd2_rn ...): one instruction from sm_100 on, else two.
#pragma once

#define FERMATA_PAIR_OWN __device__ inline __attribute__((always_inline, nodebug, unused))

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define FERMATA_FLOAT_PAIRS(mode, rounding)                                                    \
  FERMATA_PAIR_OWN float2 __fadd2_##mode(float2 x, float2 y) {                                 \
    float2 d;                                                                                  \
    asm("{ .reg .b64 x, y; mov.b64 x, {%2, %3}; mov.b64 y, {%4, %5}; add." rounding            \
        ".f32x2 x, x, y; mov.b64 {%0, %1}, x; }"                                               \
        : "=f"(d.x), "=f"(d.y)                                                                 \
        : "f"(x.x), "f"(x.y), "f"(y.x), "f"(y.y));                                             \
    return d;                                                                                  \
  }                                                                                            \
  FERMATA_PAIR_OWN float2 __fmul2_##mode(float2 x, float2 y) {                                 \
    float2 d;                                                                                  \
    asm("{ .reg .b64 x, y; mov.b64 x, {%2, %3}; mov.b64 y, {%4, %5}; mul." rounding            \
        ".f32x2 x, x, y; mov.b64 {%0, %1}, x; }"                                               \
        : "=f"(d.x), "=f"(d.y)                                                                 \
        : "f"(x.x), "f"(x.y), "f"(y.x), "f"(y.y));                                             \
    return d;                                                                                  \
  }                                                                                            \
  FERMATA_PAIR_OWN float2 __ffma2_##mode(float2 x, float2 y, float2 z) {                       \
    float2 d;                                                                                  \
    asm("{ .reg .b64 x, y, z; mov.b64 x, {%2, %3}; mov.b64 y, {%4, %5}; mov.b64 z, {%6, %7}; " \
        "fma." rounding ".f32x2 x, x, y, z; mov.b64 {%0, %1}, x; }"                            \
        : "=f"(d.x), "=f"(d.y)                                                                 \
        : "f"(x.x), "f"(x.y), "f"(y.x), "f"(y.y), "f"(z.x), "f"(z.y));                         \
    return d;                                                                                  \
  }
#else
#define FERMATA_FLOAT_PAIRS(mode, rounding)                              \
  FERMATA_PAIR_OWN float2 __fadd2_##mode(float2 x, float2 y) {           \
    return {__fadd_##mode(x.x, y.x), __fadd_##mode(x.y, y.y)};           \
  }                                                                      \
  FERMATA_PAIR_OWN float2 __fmul2_##mode(float2 x, float2 y) {           \
    return {__fmul_##mode(x.x, y.x), __fmul_##mode(x.y, y.y)};           \
  }                                                                      \
  FERMATA_PAIR_OWN float2 __ffma2_##mode(float2 x, float2 y, float2 z) { \
    return {__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y)}; \
  }
#endif

FERMATA_FLOAT_PAIRS(rn, "rn")
FERMATA_FLOAT_PAIRS(rz, "rz")
FERMATA_FLOAT_PAIRS(rd, "rm")
FERMATA_FLOAT_PAIRS(ru, "rp")

#undef FERMATA_FLOAT_PAIRS
#undef FERMATA_PAIR_OWN
