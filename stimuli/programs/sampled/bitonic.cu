// Bitonic sort: a launch per step of the network, every launch of one shape.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void step(unsigned* data, int distance, int run) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other <= i) return;
  const unsigned a = data[i], b = data[other];
  if ((a > b) == ((i & run) == 0)) {
    data[i] = b;
    data[other] = a;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 16;
  const int sorts = argc > 2 ? std::atoi(argv[2]) : 2;
  std::vector<unsigned> host(n);
  unsigned* data = nullptr;
  cudaMalloc(&data, n * sizeof(unsigned));
  unsigned seed = 1;
  for (int sort = 0; sort < sorts; ++sort) {
    for (unsigned& value : host) value = (seed = seed * 1664525u + 1013904223u);
    cudaMemcpy(data, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    for (int run = 2; run <= n; run *= 2) {
      for (int distance = run / 2; distance > 0; distance /= 2)
        step<<<n / 256, 256>>>(data, distance, run);
    }
  }
  cudaMemcpy(host.data(), data, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::printf("%d\n", static_cast<int>(std::is_sorted(host.begin(), host.end())));
}
