// Atomics by the names of clang's builtins for HIP. They act at once on memory that all share, so
// orders and scopes change nothing but the fences of loads and stores.
#pragma once

#ifndef __HIP_MEMORY_SCOPE_AGENT
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

namespace fermata_hip {

template <class T>
FERMATA_HIP T atomicLoad(const T* from) {
  const T value = *const_cast<const volatile T*>(from);
  __threadfence();
  return value;
}
template <class T, class V>
FERMATA_HIP void atomicStore(T* to, V value) {
  __threadfence();
  *const_cast<volatile T*>(to) = value;
}
/// Stores `wanted` where `expected` stands; otherwise gives `expected` what does.
template <class T, class V>
FERMATA_HIP bool compareExchange(T* at, T* expected, V value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "expected 4 or 8 bytes");
  const T wanted = value;
  T found;
  if constexpr (sizeof(T) == 4) {
    unsigned before, after;
    __builtin_memcpy(&before, expected, 4);
    __builtin_memcpy(&after, &wanted, 4);
    const unsigned there = atomicCAS(reinterpret_cast<unsigned*>(at), before, after);
    __builtin_memcpy(&found, &there, 4);
    if (there == before) return true;
  } else {
    unsigned long long before, after;
    __builtin_memcpy(&before, expected, 8);
    __builtin_memcpy(&after, &wanted, 8);
    const auto there = atomicCAS(reinterpret_cast<unsigned long long*>(at), before, after);
    __builtin_memcpy(&found, &there, 8);
    if (there == before) return true;
  }
  *expected = found;
  return false;
}

}  // namespace fermata_hip

#define __hip_atomic_load(from, order, scope) ::fermata_hip::atomicLoad(from)
#define __hip_atomic_store(to, value, order, scope) ::fermata_hip::atomicStore(to, value)
#define __hip_atomic_fetch_add(to, value, order, scope) atomicAdd(to, value)
#define __hip_atomic_fetch_sub(to, value, order, scope) atomicSub(to, value)
#define __hip_atomic_fetch_and(to, value, order, scope) atomicAnd(to, value)
#define __hip_atomic_fetch_or(to, value, order, scope) atomicOr(to, value)
#define __hip_atomic_fetch_xor(to, value, order, scope) atomicXor(to, value)
#define __hip_atomic_fetch_min(to, value, order, scope) atomicMin(to, value)
#define __hip_atomic_fetch_max(to, value, order, scope) atomicMax(to, value)
#define __hip_atomic_exchange(to, value, order, scope) atomicExch(to, value)
#define __hip_atomic_compare_exchange_strong(at, expected, value, order, other, scope) \
  ::fermata_hip::compareExchange(at, expected, value)
#define __hip_atomic_compare_exchange_weak(at, expected, value, order, other, scope) \
  ::fermata_hip::compareExchange(at, expected, value)
