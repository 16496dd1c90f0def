// Checks that end the program and name themselves, and memory of the device.
#pragma once
#include <cuda_runtime.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program and prints why, in the format of printf.
__attribute__((format(printf, 1, 2))) inline void fail(const char* format, ...) {
  std::printf("FAIL: ");
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::puts("");
  std::exit(1);
}

/// Ends the program unless a call of the runtime or the driver interface returns the code.
#define GIVES(call, code) expectCode(#call, int(call), int(code), __LINE__)
#define CHECK(call) GIVES(call, cudaSuccess)
inline void expectCode(const char* call, int got, int wanted, int line) {
  if (got != wanted)
    fail("line %d: %s gives %d (%s), expected %d", line, call, got,
         cudaGetErrorName(cudaError_t(got)), wanted);
}

/// Ends the program unless the condition holds.
#define EXPECT(condition) \
  if (!(condition)) fail("line %d: %s", __LINE__, #condition)

template <class T>
T* newOnDevice(size_t count) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}

template <class T>
T* toDevice(const std::vector<T>& values) {
  T* const memory = newOnDevice<T>(values.size());
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

/// Waits for the launches before it; they must have succeeded.
template <class T>
std::vector<T> toHost(const T* memory, size_t count) {
  std::vector<T> values(count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// Ends the program unless all numbers agree.
template <class T>
void expectSame(const char* what, const std::vector<T>& got, const std::vector<T>& expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (!(got[i] == expected[i]))
      fail("%s: element %zu is %.17g, expected %.17g", what, i, double(got[i]),
           double(expected[i]));
}
