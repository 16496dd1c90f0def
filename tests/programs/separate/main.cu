// Device code in several files and a static library, linked: variables, constants, functions,
// addresses of functions, templates, and static names that two files have.
#include <cstdio>

#include "parts.h"

static __device__ int own = 3;
static __device__ float change(float x) {
  return x + 100;
}

static __global__ void step(float* values, int* total) {
  const int k = threadIdx.x;
  const Rule mine = change;
  values[k] = rule(weighed(mine(k), k % 4));
  atomicAdd(&counter, 1);
  if (k == 0) {
    *total = own;
    shared_count += 1;
  }
}

int main() {
  const float chosen[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(weights, chosen, sizeof chosen);
  float* values;
  int* total;
  cudaMallocManaged(&values, 32 * sizeof *values);
  cudaMallocManaged(&total, 4 * sizeof *total);
  bool right = shared_count == 4;
  const int next = 7;
  cudaMemcpyToSymbol(own, &next, sizeof next);
  step<<<1, 32>>>(values, total);
  cudaDeviceSynchronize();
  right = right && *total == 7 && shared_count == 5;
  for (int k = 0; k < 32; ++k) right = right && values[k] == (k + 100) * chosen[k % 4] - 1;

  int counted = 0;
  cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
  right = right && counted == 42 && countOwn(total) == 6 + 42 && total[1] == 8;

  fill<<<1, 32>>>(values, 2.0f);
  scaleAll(values, 32);
  cudaDeviceSynchronize();
  for (int k = 0; k < 32; ++k) right = right && values[k] == 8 + chosen[k % 4];
  right = right && cudaGetLastError() == cudaSuccess;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
