// Powers of a matrix by tiles in shared memory: the same launch again and again.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int kTile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    left[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 128;
  const int powers = argc > 2 ? std::atoi(argv[2]) : 60;
  std::vector<float> host(n * n);
  for (int k = 0; k < n * n; ++k) host[k] = static_cast<float>(k * 31 % 17) / (8.0f * n);
  float *a = nullptr, *power = nullptr, *next = nullptr;
  for (float** matrix : {&a, &power, &next}) cudaMalloc(matrix, n * n * sizeof(float));
  cudaMemcpy(a, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(power, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < powers; ++k) {
    multiply<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(power, a, next, n);
    std::swap(power, next);
  }
  cudaMemcpy(host.data(), power, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%.6g\n", host[n + 1]);
}
