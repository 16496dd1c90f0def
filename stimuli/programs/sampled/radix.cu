// Radix sort, 4 bits a pass: counts of blocks, their prefix sums, the scatter.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int kThreads = 256;
constexpr int kDigits = 16;

__global__ void countDigits(const unsigned* keys, unsigned* counts, int shift) {
  __shared__ unsigned own[kDigits];
  if (threadIdx.x < kDigits) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[keys[blockIdx.x * kThreads + threadIdx.x] >> shift & 15], 1u);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

__global__ void scanCounts(unsigned* counts, int n) {
  __shared__ unsigned sums[kThreads];
  const int share = (n + kThreads - 1) / kThreads, first = threadIdx.x * share;
  const int end = min(first + share, n);
  unsigned sum = 0;
  for (int i = first; i < end; ++i) sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  unsigned before = 0;
  for (int t = 0; t < threadIdx.x; ++t) before += sums[t];
  for (int i = first; i < end; ++i) {
    const unsigned count = counts[i];
    counts[i] = before;
    before += count;
  }
}

__global__ void scatter(const unsigned* keys, unsigned* to, const unsigned* places, int shift) {
  __shared__ unsigned char digits[kThreads];
  const unsigned key = keys[blockIdx.x * kThreads + threadIdx.x], digit = key >> shift & 15;
  digits[threadIdx.x] = static_cast<unsigned char>(digit);
  __syncthreads();
  unsigned rank = 0;
  for (int t = 0; t < threadIdx.x; ++t) rank += digits[t] == digit;
  to[places[digit * gridDim.x + blockIdx.x] + rank] = key;
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 64;
  const int sorts = argc > 2 ? std::atoi(argv[2]) : 4;
  const int n = blocks * kThreads;
  std::vector<unsigned> host(n);
  unsigned *keys = nullptr, *to = nullptr, *counts = nullptr;
  cudaMalloc(&keys, n * sizeof(unsigned));
  cudaMalloc(&to, n * sizeof(unsigned));
  cudaMalloc(&counts, kDigits * blocks * sizeof(unsigned));
  unsigned seed = 1;
  for (int sort = 0; sort < sorts; ++sort) {
    for (unsigned& key : host) key = (seed = seed * 1664525u + 1013904223u);
    cudaMemcpy(keys, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    for (int shift = 0; shift < 32; shift += 4) {
      countDigits<<<blocks, kThreads>>>(keys, counts, shift);
      scanCounts<<<1, kThreads>>>(counts, kDigits * blocks);
      scatter<<<blocks, kThreads>>>(keys, to, counts, shift);
      std::swap(keys, to);
    }
  }
  cudaMemcpy(host.data(), keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::printf("%d\n", static_cast<int>(std::is_sorted(host.begin(), host.end())));
}
