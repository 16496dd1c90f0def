// Pi by throwing darts: one xorshift state per thread, kept between launches, and integer
// counts.
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

#define CUDA_OK(x)                                                               \
  if (auto err = (x); err != cudaSuccess) {                                      \
    std::cout << "FAIL: " << #x << ": " << cudaGetErrorString(err) << std::endl; \
    return 1;                                                                    \
  }

struct Xorshift128 {
  uint32_t x, y, z, w;
  __host__ __device__ void seed(uint32_t s) {
    x = s * 2654435761u + 1;
    y = x ^ 0x9e3779b9u;
    z = y * 1812433253u + s;
    w = ~z;
  }
  __host__ __device__ uint32_t next() {
    uint32_t t = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    return w = w ^ (w >> 19) ^ t ^ (t >> 8);
  }
  __host__ __device__ float uniform() { return next() * 2.3283064365386963e-10f; }
};

__host__ __device__ inline bool inside(Xorshift128& random) {
  const float x = random.uniform(), y = random.uniform();
  return fmaf(x, x, y * y) <= 1.0f;
}

__global__ void setup(Xorshift128* states, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) states[i].seed(i);
}

__global__ void throwDarts(Xorshift128* states, int n, int darts, unsigned long long* hits) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned count = 0;
  if (i < n) {
    Xorshift128 local = states[i];
    for (int d = 0; d < darts; ++d) count += inside(local);
    states[i] = local;
  }
  count = __syncthreads_count(0) + count;  // all threads reach this call
  for (int offset = 16; offset; offset >>= 1) count += __shfl_xor_sync(0xffffffff, count, offset);
  if ((threadIdx.x & 31) == 0) atomicAdd(hits, (unsigned long long)count);
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1000,
            darts = argc > 2 ? std::atoi(argv[2]) : 40, launches = 3;
  Xorshift128* states;
  unsigned long long *hits, got = 0, expected = 0;
  CUDA_OK(cudaMalloc(&states, threads * sizeof(Xorshift128)));
  CUDA_OK(cudaMalloc(&hits, sizeof *hits));
  CUDA_OK(cudaMemset(hits, 0, sizeof *hits));
  auto begin = std::chrono::high_resolution_clock::now();
  const int blocks = (threads + 127) / 128;
  setup<<<blocks, 128>>>(states, threads);
  for (int l = 0; l < launches; ++l) throwDarts<<<blocks, 128>>>(states, threads, darts, hits);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaDeviceSynchronize());
  auto end = std::chrono::high_resolution_clock::now();
  CUDA_OK(cudaMemcpy(&got, hits, sizeof got, cudaMemcpyDeviceToHost));
  std::vector<Xorshift128> last(threads);
  CUDA_OK(cudaMemcpy(last.data(), states, threads * sizeof(Xorshift128), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaFree(states));
  CUDA_OK(cudaFree(hits));
  std::cerr << "took " << std::chrono::duration_cast<std::chrono::microseconds>(end - begin).count()
            << " us\n";

  for (int i = 0; i < threads; ++i) {
    Xorshift128 random;
    random.seed(i);
    for (int d = 0; d < launches * darts; ++d) expected += inside(random);
    if (random.w != last[i].w || random.x != last[i].x) {
      std::cout << "FAIL: the state of thread " << i << " differs" << std::endl;
      return 1;
    }
  }
  const double pi = 4.0 * got / (double(threads) * darts * launches);
  if (got != expected || std::fabs(pi - 3.14159265358979) > 0.05) {
    std::cout << "FAIL: " << got << " hits, expected " << expected << std::endl;
    return 1;
  }
  std::cout << "PASS: pi is about " << pi << std::endl;
  return 0;
}
