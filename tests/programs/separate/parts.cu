// Definitions that other files use, and names of its own that main.cu has, too.
#include "parts.h"

__device__ int counter = 10;
__constant__ float weights[4];
__managed__ int shared_count = 4;

static __device__ int own = 5;
static __device__ float change(float x) {
  return x - 1;
}
__device__ Rule rule = change;

__device__ float weighed(float x, int k) {
  return weights[k] * x;
}

static __global__ void step(float* values, int* result) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = own;
  __syncthreads();
  if (values == nullptr) *result = scratch[0] + counter;
}

int countOwn(int* result) {
  const int next = 6;
  cudaMemcpyToSymbol(own, &next, sizeof next);
  step<<<1, 1, sizeof(int)>>>(nullptr, result);
  fill<<<1, 1>>>(result + 1, 8);
  cudaDeviceSynchronize();
  return result[0];
}
