// K-means: points go to the nearest centre, whose sums grow by atomics; then centres move.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kCentres = 16;
constexpr int kThreads = 128;

__global__ void assign(const float2* points, const float2* centres, float* sums) {
  __shared__ float2 at[kCentres];
  __shared__ float own[3 * kCentres];
  if (threadIdx.x < kCentres) at[threadIdx.x] = centres[threadIdx.x];
  if (threadIdx.x < 3 * kCentres) own[threadIdx.x] = 0;
  __syncthreads();
  const float2 point = points[blockIdx.x * kThreads + threadIdx.x];
  int nearest = 0;
  float least = 1e30f;
  for (int k = 0; k < kCentres; ++k) {
    const float dx = point.x - at[k].x, dy = point.y - at[k].y, square = dx * dx + dy * dy;
    if (square < least) {
      least = square;
      nearest = k;
    }
  }
  atomicAdd(&own[nearest], point.x);
  atomicAdd(&own[kCentres + nearest], point.y);
  atomicAdd(&own[2 * kCentres + nearest], 1.0f);
  __syncthreads();
  if (threadIdx.x < 3 * kCentres) atomicAdd(&sums[threadIdx.x], own[threadIdx.x]);
}

__global__ void moveCentres(float2* centres, float* sums) {
  const int k = threadIdx.x;
  const float count = sums[2 * kCentres + k];
  if (count > 0) centres[k] = make_float2(sums[k] / count, sums[kCentres + k] / count);
  sums[k] = sums[kCentres + k] = sums[2 * kCentres + k] = 0;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 16;
  const int iterations = argc > 2 ? std::atoi(argv[2]) : 30;
  std::vector<float2> host(n);
  unsigned seed = 1;
  const auto random = [&] {
    return static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0f;
  };
  for (float2& point : host) {
    point.x = random() * random();
    point.y = random();
  }
  float2 *points = nullptr, *centres = nullptr;
  float* sums = nullptr;
  cudaMalloc(&points, n * sizeof(float2));
  cudaMalloc(&centres, kCentres * sizeof(float2));
  cudaMalloc(&sums, 3 * kCentres * sizeof(float));
  cudaMemset(sums, 0, 3 * kCentres * sizeof(float));
  cudaMemcpy(points, host.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
  cudaMemcpy(centres, host.data(), kCentres * sizeof(float2), cudaMemcpyHostToDevice);
  for (int k = 0; k < iterations; ++k) {
    assign<<<n / kThreads, kThreads>>>(points, centres, sums);
    moveCentres<<<1, kCentres>>>(centres, sums);
  }
  float2 first;
  cudaMemcpy(&first, centres, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%.5g %.5g\n", first.x, first.y);
}
