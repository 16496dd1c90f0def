// Barriers of warps with a value, fences, clocks and other functions of one instruction.
#pragma once

#include "device_words.h"

// Reductions over the lanes of a mask: one instruction, from sm_80 on as in CUDA.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define FERMATA_REDUCE(name, T, function)                             \
  FERMATA_DEVICE T __reduce_##name##_sync(unsigned mask, T value) {   \
    return static_cast<T>(__nvvm_redux_sync_##function(value, mask)); \
  }
FERMATA_REDUCE(add, int, add)
FERMATA_REDUCE(add, unsigned, add)
FERMATA_REDUCE(min, int, min)
FERMATA_REDUCE(min, unsigned, umin)
FERMATA_REDUCE(max, int, max)
FERMATA_REDUCE(max, unsigned, umax)
FERMATA_REDUCE(and, unsigned, and)
FERMATA_REDUCE(or, unsigned, or)
FERMATA_REDUCE(xor, unsigned, xor)
#undef FERMATA_REDUCE
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
/// Waits for about `nanoseconds`, at most a million.
FERMATA_DEVICE void __nanosleep(unsigned nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
#endif

// A template: a program may define its own function of this name, which is then called.
template <class = void>
FERMATA_DEVICE unsigned long long __globaltimer() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}
FERMATA_DEVICE unsigned __isGlobal(const void* pointer) { return __nvvm_isspacep_global(pointer); }
FERMATA_DEVICE unsigned __isShared(const void* pointer) { return __nvvm_isspacep_shared(pointer); }
FERMATA_DEVICE unsigned __isConstant(const void* pointer) { return __nvvm_isspacep_const(pointer); }
FERMATA_DEVICE unsigned __isLocal(const void* pointer) { return __nvvm_isspacep_local(pointer); }
/// No: the compiler copies such a parameter to local memory.
FERMATA_DEVICE unsigned __isGridConstant(const void*) { return 0; }
// Names without underscores, which CUDA keeps for old programs.
#define FERMATA_OLD_NAME(Result, name, T) \
  FERMATA_DEVICE Result name(T a, T b) { return __##name(a, b); }
FERMATA_OLD_NAME(int, mul24, int)
FERMATA_OLD_NAME(unsigned, umul24, unsigned)
FERMATA_OLD_NAME(int, mulhi, int)
FERMATA_OLD_NAME(unsigned, umulhi, unsigned)
FERMATA_OLD_NAME(long long, mul64hi, long long)
FERMATA_OLD_NAME(unsigned long long, umul64hi, unsigned long long)
#undef FERMATA_OLD_NAME

// Conversions of addresses to a space, and back.
#define FERMATA_SPACE(space)                                             \
  FERMATA_DEVICE size_t __cvta_generic_to_##space(const void* pointer) { \
    return __nv_cvta_generic_to_##space##_impl(pointer);                 \
  }                                                                      \
  FERMATA_DEVICE void* __cvta_##space##_to_generic(size_t address) {     \
    return __nv_cvta_##space##_to_generic_impl(address);                 \
  }
FERMATA_SPACE(global)
FERMATA_SPACE(shared)
FERMATA_SPACE(constant)
FERMATA_SPACE(local)
#undef FERMATA_SPACE

// Dot products of four bytes or two halves.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define FERMATA_DOT(name, Sum, A, B, instruction)                                    \
  FERMATA_DEVICE Sum name(A a, B b, Sum c) {                                         \
    Sum d;                                                                           \
    asm(instruction " %0, %1, %2, %3;"                                               \
        : "=r"(d)                                                                    \
        : "r"(__builtin_bit_cast(int, a)), "r"(__builtin_bit_cast(int, b)), "r"(c)); \
    return d;                                                                        \
  }
FERMATA_DOT(__dp4a, int, int, int, "dp4a.s32.s32")
FERMATA_DOT(__dp4a, unsigned, unsigned, unsigned, "dp4a.u32.u32")
FERMATA_DOT(__dp4a, int, char4, char4, "dp4a.s32.s32")
FERMATA_DOT(__dp4a, unsigned, uchar4, uchar4, "dp4a.u32.u32")
FERMATA_DOT(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
FERMATA_DOT(__dp2a_lo, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
FERMATA_DOT(__dp2a_lo, int, short2, char4, "dp2a.lo.s32.s32")
FERMATA_DOT(__dp2a_lo, unsigned, ushort2, uchar4, "dp2a.lo.u32.u32")
FERMATA_DOT(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
FERMATA_DOT(__dp2a_hi, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
FERMATA_DOT(__dp2a_hi, int, short2, char4, "dp2a.hi.s32.s32")
FERMATA_DOT(__dp2a_hi, unsigned, ushort2, uchar4, "dp2a.hi.u32.u32")
#undef FERMATA_DOT
#endif
