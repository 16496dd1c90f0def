// Jacobi iterations of a 5-point stencil, with a tile and its edge in shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int kTile = 16;

__global__ void sweepOnce(const float* from, float* to, int n) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int i = threadIdx.x + 1, j = threadIdx.y + 1;
  const auto at = [&](int column, int row) {
    return column < 0 || row < 0 || column >= n || row >= n ? 0.0f : from[row * n + column];
  };
  tile[j][i] = at(x, y);
  if (i == 1) tile[j][0] = at(x - 1, y);
  if (i == kTile) tile[j][kTile + 1] = at(x + 1, y);
  if (j == 1) tile[0][i] = at(x, y - 1);
  if (j == kTile) tile[kTile + 1][i] = at(x, y + 1);
  __syncthreads();
  to[y * n + x] = 0.25f * (tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 256;
  const int sweeps = argc > 2 ? std::atoi(argv[2]) : 100;
  std::vector<float> host(n * n);
  for (int k = 0; k < n * n; ++k) host[k] = static_cast<float>(k * 37 % 101);
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, n * n * sizeof(float));
  cudaMalloc(&to, n * n * sizeof(float));
  cudaMemcpy(from, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    sweepOnce<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(from, to, n);
    std::swap(from, to);
  }
  cudaMemcpy(host.data(), from, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%.6g\n", host[n * n / 2 + n / 2]);
}
