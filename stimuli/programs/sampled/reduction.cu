// Sums of an array by a tree of launches: each launch leaves one value per block.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 128;

__global__ void sumBlocks(const float* in, float* out, int n) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads * 2 + t;
  part[t] = (i < n ? in[i] : 0) + (i + kThreads < n ? in[i + kThreads] : 0);
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const int k = 2 * step * t;
    if (k < kThreads) part[k] += part[k + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 18;
  const int times = argc > 2 ? std::atoi(argv[2]) : 30;
  std::vector<float> host(n);
  for (int k = 0; k < n; ++k) host[k] = static_cast<float>(k % 7);
  float *data = nullptr, *parts[2] = {};
  cudaMalloc(&data, n * sizeof(float));
  for (float*& part : parts) cudaMalloc(&part, n / kThreads * sizeof(float));
  cudaMemcpy(data, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  float sum = 0;
  for (int k = 0; k < times; ++k) {
    const float* from = data;
    for (int left = n, turn = 0; left > 1; turn ^= 1) {
      const int blocks = (left + 2 * kThreads - 1) / (2 * kThreads);
      sumBlocks<<<blocks, kThreads>>>(from, parts[turn], left);
      from = parts[turn];
      left = blocks;
    }
    cudaMemcpy(&sum, from, sizeof sum, cudaMemcpyDeviceToHost);
  }
  std::printf("%.9g\n", sum);
}
