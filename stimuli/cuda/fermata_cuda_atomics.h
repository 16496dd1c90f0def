// Atomics of fermata_cuda.h, which return the old value. Address spaces are inferred, so that an
// atomic on a __shared__ array becomes atom.shared.
#pragma once

FERMATA_DEVICE int atomicAdd(int* p, int v) {
  return __nvvm_atom_add_gen_i(p, v);
}
FERMATA_DEVICE unsigned atomicAdd(unsigned* p, unsigned v) {
  return static_cast<unsigned>(
      __nvvm_atom_add_gen_i(reinterpret_cast<int*>(p), static_cast<int>(v)));
}
FERMATA_DEVICE unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) {
  return static_cast<unsigned long long>(
      __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(v)));
}
FERMATA_DEVICE float atomicAdd(float* p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}
FERMATA_DEVICE float atomicExch(float* p, float v) {
  return __builtin_bit_cast(
      float, __nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(p), __builtin_bit_cast(int, v)));
}
FERMATA_DEVICE int atomicSub(int* p, int v) {
  return __nvvm_atom_add_gen_i(p, -v);
}
FERMATA_DEVICE unsigned atomicSub(unsigned* p, unsigned v) {
  return atomicAdd(p, 0U - v);
}
FERMATA_DEVICE int atomicExch(int* p, int v) {
  return __nvvm_atom_xchg_gen_i(p, v);
}
FERMATA_DEVICE unsigned atomicExch(unsigned* p, unsigned v) {
  return static_cast<unsigned>(
      __nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(p), static_cast<int>(v)));
}
FERMATA_DEVICE int atomicMin(int* p, int v) {
  return __nvvm_atom_min_gen_i(p, v);
}
FERMATA_DEVICE unsigned atomicMin(unsigned* p, unsigned v) {
  return __nvvm_atom_min_gen_ui(p, v);
}
FERMATA_DEVICE int atomicMax(int* p, int v) {
  return __nvvm_atom_max_gen_i(p, v);
}
FERMATA_DEVICE unsigned atomicMax(unsigned* p, unsigned v) {
  return __nvvm_atom_max_gen_ui(p, v);
}
FERMATA_DEVICE int atomicAnd(int* p, int v) {
  return __nvvm_atom_and_gen_i(p, v);
}
FERMATA_DEVICE unsigned atomicAnd(unsigned* p, unsigned v) {
  return static_cast<unsigned>(
      __nvvm_atom_and_gen_i(reinterpret_cast<int*>(p), static_cast<int>(v)));
}
FERMATA_DEVICE int atomicOr(int* p, int v) {
  return __nvvm_atom_or_gen_i(p, v);
}
FERMATA_DEVICE unsigned atomicOr(unsigned* p, unsigned v) {
  return static_cast<unsigned>(
      __nvvm_atom_or_gen_i(reinterpret_cast<int*>(p), static_cast<int>(v)));
}
FERMATA_DEVICE int atomicXor(int* p, int v) {
  return __nvvm_atom_xor_gen_i(p, v);
}
FERMATA_DEVICE unsigned atomicXor(unsigned* p, unsigned v) {
  return static_cast<unsigned>(
      __nvvm_atom_xor_gen_i(reinterpret_cast<int*>(p), static_cast<int>(v)));
}
FERMATA_DEVICE int atomicCAS(int* p, int compare, int v) {
  return __nvvm_atom_cas_gen_i(p, compare, v);
}
FERMATA_DEVICE unsigned atomicCAS(unsigned* p, unsigned compare, unsigned v) {
  return static_cast<unsigned>(__nvvm_atom_cas_gen_i(
      reinterpret_cast<int*>(p), static_cast<int>(compare), static_cast<int>(v)));
}
FERMATA_DEVICE unsigned atomicInc(unsigned* p, unsigned limit) {
  return __nvvm_atom_inc_gen_ui(p, limit);
}
FERMATA_DEVICE unsigned atomicDec(unsigned* p, unsigned limit) {
  return __nvvm_atom_dec_gen_ui(p, limit);
}

// 64-bit atomics.
FERMATA_DEVICE unsigned long long atomicExch(unsigned long long* p, unsigned long long v) {
  return static_cast<unsigned long long>(
      __nvvm_atom_xchg_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(v)));
}
FERMATA_DEVICE long long atomicMin(long long* p, long long v) {
  return __nvvm_atom_min_gen_ll(p, v);
}
FERMATA_DEVICE unsigned long long atomicMin(unsigned long long* p, unsigned long long v) {
  return __nvvm_atom_min_gen_ull(p, v);
}
FERMATA_DEVICE long long atomicMax(long long* p, long long v) {
  return __nvvm_atom_max_gen_ll(p, v);
}
FERMATA_DEVICE unsigned long long atomicMax(unsigned long long* p, unsigned long long v) {
  return __nvvm_atom_max_gen_ull(p, v);
}
FERMATA_DEVICE long long atomicAnd(long long* p, long long v) {
  return __nvvm_atom_and_gen_ll(p, v);
}
FERMATA_DEVICE unsigned long long atomicAnd(unsigned long long* p, unsigned long long v) {
  return static_cast<unsigned long long>(
      __nvvm_atom_and_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(v)));
}
FERMATA_DEVICE long long atomicOr(long long* p, long long v) {
  return __nvvm_atom_or_gen_ll(p, v);
}
FERMATA_DEVICE unsigned long long atomicOr(unsigned long long* p, unsigned long long v) {
  return static_cast<unsigned long long>(
      __nvvm_atom_or_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(v)));
}
FERMATA_DEVICE long long atomicXor(long long* p, long long v) {
  return __nvvm_atom_xor_gen_ll(p, v);
}
FERMATA_DEVICE unsigned long long atomicXor(unsigned long long* p, unsigned long long v) {
  return static_cast<unsigned long long>(
      __nvvm_atom_xor_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(v)));
}
FERMATA_DEVICE unsigned long long atomicCAS(unsigned long long* p, unsigned long long compare,
                                            unsigned long long v) {
  return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(
      reinterpret_cast<long long*>(p), static_cast<long long>(compare), static_cast<long long>(v)));
}
