// Radix sort by 4 bits per pass: histograms of blocks, their scan, a stable scatter.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK_CUDA(x)                                                                        \
  if (cudaError_t err = (x)) {                                                               \
    fprintf(stderr, "CUDA error %d (%s) in %s, line %d\n", err, cudaGetErrorString(err), #x, \
            __LINE__);                                                                       \
    exit(1);                                                                                 \
  }

constexpr int kThreads = 128, kBits = 4, kDigits = 1 << kBits;

__global__ void digitHistogram(const uint32_t* keys, unsigned* counts, int n, int shift) {
  __shared__ unsigned bins[kDigits];
  if (threadIdx.x < kDigits) bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i] >> shift & (kDigits - 1)], 1u);
  __syncthreads();
  // By digit, then by block: one exclusive scan gives the place of every block.
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// One block scans any length and carries a running total from tile to tile.
__global__ void exclusiveScan(unsigned* data, int n) {
  __shared__ unsigned tile[256];
  __shared__ unsigned carry;
  if (threadIdx.x == 0) carry = 0;
  __syncthreads();
  for (int base = 0; base < n; base += 256) {
    const int i = base + threadIdx.x;
    const unsigned own = i < n ? data[i] : 0;
    tile[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
      unsigned add = threadIdx.x >= d ? tile[threadIdx.x - d] : 0;
      __syncthreads();
      tile[threadIdx.x] += add;
      __syncthreads();
    }
    if (i < n) data[i] = carry + tile[threadIdx.x] - own;
    __syncthreads();
    if (threadIdx.x == 255) carry += tile[255];
    __syncthreads();
  }
}

__global__ void scatter(const uint32_t* keys, const float* values, uint32_t* outKeys,
                        float* outValues, const unsigned* places, int n, int shift) {
  __shared__ unsigned before[kThreads / 32][kDigits];
  const int i = blockIdx.x * kThreads + threadIdx.x, warp = threadIdx.x / 32,
            lane = threadIdx.x % 32;
  for (int d = lane; d < kDigits; d += 32) before[warp][d] = 0;
  __syncwarp();
  const bool valid = i < n;
  const uint32_t key = valid ? keys[i] : 0;
  const unsigned digit = key >> shift & (kDigits - 1);
  // Finds the lanes of this warp with the same digit, one ballot per bit.
  unsigned peers = __ballot_sync(~0u, valid);
  for (int b = 0; b < kBits; ++b) {
    const unsigned votes = __ballot_sync(~0u, digit >> b & 1);
    peers &= digit >> b & 1 ? votes : ~votes;
  }
  const unsigned rank = __popc(peers & ((1u << lane) - 1));
  if (valid && rank == 0) before[warp][digit] = __popc(peers);
  __syncthreads();
  if (threadIdx.x < kDigits) {
    unsigned sum = places[threadIdx.x * gridDim.x + blockIdx.x];
    for (int w = 0; w < kThreads / 32; ++w) {
      const unsigned count = before[w][threadIdx.x];
      before[w][threadIdx.x] = sum;
      sum += count;
    }
  }
  __syncthreads();
  if (valid) {
    const unsigned to = before[warp][digit] + rank;
    outKeys[to] = key;
    outValues[to] = values[i];
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10000;
  std::mt19937 random(99);
  std::vector<std::pair<uint32_t, float>> pairs(n);
  std::vector<uint32_t> keys(n);
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) {
    pairs[i] = {uint32_t(random()) >> (i % 3 * 8), float(i)};
    keys[i] = pairs[i].first;
    values[i] = pairs[i].second;
  }
  const auto start = std::chrono::steady_clock::now();
  const int blocks = (n + kThreads - 1) / kThreads;
  uint32_t* dKeys[2];
  float* dValues[2];
  unsigned* counts;
  for (int i = 0; i < 2; ++i) {
    CHECK_CUDA(cudaMalloc(&dKeys[i], n * sizeof(uint32_t)));
    CHECK_CUDA(cudaMalloc(&dValues[i], n * sizeof(float)));
  }
  CHECK_CUDA(cudaMalloc(&counts, blocks * kDigits * sizeof(unsigned)));
  CHECK_CUDA(cudaMemcpy(dKeys[0], keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(dValues[0], values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  int from = 0;
  for (int shift = 0; shift < 32; shift += kBits, from ^= 1) {
    digitHistogram<<<blocks, kThreads>>>(dKeys[from], counts, n, shift);
    exclusiveScan<<<1, 256>>>(counts, blocks * kDigits);
    scatter<<<blocks, kThreads>>>(dKeys[from], dValues[from], dKeys[from ^ 1], dValues[from ^ 1],
                                  counts, n, shift);
    CHECK_CUDA(cudaPeekAtLastError());
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemcpy(keys.data(), dKeys[from], n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(values.data(), dValues[from], n * sizeof(float), cudaMemcpyDeviceToHost));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fprintf(stderr, "%d pairs in %.3f s\n", n, seconds);

  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (int i = 0; i < n; ++i) {
    if (keys[i] == pairs[i].first && values[i] == pairs[i].second) continue;
    printf("FAIL: at %d key %08x value %g, expected %08x %g\n", i, keys[i], values[i],
           pairs[i].first, pairs[i].second);
    return 1;
  }
  for (int i = 0; i < 2; ++i) {
    CHECK_CUDA(cudaFree(dKeys[i]));
    CHECK_CUDA(cudaFree(dValues[i]));
  }
  CHECK_CUDA(cudaFree(counts));
  printf("PASS\n");
  return 0;
}
