// Atomics of fermata_cuda.h, which return the old value. Address spaces are inferred, so that an
// atomic on a __shared__ array becomes atom.shared.
#pragma once

// Defines an atomic of `Type` by the compiler's function for `Bits`: the sign makes no difference
// to most operations.
#define FERMATA_ATOMIC(name, Type, Bits, function)                                 \
  FERMATA_DEVICE Type name(Type* p, Type v) {                                      \
    return static_cast<Type>(                                                      \
        __nvvm_atom_##function(reinterpret_cast<Bits*>(p), static_cast<Bits>(v))); \
  }
#define FERMATA_ATOMIC_CAS(Type, Bits, function)                                        \
  FERMATA_DEVICE Type atomicCAS(Type* p, Type compare, Type v) {                        \
    return static_cast<Type>(__nvvm_atom_##function(                                    \
        reinterpret_cast<Bits*>(p), static_cast<Bits>(compare), static_cast<Bits>(v))); \
  }

FERMATA_ATOMIC(atomicAdd, int, int, add_gen_i)
FERMATA_ATOMIC(atomicAdd, unsigned, int, add_gen_i)
FERMATA_ATOMIC(atomicAdd, unsigned long long, long long, add_gen_ll)
FERMATA_ATOMIC(atomicAdd, float, float, add_gen_f)
FERMATA_ATOMIC(atomicExch, int, int, xchg_gen_i)
FERMATA_ATOMIC(atomicExch, unsigned, int, xchg_gen_i)
FERMATA_ATOMIC(atomicExch, unsigned long long, long long, xchg_gen_ll)
FERMATA_ATOMIC(atomicAnd, int, int, and_gen_i)
FERMATA_ATOMIC(atomicAnd, unsigned, int, and_gen_i)
FERMATA_ATOMIC(atomicAnd, long long, long long, and_gen_ll)
FERMATA_ATOMIC(atomicAnd, unsigned long long, long long, and_gen_ll)
FERMATA_ATOMIC(atomicOr, int, int, or_gen_i)
FERMATA_ATOMIC(atomicOr, unsigned, int, or_gen_i)
FERMATA_ATOMIC(atomicOr, long long, long long, or_gen_ll)
FERMATA_ATOMIC(atomicOr, unsigned long long, long long, or_gen_ll)
FERMATA_ATOMIC(atomicXor, int, int, xor_gen_i)
FERMATA_ATOMIC(atomicXor, unsigned, int, xor_gen_i)
FERMATA_ATOMIC(atomicXor, long long, long long, xor_gen_ll)
FERMATA_ATOMIC(atomicXor, unsigned long long, long long, xor_gen_ll)
FERMATA_ATOMIC(atomicMin, int, int, min_gen_i)
FERMATA_ATOMIC(atomicMin, unsigned, unsigned, min_gen_ui)
FERMATA_ATOMIC(atomicMin, long long, long long, min_gen_ll)
FERMATA_ATOMIC(atomicMin, unsigned long long, unsigned long long, min_gen_ull)
FERMATA_ATOMIC(atomicMax, int, int, max_gen_i)
FERMATA_ATOMIC(atomicMax, unsigned, unsigned, max_gen_ui)
FERMATA_ATOMIC(atomicMax, long long, long long, max_gen_ll)
FERMATA_ATOMIC(atomicMax, unsigned long long, unsigned long long, max_gen_ull)
FERMATA_ATOMIC(atomicInc, unsigned, unsigned, inc_gen_ui)
FERMATA_ATOMIC(atomicDec, unsigned, unsigned, dec_gen_ui)
FERMATA_ATOMIC_CAS(int, int, cas_gen_i)
FERMATA_ATOMIC_CAS(unsigned, int, cas_gen_i)
FERMATA_ATOMIC_CAS(unsigned long long, long long, cas_gen_ll)

#undef FERMATA_ATOMIC
#undef FERMATA_ATOMIC_CAS

FERMATA_DEVICE float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float,
                            atomicExch(reinterpret_cast<int*>(p), __builtin_bit_cast(int, v)));
}
FERMATA_DEVICE int atomicSub(int* p, int v) { return atomicAdd(p, -v); }
FERMATA_DEVICE unsigned atomicSub(unsigned* p, unsigned v) { return atomicAdd(p, 0U - v); }
