// Atomic operations of nvcc 12.8 in the form of a compiler's own: __nv_atomic_load_n and its kind,
// of 4 and 8 bytes; loads and stores of any size. An order stronger than relaxed is a fence here,
// and scopes are equal.
#pragma once

#include "atomics.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

#define FERMATA_SCOPE int = __NV_THREAD_SCOPE_SYSTEM

FERMATA_DEVICE void __nv_atomic_thread_fence(int order, FERMATA_SCOPE) {
  if (order != __NV_ATOMIC_RELAXED) __nvvm_membar_gl();
}

template <class T>
FERMATA_DEVICE T __nv_atomic_load_n(const T* from, int order, FERMATA_SCOPE) {
  const T value = *const_cast<const volatile T*>(from);
  __nv_atomic_thread_fence(order);
  return value;
}
template <class T>
FERMATA_DEVICE void __nv_atomic_load(const T* from, T* to, int order, FERMATA_SCOPE) {
  *to = __nv_atomic_load_n(from, order);
}
template <class T>
FERMATA_DEVICE void __nv_atomic_store_n(T* to, T value, int order, FERMATA_SCOPE) {
  __nv_atomic_thread_fence(order);
  *const_cast<volatile T*>(to) = value;
}
template <class T>
FERMATA_DEVICE void __nv_atomic_store(T* to, T* from, int order, FERMATA_SCOPE) {
  __nv_atomic_store_n(to, *from, order);
}

/// Unsigned integers of a size.
template <unsigned Bytes>
struct FermataAtomicBits;
template <>
struct FermataAtomicBits<4> {
  typedef unsigned Type;
};
template <>
struct FermataAtomicBits<8> {
  typedef unsigned long long Type;
};

template <class T>
FERMATA_DEVICE T __nv_atomic_exchange_n(T* at, T value, int order, FERMATA_SCOPE) {
  typedef typename FermataAtomicBits<sizeof(T)>::Type Bits;
  __nv_atomic_thread_fence(order);
  return __builtin_bit_cast(
      T, atomicExch(reinterpret_cast<Bits*>(at), __builtin_bit_cast(Bits, value)));
}
template <class T>
FERMATA_DEVICE void __nv_atomic_exchange(T* at, T* value, T* old, int order, FERMATA_SCOPE) {
  *old = __nv_atomic_exchange_n(at, *value, order);
}
template <class T>
FERMATA_DEVICE bool __nv_atomic_compare_exchange_n(T* at, T* expected, T value, bool, int success,
                                                   int, FERMATA_SCOPE) {
  typedef typename FermataAtomicBits<sizeof(T)>::Type Bits;
  __nv_atomic_thread_fence(success);
  const Bits wanted = __builtin_bit_cast(Bits, *expected);
  const Bits old = atomicCAS(reinterpret_cast<Bits*>(at), wanted, __builtin_bit_cast(Bits, value));
  if (old == wanted) return true;
  *expected = __builtin_bit_cast(T, old);
  return false;
}
template <class T>
FERMATA_DEVICE bool __nv_atomic_compare_exchange(T* at, T* expected, T* value, bool weak,
                                                 int success, int failure, FERMATA_SCOPE) {
  return __nv_atomic_compare_exchange_n(at, expected, *value, weak, success, failure);
}

// Defines an operation that returns the old value and one that does not. `As` is a type that
// atomic##name has.
#define FERMATA_NV_FETCH(word, name, Type, As)                                                   \
  FERMATA_DEVICE Type __nv_atomic_fetch_##word(Type* at, Type value, int order, FERMATA_SCOPE) { \
    __nv_atomic_thread_fence(order);                                                             \
    return static_cast<Type>(atomic##name(reinterpret_cast<As*>(at), static_cast<As>(value)));   \
  }                                                                                              \
  FERMATA_DEVICE void __nv_atomic_##word(Type* at, Type value, int order, FERMATA_SCOPE) {       \
    __nv_atomic_fetch_##word(at, value, order);                                                  \
  }
#define FERMATA_NV_SIGNED(word, name)                             \
  FERMATA_NV_FETCH(word, name, int, int)                          \
  FERMATA_NV_FETCH(word, name, unsigned, unsigned)                \
  FERMATA_NV_FETCH(word, name, long, long long)                   \
  FERMATA_NV_FETCH(word, name, unsigned long, unsigned long long) \
  FERMATA_NV_FETCH(word, name, long long, long long)              \
  FERMATA_NV_FETCH(word, name, unsigned long long, unsigned long long)
FERMATA_NV_SIGNED(min, Min)
FERMATA_NV_SIGNED(max, Max)
FERMATA_NV_SIGNED(and, And)
FERMATA_NV_SIGNED(or, Or)
FERMATA_NV_SIGNED(xor, Xor)
FERMATA_NV_FETCH(add, Add, int, int)
FERMATA_NV_FETCH(add, Add, unsigned, unsigned)
FERMATA_NV_FETCH(add, Add, long, unsigned long long)
FERMATA_NV_FETCH(add, Add, unsigned long, unsigned long long)
FERMATA_NV_FETCH(add, Add, long long, unsigned long long)
FERMATA_NV_FETCH(add, Add, unsigned long long, unsigned long long)
FERMATA_NV_FETCH(add, Add, float, float)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
FERMATA_NV_FETCH(add, Add, double, double)
#endif
#undef FERMATA_NV_FETCH
#undef FERMATA_NV_SIGNED

template <class T>
FERMATA_DEVICE T __nv_atomic_fetch_sub(T* at, T value, int order, FERMATA_SCOPE) {
  return __nv_atomic_fetch_add(at, static_cast<T>(T() - value), order);
}
template <class T>
FERMATA_DEVICE void __nv_atomic_sub(T* at, T value, int order, FERMATA_SCOPE) {
  __nv_atomic_fetch_sub(at, value, order);
}
#undef FERMATA_SCOPE
