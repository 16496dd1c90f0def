// Checks that end the program and name themselves, and memory that both sides reach.
#pragma once
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call) expectSuccess(#call, call, __LINE__)
inline void expectSuccess(const char* call, hipError_t got, int line) {
  if (got == hipSuccess) return;
  std::printf("FAIL: line %d: %s gives %s\n", line, call, hipGetErrorName(got));
  std::exit(1);
}

/// Ends the program unless element `i` has the expected value.
#define SAME(i, got, expected) expectSame(i, double(got), double(expected), __LINE__)
inline void expectSame(int i, double got, double expected, int line) {
  if (got == expected) return;
  std::printf("FAIL: line %d: element %d is %.17g, expected %.17g\n", line, i, got, expected);
  std::exit(1);
}

template <class T>
T* managed(size_t count) {
  T* memory = nullptr;
  CHECK(hipMallocManaged(&memory, count * sizeof(T)));
  for (size_t i = 0; i < count; ++i) memory[i] = T();
  return memory;
}
