// Loads and stores with a cache hint: __ldcg and the like. The types are those of __ldg.
#pragma once

#include "device_words.h"

#define FERMATA_HINT_1(Type, Part, bits, c)                         \
  FERMATA_HINT_LOAD_1(__ldcg, Type, Part, "ld.global.cg." bits, c)  \
  FERMATA_HINT_LOAD_1(__ldca, Type, Part, "ld.global.ca." bits, c)  \
  FERMATA_HINT_LOAD_1(__ldcs, Type, Part, "ld.global.cs." bits, c)  \
  FERMATA_HINT_LOAD_1(__ldlu, Type, Part, "ld.global.lu." bits, c)  \
  FERMATA_HINT_LOAD_1(__ldcv, Type, Part, "ld.global.cv." bits, c)  \
  FERMATA_HINT_STORE_1(__stwb, Type, Part, "st.global.wb." bits, c) \
  FERMATA_HINT_STORE_1(__stcg, Type, Part, "st.global.cg." bits, c) \
  FERMATA_HINT_STORE_1(__stcs, Type, Part, "st.global.cs." bits, c) \
  FERMATA_HINT_STORE_1(__stwt, Type, Part, "st.global.wt." bits, c)
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
#define FERMATA_HINT_N(Type, Part, bits, c, n)                                                     \
  FERMATA_HINT_LOAD_##n(__ldcg, Type, Part, "ld.global.cg.v" #n "." bits, c)                       \
      FERMATA_HINT_LOAD_##n(__ldca, Type, Part, "ld.global.ca.v" #n "." bits, c)                   \
          FERMATA_HINT_LOAD_##n(__ldcs, Type, Part, "ld.global.cs.v" #n "." bits, c)               \
              FERMATA_HINT_LOAD_##n(__ldlu, Type, Part, "ld.global.lu.v" #n "." bits, c)           \
                  FERMATA_HINT_LOAD_##n(__ldcv, Type, Part, "ld.global.cv.v" #n "." bits, c)       \
                      FERMATA_HINT_STORE_##n(__stwb, Type, Part, "st.global.wb.v" #n "." bits, c)  \
                          FERMATA_HINT_STORE_##n(__stcg, Type, Part, "st.global.cg.v" #n "." bits, \
                                                 c)                                                \
                              FERMATA_HINT_STORE_##n(__stcs, Type, Part,                           \
                                                     "st.global.cs.v" #n "." bits, c)              \
                                  FERMATA_HINT_STORE_##n(__stwt, Type, Part,                       \
                                                         "st.global.wt.v" #n "." bits, c)
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

FERMATA_HINT_1(char, short, "s8", "h")
FERMATA_HINT_1(signed char, short, "s8", "h")
FERMATA_HINT_1(unsigned char, unsigned short, "u8", "h")
FERMATA_HINT_1(short, short, "s16", "h")
FERMATA_HINT_1(unsigned short, unsigned short, "u16", "h")
FERMATA_HINT_1(int, int, "s32", "r")
FERMATA_HINT_1(unsigned, unsigned, "u32", "r")
FERMATA_HINT_1(long, long, "s64", "l")
FERMATA_HINT_1(unsigned long, unsigned long, "u64", "l")
FERMATA_HINT_1(long long, long long, "s64", "l")
FERMATA_HINT_1(unsigned long long, unsigned long long, "u64", "l")
FERMATA_HINT_1(float, float, "f32", "f")
FERMATA_HINT_1(double, double, "f64", "d")
FERMATA_HINT_N(char2, short, "s8", "h", 2)
FERMATA_HINT_N(char4, short, "s8", "h", 4)
FERMATA_HINT_N(uchar2, unsigned short, "u8", "h", 2)
FERMATA_HINT_N(uchar4, unsigned short, "u8", "h", 4)
FERMATA_HINT_N(short2, short, "s16", "h", 2)
FERMATA_HINT_N(short4, short, "s16", "h", 4)
FERMATA_HINT_N(ushort2, unsigned short, "u16", "h", 2)
FERMATA_HINT_N(ushort4, unsigned short, "u16", "h", 4)
FERMATA_HINT_N(int2, int, "s32", "r", 2)
FERMATA_HINT_N(int4, int, "s32", "r", 4)
FERMATA_HINT_N(uint2, unsigned, "u32", "r", 2)
FERMATA_HINT_N(uint4, unsigned, "u32", "r", 4)
FERMATA_HINT_N(longlong2, long long, "s64", "l", 2)
FERMATA_HINT_N(ulonglong2, unsigned long long, "u64", "l", 2)
FERMATA_HINT_N(float2, float, "f32", "f", 2)
FERMATA_HINT_N(float4, float, "f32", "f", 4)
FERMATA_HINT_N(double2, double, "f64", "d", 2)

#undef FERMATA_HINT_1
#undef FERMATA_HINT_LOAD_1
#undef FERMATA_HINT_STORE_1
#undef FERMATA_HINT_N
#undef FERMATA_HINT_LOAD_2
#undef FERMATA_HINT_STORE_2
#undef FERMATA_HINT_LOAD_4
#undef FERMATA_HINT_STORE_4
