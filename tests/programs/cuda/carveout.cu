// Launches that ask for other splits of scratchpad and L1. A warp reads 128 KB twice: what the L1
// keeps of them hits in the second round.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                       \
  do {                                                                    \
    if ((call) != cudaSuccess) return std::printf("FAIL %s\n", #call), 1; \
  } while (0)

constexpr int kWords = 32 * 1024;

__global__ void twice(const int* words, int* sums) {
  int sum = 0;
  for (int i = 0; i < 2 * kWords; i += 32) sum += words[(i + threadIdx.x) % kWords];
  sums[threadIdx.x] = sum;
}

int main() {
  int *words = nullptr, *sums = nullptr;
  CHECK(cudaMalloc(&words, kWords * sizeof(int)));
  CHECK(cudaMalloc(&sums, 32 * sizeof(int)));
  CHECK(cudaMemset(words, 0, kWords * sizeof(int)));
  twice<<<1, 32>>>(words, sums);
  const int preferred = cudaFuncAttributePreferredSharedMemoryCarveout;
  for (const int percent : {0, 50, 100}) {
    CHECK(cudaFuncSetAttribute(twice, static_cast<cudaFuncAttribute>(preferred), percent));
    twice<<<1, 32>>>(words, sums);
  }
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, twice));
  if (attributes.preferredShmemCarveout != 100) return std::puts("FAIL attribute"), 1;
  for (const cudaFuncCache config : {cudaFuncCachePreferL1, cudaFuncCachePreferEqual,
                                     cudaFuncCachePreferShared, cudaFuncCachePreferNone}) {
    CHECK(cudaFuncSetCacheConfig(twice, config));
    twice<<<1, 32>>>(words, sums);
  }
  if (cudaFuncSetAttribute(twice, static_cast<cudaFuncAttribute>(preferred), 101) == cudaSuccess)
    return std::puts("FAIL 101 percent"), 1;
  CHECK(cudaDeviceSynchronize());
  std::puts("PASS");
}
