// Atomic operations in every type that CUDA has them for: of the device, of a block (_block) and of
// the whole system (_system).
#pragma once

#include "device_words.h"

// Defines one operation in its three scopes, over the compiler's own functions.
#define FERMATA_ATOMIC(name, Type, part)                                                           \
  FERMATA_DEVICE Type atomic##name(Type* address, Type value) { return __##part(address, value); } \
  FERMATA_DEVICE Type atomic##name##_block(Type* address, Type value) {                            \
    return __##part##_block(address, value);                                                       \
  }                                                                                                \
  FERMATA_DEVICE Type atomic##name##_system(Type* address, Type value) {                           \
    return __##part##_system(address, value);                                                      \
  }
#define FERMATA_ATOMIC_CAS(Type, scope, part, Bits)                                             \
  FERMATA_DEVICE Type atomicCAS##scope(Type* address, Type compare, Type value) {               \
    return static_cast<Type>(part(reinterpret_cast<Bits*>(address), static_cast<Bits>(compare), \
                                  static_cast<Bits>(value)));                                   \
  }
#define FERMATA_ATOMIC_CAS_ALL(Type, letter, Bits)                         \
  FERMATA_ATOMIC_CAS(Type, , __nvvm_atom_cas_gen_##letter, Bits)           \
  FERMATA_ATOMIC_CAS(Type, _block, __nvvm_atom_cta_cas_gen_##letter, Bits) \
  FERMATA_ATOMIC_CAS(Type, _system, __nvvm_atom_sys_cas_gen_##letter, Bits)

FERMATA_ATOMIC(Add, int, iAtomicAdd)
FERMATA_ATOMIC(Add, unsigned, uAtomicAdd)
FERMATA_ATOMIC(Add, unsigned long long, ullAtomicAdd)
FERMATA_ATOMIC(Add, float, fAtomicAdd)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
FERMATA_ATOMIC(Add, double, dAtomicAdd)
#endif
FERMATA_ATOMIC(Exch, int, iAtomicExch)
FERMATA_ATOMIC(Exch, unsigned, uAtomicExch)
FERMATA_ATOMIC(Exch, unsigned long long, ullAtomicExch)
FERMATA_ATOMIC(Exch, float, fAtomicExch)
FERMATA_ATOMIC(Min, int, iAtomicMin)
FERMATA_ATOMIC(Min, unsigned, uAtomicMin)
FERMATA_ATOMIC(Min, long long, illAtomicMin)
FERMATA_ATOMIC(Min, unsigned long long, ullAtomicMin)
FERMATA_ATOMIC(Max, int, iAtomicMax)
FERMATA_ATOMIC(Max, unsigned, uAtomicMax)
FERMATA_ATOMIC(Max, long long, illAtomicMax)
FERMATA_ATOMIC(Max, unsigned long long, ullAtomicMax)
FERMATA_ATOMIC(And, int, iAtomicAnd)
FERMATA_ATOMIC(And, unsigned, uAtomicAnd)
FERMATA_ATOMIC(And, long long, llAtomicAnd)
FERMATA_ATOMIC(And, unsigned long long, ullAtomicAnd)
FERMATA_ATOMIC(Or, int, iAtomicOr)
FERMATA_ATOMIC(Or, unsigned, uAtomicOr)
FERMATA_ATOMIC(Or, long long, llAtomicOr)
FERMATA_ATOMIC(Or, unsigned long long, ullAtomicOr)
FERMATA_ATOMIC(Xor, int, iAtomicXor)
FERMATA_ATOMIC(Xor, unsigned, uAtomicXor)
FERMATA_ATOMIC(Xor, long long, llAtomicXor)
FERMATA_ATOMIC(Xor, unsigned long long, ullAtomicXor)
FERMATA_ATOMIC(Inc, unsigned, uAtomicInc)
FERMATA_ATOMIC(Dec, unsigned, uAtomicDec)
FERMATA_ATOMIC_CAS_ALL(int, i, int)
FERMATA_ATOMIC_CAS_ALL(unsigned, i, int)
FERMATA_ATOMIC_CAS_ALL(unsigned long long, ll, long long)

#undef FERMATA_ATOMIC
#undef FERMATA_ATOMIC_CAS
#undef FERMATA_ATOMIC_CAS_ALL

#define FERMATA_SUBTRACTION(scope)                                                         \
  FERMATA_DEVICE int atomicSub##scope(int* address, int value) {                           \
    return atomicAdd##scope(address, static_cast<int>(0u - static_cast<unsigned>(value))); \
  }                                                                                        \
  FERMATA_DEVICE unsigned atomicSub##scope(unsigned* address, unsigned value) {            \
    return atomicAdd##scope(address, 0u - value);                                          \
  }
FERMATA_SUBTRACTION()
FERMATA_SUBTRACTION(_block)
FERMATA_SUBTRACTION(_system)
#undef FERMATA_SUBTRACTION

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
