// Bitonic sort and odd-even merge sort of keys with values, in shared memory and in passes over
// global memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define cudaSafe(call)                                                             \
  {                                                                                \
    cudaError_t e = call;                                                          \
    if (e != cudaSuccess) {                                                        \
      printf("FAIL: %s at line %d: %s\n", #call, __LINE__, cudaGetErrorString(e)); \
      return 1;                                                                    \
    }                                                                              \
  }

typedef unsigned int uint;
const uint kShared = 512;

__device__ inline void comparator(uint& keyA, uint& valueA, uint& keyB, uint& valueB,
                                  uint ascending) {
  if ((keyA > keyB) == ascending) {
    uint t = keyA;
    keyA = keyB;
    keyB = t;
    t = valueA;
    valueA = valueB;
    valueB = t;
  }
}

__global__ void bitonicShared(uint* keys, uint* values) {
  __shared__ uint k[kShared], v[kShared];
  keys += blockIdx.x * kShared + threadIdx.x;
  values += blockIdx.x * kShared + threadIdx.x;
  k[threadIdx.x] = keys[0];
  v[threadIdx.x] = values[0];
  k[threadIdx.x + kShared / 2] = keys[kShared / 2];
  v[threadIdx.x + kShared / 2] = values[kShared / 2];
  for (uint size = 2; size < kShared; size <<= 1) {
    uint up = (threadIdx.x & (size / 2)) == 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      comparator(k[pos], v[pos], k[pos + stride], v[pos + stride], up);
    }
  }
  uint up = (blockIdx.x & 1) == 0;
  for (uint stride = kShared / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    comparator(k[pos], v[pos], k[pos + stride], v[pos + stride], up);
  }
  __syncthreads();
  keys[0] = k[threadIdx.x];
  values[0] = v[threadIdx.x];
  keys[kShared / 2] = k[threadIdx.x + kShared / 2];
  values[kShared / 2] = v[threadIdx.x + kShared / 2];
}

__global__ void bitonicGlobal(uint* keys, uint* values, uint n, uint size, uint stride) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  uint up = ((i & (n / 2 - 1)) & (size / 2)) == 0;
  uint pos = 2 * i - (i & (stride - 1));
  comparator(keys[pos], values[pos], keys[pos + stride], values[pos + stride], up);
}

__global__ void oddEven(uint* keys, uint* values, uint size, uint stride) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  uint pos = 2 * i - (i & (stride - 1));
  if (stride < size / 2) {
    if ((i & (size / 2 - 1)) >= stride)
      comparator(keys[pos - stride], values[pos - stride], keys[pos], values[pos], 1);
  } else {
    comparator(keys[pos], values[pos], keys[pos + stride], values[pos + stride], 1);
  }
}

int main(int argc, char** argv) {
  const uint n = argc > 1 ? atoi(argv[1]) : 4096;
  if (n < 2 * kShared || (n & (n - 1))) {
    fprintf(stderr, "usage: %s [power of two from %u]\n", argv[0], 2 * kShared);
    return 2;
  }
  std::vector<uint> keys(n), values(n), gotKeys(n), gotValues(n);
  uint state = 12345;
  for (uint i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    keys[i] = state ^ (state >> 13);
    if (i % 9 == 0) keys[i] %= 16;  // some are equal
    values[i] = i;
  }
  std::vector<uint> sorted = keys;
  std::sort(sorted.begin(), sorted.end());

  uint *dKeys, *dValues;
  cudaSafe(cudaMalloc(&dKeys, n * sizeof(uint)));
  cudaSafe(cudaMalloc(&dValues, n * sizeof(uint)));
  bool fine = true;
  for (int method = 0; method < 2; ++method) {
    cudaSafe(cudaMemcpy(dKeys, keys.data(), n * sizeof(uint), cudaMemcpyHostToDevice));
    cudaSafe(cudaMemcpy(dValues, values.data(), n * sizeof(uint), cudaMemcpyHostToDevice));
    if (method == 0) {
      bitonicShared<<<n / kShared, kShared / 2>>>(dKeys, dValues);
      cudaSafe(cudaGetLastError());
      for (uint size = 2 * kShared; size <= n; size <<= 1)
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
          bitonicGlobal<<<n / 512, 256>>>(dKeys, dValues, n, size, stride);
          cudaSafe(cudaGetLastError());
        }
    } else {
      for (uint size = 2; size <= n; size <<= 1)
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
          oddEven<<<n / 512, 256>>>(dKeys, dValues, size, stride);
          cudaSafe(cudaGetLastError());
        }
    }
    cudaSafe(cudaMemcpy(gotKeys.data(), dKeys, n * sizeof(uint), cudaMemcpyDeviceToHost));
    cudaSafe(cudaMemcpy(gotValues.data(), dValues, n * sizeof(uint), cudaMemcpyDeviceToHost));
    std::vector<bool> seen(n);
    for (uint i = 0; i < n && fine; ++i) {
      const uint v = gotValues[i];
      if (gotKeys[i] == sorted[i] && v < n && !seen[v] && keys[v] == gotKeys[i]) {
        seen[v] = true;
        continue;
      }
      printf("FAIL: %s: key %u with value %u at %u, expected key %u\n",
             method ? "odd-even" : "bitonic", gotKeys[i], v, i, sorted[i]);
      fine = false;
    }
  }
  cudaSafe(cudaFree(dKeys));
  cudaSafe(cudaFree(dValues));
  if (fine) puts("PASS");
  return fine ? 0 : 1;
}
