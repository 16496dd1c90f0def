// Sums of tiles, double-buffered in shared memory: the next tile is copied while the last is added
// up. Copies have 16 bytes, one commit per tile, and zeros beyond the end.
#include <cuda_pipeline.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kTiles = 6, kWords = 4 * kThreads;

__global__ void sums(const int* in, int words, int* out) {
  __shared__ __align__(16) int tile[2][kWords];
  const int t = threadIdx.x;
  const int* const mine = in + blockIdx.x * kTiles * kWords;
  const int all = words - blockIdx.x * kTiles * kWords;
  const auto bring = [&](int k) {
    const int first = k * kWords + 4 * t, left = all - first;
    const int there = left >= 4 ? 4 : left > 0 ? left : 0;
    __pipeline_memcpy_async(&tile[k % 2][4 * t], there != 0 ? mine + first : mine, 16,
                            16 - 4 * there);
    __pipeline_commit();
  };
  bring(0);
  int sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    if (k + 1 < kTiles) bring(k + 1);
    __pipeline_wait_prior(k + 1 < kTiles ? 1 : 0);
    __syncthreads();
    for (int j = 0; j < 4; ++j) sum += (k + 1) * tile[k % 2][(t + j * kThreads + 1) % kWords];
    __syncthreads();
  }
  out[blockIdx.x * kThreads + t] = sum;
}

__global__ void warpWords(const int* in, unsigned* out) {
  const int value = in[threadIdx.x];
  const unsigned same = __match_any_sync(0xffffffffu, value % 5);
#if __CUDA_ARCH__ >= 800
  const int total = __reduce_add_sync(0xffffffffu, value);
#else
  int total = value;
  for (int step = 16; step > 0; step /= 2) total += __shfl_xor_sync(0xffffffffu, total, step);
#endif
  out[threadIdx.x] = __popc(same) + total + __dp4a(value, 0x01010101, 7);
}

int main() {
  const int blocks = 3, words = blocks * kTiles * kWords - 37;
  std::vector<int> in(blocks * kTiles * kWords, 0);
  for (int i = 0; i < words; ++i) in[i] = i * 7 % 1001 - 400;
  int *device, *result;
  cudaMalloc(&device, words * sizeof(int));
  cudaMalloc(&result, blocks * kThreads * sizeof(int));
  cudaMemcpy(device, in.data(), words * sizeof(int), cudaMemcpyHostToDevice);
  sums<<<blocks, kThreads>>>(device, words, result);
  std::vector<int> got(blocks * kThreads);
  cudaMemcpy(got.data(), result, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) {
    for (int t = 0; t < kThreads; ++t) {
      int wanted = 0;
      for (int k = 0; k < kTiles; ++k) {
        for (int j = 0; j < 4; ++j)
          wanted += (k + 1) * in[(b * kTiles + k) * kWords + (t + j * kThreads + 1) % kWords];
      }
      if (got[b * kThreads + t] != wanted)
        return printf("FAIL: thread %d of block %d has %d, expected %d\n", t, b,
                      got[b * kThreads + t], wanted),
               1;
    }
  }
  warpWords<<<1, 32>>>(device + 100, reinterpret_cast<unsigned*>(result));
  cudaMemcpy(got.data(), result, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  int total = 0;
  for (int t = 0; t < 32; ++t) total += in[100 + t];
  for (int t = 0; t < 32; ++t) {
    int same = 0, bytes = 7;
    for (int k = 0; k < 32; ++k) same += in[100 + k] % 5 == in[100 + t] % 5;
    for (int k = 0; k < 4; ++k) bytes += static_cast<signed char>(in[100 + t] >> 8 * k);
    if (got[t] != same + total + bytes) return printf("FAIL: lane %d has %d\n", t, got[t]), 1;
  }
  printf("PASS\n");
  return 0;
}
