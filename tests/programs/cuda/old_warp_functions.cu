// Votes and shuffles without a mask, as programs before Volta call them, by whole warps and by
// lanes in a branch. Also texture references, and function pointers that the host reads from device
// variables.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(x)                                                      \
  do {                                                                \
    cudaError_t e = (x);                                              \
    if (e != cudaSuccess) {                                           \
      printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> plane;

typedef float (*Operation)(float, float);
__device__ float add(float a, float b) {
  return a + b;
}
__device__ float multiply(float a, float b) {
  return a * b;
}
__device__ Operation deviceAdd = add, deviceMultiply = multiply;

__global__ void warps(double* sums, float* shuffled, int* votes) {
  const int t = threadIdx.x;
  double sum = t;
  float all = t;
  for (int m = 16; m > 0; m /= 2) {
    sum += __shfl_down(sum, m);
    all += __shfl_xor(all, m);
  }
  sums[t] = sum;
  shuffled[t] = all + __shfl_up(t, 1) + __shfl(t, 7, 8);
  if (t < 10)
    votes[t] = __ballot(t & 1);
  else
    votes[t] = __all(t > 9) * 2 + __any(t == 20);
}

__global__ void fetch(float* out, Operation operation) {
  const int i = threadIdx.x;
  out[i] = operation(tex1Dfetch(line, i), tex2D(plane, i % 4, i / 4));
}

int main() {
  double *sums, gotSums[32];
  float *floats, got[32], host[32];
  int *votes, gotVotes[32];
  CHECK(cudaMalloc(&sums, sizeof gotSums));
  CHECK(cudaMalloc(&floats, sizeof got));
  CHECK(cudaMalloc(&votes, sizeof gotVotes));
  warps<<<1, 32>>>(sums, floats, votes);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(gotSums, sums, sizeof gotSums, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got, floats, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(gotVotes, votes, sizeof gotVotes, cudaMemcpyDeviceToHost));
  if (gotSums[0] != 496) return printf("FAIL: the sum is %g, expected 496\n", gotSums[0]), 1;
  for (int t = 0; t < 32; ++t) {
    const float e = 496 + (t > 0 ? t - 1 : 0) + (t / 8 * 8 + 7);
    const int v = t < 10 ? 0x2aa : 3;
    if (got[t] != e || gotVotes[t] != v)
      return printf("FAIL: lane %d has %g and %x, expected %g and %x\n", t, got[t], gotVotes[t], e,
                    v),
             1;
  }

  for (int i = 0; i < 32; ++i) host[i] = i * 0.5f - 3;
  float* linear;
  cudaArray* array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMalloc(&linear, sizeof host));
  CHECK(cudaMemcpy(linear, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMallocArray(&array, &format, 4, 8));
  CHECK(cudaMemcpyToArray(array, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
  plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
  plane.filterMode = cudaFilterModePoint;
  CHECK(cudaBindTexture(nullptr, line, linear, sizeof host));
  CHECK(cudaBindTextureToArray(plane, array, format));
  for (int product = 0; product < 2; ++product) {
    Operation operation;
    CHECK(product ? cudaMemcpyFromSymbol(&operation, deviceMultiply, sizeof operation)
                  : cudaMemcpyFromSymbol(&operation, deviceAdd, sizeof operation));
    fetch<<<1, 32>>>(floats, operation);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got, floats, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i) {
      const float e = product ? host[i] * host[i] : host[i] + host[i];
      if (got[i] != e) return printf("FAIL: texel %d gives %g, expected %g\n", i, got[i], e), 1;
    }
  }
  CHECK(cudaUnbindTexture(line));
  CHECK(cudaUnbindTexture(plane));
  CHECK(cudaFreeArray(array));
  for (void* p : {(void*)sums, (void*)floats, (void*)votes, (void*)linear}) CHECK(cudaFree(p));
  puts("PASS");
  return 0;
}
