// Prefix sums in three kernels: scan of blocks, scan of the blocks' sums, addition of these.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 256;

__global__ void scanBlocks(unsigned* data, unsigned* sums) {
  __shared__ unsigned part[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  part[t] = data[i];
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const unsigned before = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  data[i] = part[t];
  if (t == kThreads - 1 && sums != nullptr) sums[blockIdx.x] = part[t];
}

__global__ void addSums(unsigned* data, const unsigned* sums) {
  if (blockIdx.x > 0) data[blockIdx.x * kThreads + threadIdx.x] += sums[blockIdx.x - 1];
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : kThreads;
  const int times = argc > 2 ? std::atoi(argv[2]) : 40;
  const int n = blocks * kThreads;
  std::vector<unsigned> host(n);
  unsigned *data = nullptr, *sums = nullptr, last = 0;
  cudaMalloc(&data, n * sizeof(unsigned));
  cudaMalloc(&sums, kThreads * sizeof(unsigned));
  cudaMemset(sums, 0, kThreads * sizeof(unsigned));
  for (int k = 0; k < times; ++k) {
    for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i * (k + 3) % 5);
    cudaMemcpy(data, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    scanBlocks<<<blocks, kThreads>>>(data, sums);
    scanBlocks<<<1, kThreads>>>(sums, nullptr);
    addSums<<<blocks, kThreads>>>(data, sums);
  }
  cudaMemcpy(&last, data + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%u\n", last);
}
