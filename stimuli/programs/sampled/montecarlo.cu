// Pi by points at random: threads of one block take different numbers of steps.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int kThreads = 128;

__global__ void throwPoints(unsigned* inside, unsigned seed, int most) {
  __shared__ unsigned sums[kThreads];
  unsigned state = (blockIdx.x * kThreads + threadIdx.x) * 2654435761u ^ seed, hits = 0;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return static_cast<float>(state >> 8) / 16777216.0f;
  };
  state |= 1;
  const int points = most / 2 + static_cast<int>(next() * most / 2);
  for (int k = 0; k < points; ++k) {
    const float x = next(), y = next();
    hits += x * x + y * y < 1;
  }
  sums[threadIdx.x] = hits;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(inside, sums[0]);
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int batches = argc > 2 ? std::atoi(argv[2]) : 10;
  unsigned *inside = nullptr, hits = 0;
  cudaMalloc(&inside, sizeof(unsigned));
  cudaMemset(inside, 0, sizeof(unsigned));
  for (int batch = 0; batch < batches; ++batch)
    throwPoints<<<blocks, kThreads>>>(inside, batch * 40503u + 7, 32);
  cudaMemcpy(&hits, inside, sizeof hits, cudaMemcpyDeviceToHost);
  std::printf("%u\n", hits);
}
