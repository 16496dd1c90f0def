// Arithmetic in each rounding direction, exact by IEEE 754.
#pragma once

#include "device_words.h"

// Uses assembly: the optimiser treats the builtins for round-to-nearest as any sum or product and
// fuses them, which these operations forbid.
#define FERMATA_ROUND_1(name, Type, letter, instruction)     \
  FERMATA_DEVICE Type name(Type a) {                         \
    Type r;                                                  \
    asm(instruction " %0, %1;" : "=" letter(r) : letter(a)); \
    return r;                                                \
  }
#define FERMATA_ROUND_2(name, Type, letter, instruction)                    \
  FERMATA_DEVICE Type name(Type a, Type b) {                                \
    Type r;                                                                 \
    asm(instruction " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b)); \
    return r;                                                               \
  }
#define FERMATA_ROUND_3(name, Type, letter, instruction)                                   \
  FERMATA_DEVICE Type name(Type a, Type b, Type c) {                                       \
    Type r;                                                                                \
    asm(instruction " %0, %1, %2, %3;" : "=" letter(r) : letter(a), letter(b), letter(c)); \
    return r;                                                                              \
  }
// `start`: beginning of a type's names; `way`: the direction in CUDA's names; `ending`: in PTX.
#define FERMATA_ROUND(start, fused, Type, letter, way, ending)            \
  FERMATA_ROUND_2(__nv_##start##add_##way, Type, letter, "add." ending)   \
  FERMATA_ROUND_2(__nv_##start##sub_##way, Type, letter, "sub." ending)   \
  FERMATA_ROUND_2(__nv_##start##mul_##way, Type, letter, "mul." ending)   \
  FERMATA_ROUND_2(__nv_##start##div_##way, Type, letter, "div." ending)   \
  FERMATA_ROUND_1(__nv_##start##rcp_##way, Type, letter, "rcp." ending)   \
  FERMATA_ROUND_1(__nv_##start##sqrt_##way, Type, letter, "sqrt." ending) \
  FERMATA_ROUND_3(__nv_##fused##_##way, Type, letter, "fma." ending)
#define FERMATA_ROUND_BOTH(way, ptx)                              \
  FERMATA_ROUND(f, fmaf, float, "f", way, ptx FERMATA_FTZ ".f32") \
  FERMATA_ROUND(d, fma, double, "d", way, ptx ".f64")             \
  FERMATA_ROUND_3(__nv_fmaf_ieee_##way, float, "f", "fma." ptx ".f32")

FERMATA_ROUND_BOTH(rn, "rn")
FERMATA_ROUND_BOTH(rz, "rz")
FERMATA_ROUND_BOTH(ru, "rp")
FERMATA_ROUND_BOTH(rd, "rm")

#undef FERMATA_ROUND_BOTH
#undef FERMATA_ROUND
#undef FERMATA_ROUND_3
#undef FERMATA_ROUND_2
#undef FERMATA_ROUND_1
