// Histograms of frames by atomics in shared memory: later frames have fewer distinct values.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kBins = 256;
constexpr int kPixels = 16;  ///< per thread

__global__ void count(const unsigned char* pixels, unsigned* bins, int n) {
  __shared__ unsigned own[kBins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < kPixels; ++k) {
    const int i = (blockIdx.x * kPixels + k) * kBins + threadIdx.x;
    if (i < n) atomicAdd(&own[pixels[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 18;
  const int frames = argc > 2 ? std::atoi(argv[2]) : 40;
  std::vector<unsigned char> frame(n);
  unsigned char* pixels = nullptr;
  unsigned *bins = nullptr, first = 0;
  cudaMalloc(&pixels, n);
  cudaMalloc(&bins, kBins * sizeof(unsigned));
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  unsigned seed = 1;
  for (int k = 0; k < frames; ++k) {
    const unsigned values = 256 - 3 * k % 192;
    for (unsigned char& pixel : frame)
      pixel = static_cast<unsigned char>(((seed = seed * 1664525u + 1013904223u) >> 16) % values);
    cudaMemcpy(pixels, frame.data(), n, cudaMemcpyHostToDevice);
    count<<<(n + kBins * kPixels - 1) / (kBins * kPixels), kBins>>>(pixels, bins, n);
  }
  cudaMemcpy(&first, bins, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%u\n", first);
}
