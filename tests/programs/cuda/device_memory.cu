// Memory, copies and errors by the names of CUDA's device runtime, in kernels: a copy keeps its
// place among the kernels that a kernel launches.
#include <cstring>

#include "check.h"

__global__ void addTo(int* values, int n) {
  values[threadIdx.x] += n;
}
__global__ void keep(int* to, const int* from) {
  to[threadIdx.x] = from[threadIdx.x];
}

__global__ void parent(int* out, int* errors) {
  int* made = nullptr;
  errors[0] = cudaMalloc(&made, 64 * sizeof(int));
  errors[1] = cudaMemsetAsync(made, 0, 64 * sizeof(int));
  addTo<<<1, 64>>>(made, 3);
  errors[2] = cudaMemcpyAsync(out, made, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
  addTo<<<1, 64>>>(made, 4);  // behind the copy
  keep<<<1, 64>>>(out + 64, made);
  int device = -1, count = 0;
  errors[3] = cudaGetDevice(&device) + cudaGetDeviceCount(&count);
  errors[4] = device == 0 && count == 1;
}
__global__ void texts(char* to, int* freed) {
  const char* const text = cudaGetErrorString(cudaSuccess);
  for (int i = 0; i == 0 || text[i - 1] != 0; ++i) to[i] = text[i];
  const char* const name = cudaGetErrorName(cudaErrorInvalidValue);
  for (int i = 0; i == 0 || name[i - 1] != 0; ++i) to[32 + i] = name[i];
  void* memory = nullptr;
  *freed = cudaMalloc(&memory, 16) + cudaFree(memory);
}

int main() {
  int *out = newOnDevice<int>(128), *errors = newOnDevice<int>(5);
  parent<<<1, 1>>>(out, errors);
  expectSame("errors", toHost(errors, 5), {0, 0, 0, 0, 1});
  std::vector<int> expected(128, 3);
  for (int i = 64; i < 128; ++i) expected[i] = 7;
  expectSame("copies", toHost(out, 128), expected);
  char* const text = newOnDevice<char>(64);
  texts<<<1, 1>>>(text, errors);
  const auto got = toHost(text, 64);
  EXPECT(std::strcmp(got.data(), "no error") == 0);
  EXPECT(std::strcmp(got.data() + 32, "cudaErrorInvalidValue") == 0);
  EXPECT(toHost(errors, 1)[0] == 0);
  std::puts("PASS");
}
