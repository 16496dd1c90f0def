// Histogram equalisation as a pipeline of kernels: 64-bit counts by shared atomics, a scan, a
// lookup table.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::printf("FAIL: %s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

__device__ unsigned int histogram[256];
__device__ unsigned char table[256];

__global__ void count(const uint32_t* words, int n) {  // 4 pixels per word, bins per warp
  __shared__ unsigned bins[4][256];
  for (int i = threadIdx.x; i < 4 * 256; i += blockDim.x) (&bins[0][0])[i] = 0;
  __syncthreads();
  unsigned* mine = bins[threadIdx.x / 32 % 4];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint32_t w = words[i];
    atomicAdd(mine + (w & 0xff), 1);
    atomicAdd(mine + (w >> 8 & 0xff), 1);
    atomicAdd(mine + (w >> 16 & 0xff), 1);
    atomicAdd(mine + (w >> 24), 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (unsigned sum = bins[0][i] + bins[1][i] + bins[2][i] + bins[3][i])
      atomicAdd(&histogram[i], sum);
}

__global__ void makeTable(unsigned pixels) {
  __shared__ unsigned sums[256];
  __shared__ unsigned lowest;
  const int t = threadIdx.x;
  sums[t] = histogram[t];
  if (t == 0) lowest = ~0u;
  __syncthreads();
  if (sums[t]) atomicMin(&lowest, (unsigned)t);
  for (int d = 1; d < 256; d *= 2) {
    const unsigned add = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += add;
    __syncthreads();
  }
  const unsigned first = sums[lowest];
  table[t] = pixels == first ? t
                             : (unsigned char)((unsigned long long)(sums[t] - min(sums[t], first)) *
                                               255u / (pixels - first));
}

__global__ void apply(uchar4* pixels, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 p = pixels[i];
  p.x = table[p.x];
  p.y = table[p.y];
  p.z = table[p.z];
  p.w = table[p.w];
  pixels[i] = p;
}

int main(int argc, char** argv) {
  const int words = argc > 1 ? std::atoi(argv[1]) : 6000, pixels = 4 * words;
  std::vector<uint8_t> image(pixels), expected(pixels), got(pixels);
  unsigned s = 77;
  for (auto& p : image) {
    s = s * 1103515245u + 12345u;
    p = uint8_t(60 + (s >> 20) % 50 + (s >> 27) % 40);
  }
  unsigned bins[256] = {}, sum = 0, first = 0;
  for (uint8_t p : image) ++bins[p];
  uint8_t lut[256];
  for (int i = 0; i < 256; ++i) {
    sum += bins[i];
    if (!first) first = bins[i];
    lut[i] = uint8_t((unsigned long long)(sum - (sum < first ? sum : first)) * 255u /
                     (unsigned(pixels) - first));
  }
  for (int i = 0; i < pixels; ++i) expected[i] = lut[image[i]];

  void* device;
  must(cudaMalloc(&device, pixels), "cudaMalloc");
  must(cudaMemcpy(device, image.data(), pixels, cudaMemcpyHostToDevice), "copy to the device");
  count<<<7, 128>>>(static_cast<uint32_t*>(device), words);
  must(cudaGetLastError(), "count");
  makeTable<<<1, 256>>>(pixels);
  must(cudaGetLastError(), "makeTable");
  apply<<<(words + 255) / 256, 256>>>(static_cast<uchar4*>(device), words);
  must(cudaGetLastError(), "apply");
  must(cudaMemcpy(got.data(), device, pixels, cudaMemcpyDeviceToHost), "copy to the host");
  unsigned gotBins[256];
  must(cudaMemcpyFromSymbol(gotBins, histogram, sizeof gotBins), "cudaMemcpyFromSymbol");
  must(cudaFree(device), "cudaFree");
  for (int i = 0; i < 256; ++i)
    if (gotBins[i] != bins[i]) {
      std::printf("FAIL: bin %d has %u, expected %u\n", i, gotBins[i], bins[i]);
      return 1;
    }
  for (int i = 0; i < pixels; ++i)
    if (got[i] != expected[i]) {
      std::printf("FAIL: pixel %d is %d, expected %d\n", i, got[i], expected[i]);
      return 1;
    }
  std::puts("PASS");
}
