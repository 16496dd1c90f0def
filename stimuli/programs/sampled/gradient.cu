// Conjugate gradients for a 5-point Laplacian: five launches an iteration, of three kernels.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 128;

__global__ void laplacian(const float* x, float* y, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x, column = i % n, row = i / n;
  float sum = 4 * x[i];
  if (column > 0) sum -= x[i - 1];
  if (column < n - 1) sum -= x[i + 1];
  if (row > 0) sum -= x[i - n];
  if (row < n - 1) sum -= x[i + n];
  y[i] = sum;
}

__global__ void dot(const float* x, const float* y, float* sum) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  part[t] = x[i] * y[i];
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, part[0]);
}

/// z = x + factor * y
__global__ void combine(const float* x, const float* y, float* z, float factor) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  z[i] = x[i] + factor * y[i];
}

float* vectorOf(const std::vector<float>& values) {
  float* data = nullptr;
  cudaMalloc(&data, values.size() * sizeof(float));
  cudaMemcpy(data, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return data;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 128;
  const int iterations = argc > 2 ? std::atoi(argv[2]) : 60;
  const int blocks = n * n / kThreads;
  std::vector<float> right(n * n);
  for (int k = 0; k < n * n; ++k) right[k] = static_cast<float>(k * 13 % 29);
  float *x = vectorOf(std::vector<float>(n * n)), *r = vectorOf(right), *p = vectorOf(right);
  float *product = vectorOf(right), *sum = vectorOf({0});
  const auto dotOf = [&](const float* a, const float* b) {
    float value = 0;
    cudaMemset(sum, 0, sizeof(float));
    dot<<<blocks, kThreads>>>(a, b, sum);
    cudaMemcpy(&value, sum, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  };
  float square = dotOf(r, r);
  for (int k = 0; k < iterations; ++k) {
    laplacian<<<blocks, kThreads>>>(p, product, n);
    const float step = square / dotOf(p, product);
    combine<<<blocks, kThreads>>>(x, p, x, step);
    combine<<<blocks, kThreads>>>(r, product, r, -step);
    const float next = dotOf(r, r);
    combine<<<blocks, kThreads>>>(r, p, p, next / square);
    square = next;
  }
  std::printf("%.3g\n", square);
}
