// Loads and stores with a cache hint: __ldcg and the like. The types are those of __ldg.
#pragma once

#include "device_words.h"

// Defines the loads and stores of `Type`, a vector of `n` elements, which are of `Part` in
// registers of kind `c`.
#define FERMATA_HINTS(Type, Part, bits, c, n)                                                   \
  FERMATA_HINT_LOAD_##n(__ldcg, Type, Part, "ld.global.cg." bits, c)                            \
      FERMATA_HINT_LOAD_##n(__ldca, Type, Part, "ld.global.ca." bits, c) FERMATA_HINT_LOAD_##n( \
          __ldcs, Type, Part, "ld.global.cs." bits, c)                                          \
          FERMATA_HINT_LOAD_##n(__ldlu, Type, Part, "ld.global.lu." bits, c)                    \
              FERMATA_HINT_LOAD_##n(__ldcv, Type, Part, "ld.global.cv." bits, c)                \
                  FERMATA_HINT_STORE_##n(__stwb, Type, Part, "st.global.wb." bits, c)           \
                      FERMATA_HINT_STORE_##n(__stcg, Type, Part, "st.global.cg." bits, c)       \
                          FERMATA_HINT_STORE_##n(__stcs, Type, Part, "st.global.cs." bits, c)   \
                              FERMATA_HINT_STORE_##n(__stwt, Type, Part, "st.global.wt." bits, c)
#define FERMATA_HINT_LOAD_1(name, Type, Part, instruction, c)                    \
  FERMATA_DEVICE Type name(const Type* address) {                                \
    Part x;                                                                      \
    asm volatile(instruction " %0, [%1];" : "=" c(x) : "l"(address) : "memory"); \
    return static_cast<Type>(x);                                                 \
  }
#define FERMATA_HINT_STORE_1(name, Type, Part, instruction, c)                                     \
  FERMATA_DEVICE void name(Type* address, Type value) {                                            \
    asm volatile(instruction " [%0], %1;" ::"l"(address), c(static_cast<Part>(value)) : "memory"); \
  }
#define FERMATA_HINT_LOAD_2(name, Type, Part, instruction, c)                                    \
  FERMATA_DEVICE Type name(const Type* address) {                                                \
    Part x, y;                                                                                   \
    asm volatile(instruction " {%0, %1}, [%2];" : "=" c(x), "=" c(y) : "l"(address) : "memory"); \
    Type value;                                                                                  \
    value.x = static_cast<decltype(value.x)>(x);                                                 \
    value.y = static_cast<decltype(value.y)>(y);                                                 \
    return value;                                                                                \
  }
#define FERMATA_HINT_STORE_2(name, Type, Part, instruction, c)                                 \
  FERMATA_DEVICE void name(Type* address, Type value) {                                        \
    asm volatile(instruction " [%0], {%1, %2};" ::"l"(address), c(static_cast<Part>(value.x)), \
                 c(static_cast<Part>(value.y))                                                 \
                 : "memory");                                                                  \
  }
#define FERMATA_HINT_LOAD_4(name, Type, Part, instruction, c) \
  FERMATA_DEVICE Type name(const Type* address) {             \
    Part x, y, z, w;                                          \
    asm volatile(instruction " {%0, %1, %2, %3}, [%4];"       \
                 : "=" c(x), "=" c(y), "=" c(z), "=" c(w)     \
                 : "l"(address)                               \
                 : "memory");                                 \
    Type value;                                               \
    value.x = static_cast<decltype(value.x)>(x);              \
    value.y = static_cast<decltype(value.y)>(y);              \
    value.z = static_cast<decltype(value.z)>(z);              \
    value.w = static_cast<decltype(value.w)>(w);              \
    return value;                                             \
  }
#define FERMATA_HINT_STORE_4(name, Type, Part, instruction, c)                 \
  FERMATA_DEVICE void name(Type* address, Type value) {                        \
    asm volatile(instruction " [%0], {%1, %2, %3, %4};" ::"l"(address),        \
                 c(static_cast<Part>(value.x)), c(static_cast<Part>(value.y)), \
                 c(static_cast<Part>(value.z)), c(static_cast<Part>(value.w))  \
                 : "memory");                                                  \
  }

FERMATA_HINTS(char, short, "s8", "h", 1)
FERMATA_HINTS(signed char, short, "s8", "h", 1)
FERMATA_HINTS(unsigned char, unsigned short, "u8", "h", 1)
FERMATA_HINTS(short, short, "s16", "h", 1)
FERMATA_HINTS(unsigned short, unsigned short, "u16", "h", 1)
FERMATA_HINTS(int, int, "s32", "r", 1)
FERMATA_HINTS(unsigned, unsigned, "u32", "r", 1)
FERMATA_HINTS(long, long, "s64", "l", 1)
FERMATA_HINTS(unsigned long, unsigned long, "u64", "l", 1)
FERMATA_HINTS(long long, long long, "s64", "l", 1)
FERMATA_HINTS(unsigned long long, unsigned long long, "u64", "l", 1)
FERMATA_HINTS(float, float, "f32", "f", 1)
FERMATA_HINTS(double, double, "f64", "d", 1)
FERMATA_HINTS(char2, short, "v2.s8", "h", 2)
FERMATA_HINTS(char4, short, "v4.s8", "h", 4)
FERMATA_HINTS(uchar2, unsigned short, "v2.u8", "h", 2)
FERMATA_HINTS(uchar4, unsigned short, "v4.u8", "h", 4)
FERMATA_HINTS(short2, short, "v2.s16", "h", 2)
FERMATA_HINTS(short4, short, "v4.s16", "h", 4)
FERMATA_HINTS(ushort2, unsigned short, "v2.u16", "h", 2)
FERMATA_HINTS(ushort4, unsigned short, "v4.u16", "h", 4)
FERMATA_HINTS(int2, int, "v2.s32", "r", 2)
FERMATA_HINTS(int4, int, "v4.s32", "r", 4)
FERMATA_HINTS(uint2, unsigned, "v2.u32", "r", 2)
FERMATA_HINTS(uint4, unsigned, "v4.u32", "r", 4)
FERMATA_HINTS(longlong2, long long, "v2.s64", "l", 2)
FERMATA_HINTS(ulonglong2, unsigned long long, "v2.u64", "l", 2)
FERMATA_HINTS(float2, float, "v2.f32", "f", 2)
FERMATA_HINTS(float4, float, "v4.f32", "f", 4)
FERMATA_HINTS(double2, double, "v2.f64", "d", 2)

#undef FERMATA_HINTS
#undef FERMATA_HINT_LOAD_1
#undef FERMATA_HINT_STORE_1
#undef FERMATA_HINT_LOAD_2
#undef FERMATA_HINT_STORE_2
#undef FERMATA_HINT_LOAD_4
#undef FERMATA_HINT_STORE_4
