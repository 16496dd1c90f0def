// Atomic operations in every type that CUDA has them for: of the device, of a block (_block) and of
// the whole system (_system). They return the old value. Address spaces are inferred, so that an
// atomic on a __shared__ array becomes atom.shared.
#pragma once

#include "device_words.h"

// Defines an operation in its three scopes, over the compiler's functions for `Bits`: the sign
// makes no difference to most operations.
#define FERMATA_ATOMIC(name, Type, Bits, function)                                               \
  FERMATA_DEVICE Type atomic##name(Type* address, Type value) {                                  \
    return static_cast<Type>(                                                                    \
        __nvvm_atom_##function(reinterpret_cast<Bits*>(address), static_cast<Bits>(value)));     \
  }                                                                                              \
  FERMATA_DEVICE Type atomic##name##_block(Type* address, Type value) {                          \
    return static_cast<Type>(                                                                    \
        __nvvm_atom_cta_##function(reinterpret_cast<Bits*>(address), static_cast<Bits>(value))); \
  }                                                                                              \
  FERMATA_DEVICE Type atomic##name##_system(Type* address, Type value) {                         \
    return static_cast<Type>(                                                                    \
        __nvvm_atom_sys_##function(reinterpret_cast<Bits*>(address), static_cast<Bits>(value))); \
  }
FERMATA_ATOMIC(Add, int, int, add_gen_i)
FERMATA_ATOMIC(Add, unsigned, int, add_gen_i)
FERMATA_ATOMIC(Add, unsigned long long, long long, add_gen_ll)
FERMATA_ATOMIC(Add, float, float, add_gen_f)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
FERMATA_ATOMIC(Add, double, double, add_gen_d)
#endif
FERMATA_ATOMIC(Exch, int, int, xchg_gen_i)
FERMATA_ATOMIC(Exch, unsigned, int, xchg_gen_i)
FERMATA_ATOMIC(Exch, unsigned long long, long long, xchg_gen_ll)
FERMATA_ATOMIC(Min, int, int, min_gen_i)
FERMATA_ATOMIC(Min, unsigned, unsigned, min_gen_ui)
FERMATA_ATOMIC(Min, long long, long long, min_gen_ll)
FERMATA_ATOMIC(Min, unsigned long long, unsigned long long, min_gen_ull)
FERMATA_ATOMIC(Max, int, int, max_gen_i)
FERMATA_ATOMIC(Max, unsigned, unsigned, max_gen_ui)
FERMATA_ATOMIC(Max, long long, long long, max_gen_ll)
FERMATA_ATOMIC(Max, unsigned long long, unsigned long long, max_gen_ull)
FERMATA_ATOMIC(And, int, int, and_gen_i)
FERMATA_ATOMIC(And, unsigned, int, and_gen_i)
FERMATA_ATOMIC(And, long long, long long, and_gen_ll)
FERMATA_ATOMIC(And, unsigned long long, long long, and_gen_ll)
FERMATA_ATOMIC(Or, int, int, or_gen_i)
FERMATA_ATOMIC(Or, unsigned, int, or_gen_i)
FERMATA_ATOMIC(Or, long long, long long, or_gen_ll)
FERMATA_ATOMIC(Or, unsigned long long, long long, or_gen_ll)
FERMATA_ATOMIC(Xor, int, int, xor_gen_i)
FERMATA_ATOMIC(Xor, unsigned, int, xor_gen_i)
FERMATA_ATOMIC(Xor, long long, long long, xor_gen_ll)
FERMATA_ATOMIC(Xor, unsigned long long, long long, xor_gen_ll)
FERMATA_ATOMIC(Inc, unsigned, unsigned, inc_gen_ui)
FERMATA_ATOMIC(Dec, unsigned, unsigned, dec_gen_ui)
#undef FERMATA_ATOMIC

#define FERMATA_ATOMIC_CAS(Type, scope, Bits, function)                                       \
  FERMATA_DEVICE Type atomicCAS##scope(Type* address, Type compare, Type value) {             \
    return static_cast<Type>(function(reinterpret_cast<Bits*>(address),                       \
                                      static_cast<Bits>(compare), static_cast<Bits>(value))); \
  }
#define FERMATA_ATOMIC_SCOPE(scope, part)                                                       \
  FERMATA_ATOMIC_CAS(int, scope, int, __nvvm_atom_##part##cas_gen_i)                            \
  FERMATA_ATOMIC_CAS(unsigned, scope, int, __nvvm_atom_##part##cas_gen_i)                       \
  FERMATA_ATOMIC_CAS(unsigned long long, scope, long long, __nvvm_atom_##part##cas_gen_ll)      \
  FERMATA_DEVICE float atomicExch##scope(float* address, float value) {                         \
    const int bits = __builtin_bit_cast(int, value);                                            \
    return __builtin_bit_cast(float, atomicExch##scope(reinterpret_cast<int*>(address), bits)); \
  }                                                                                             \
  FERMATA_DEVICE int atomicSub##scope(int* address, int value) {                                \
    return atomicAdd##scope(address, static_cast<int>(0u - static_cast<unsigned>(value)));      \
  }                                                                                             \
  FERMATA_DEVICE unsigned atomicSub##scope(unsigned* address, unsigned value) {                 \
    return atomicAdd##scope(address, 0u - value);                                               \
  }
FERMATA_ATOMIC_SCOPE(, )
FERMATA_ATOMIC_SCOPE(_block, cta_)
FERMATA_ATOMIC_SCOPE(_system, sys_)
#undef FERMATA_ATOMIC_CAS
#undef FERMATA_ATOMIC_SCOPE

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
FERMATA_DEVICE unsigned short atomicCAS(unsigned short* address, unsigned short compare,
                                        unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(address), "h"(compare), "h"(value)
               : "memory");
  return old;
}
#endif
