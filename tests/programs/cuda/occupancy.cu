// Attributes of the device and of kernels, launches shaped by occupancy, and special
// registers.
#include <set>

#include "check.h"

__global__ void square(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

__global__ void __launch_bounds__(96) bounded(int* data) {
  __shared__ int held[96];
  extern __shared__ int more[];
  held[threadIdx.x] = threadIdx.x;
  more[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = held[95 - threadIdx.x] + more[threadIdx.x];
}

struct Place {
  unsigned lane, warp, sm, sms, equalMask, lessMask, grid[3], block[3];
};
__global__ void tell(Place* out) {
  Place p;
  asm("mov.u32 %0, %%laneid;" : "=r"(p.lane));
  asm("mov.u32 %0, %%warpid;" : "=r"(p.warp));
  asm("mov.u32 %0, %%smid;" : "=r"(p.sm));
  asm("mov.u32 %0, %%nsmid;" : "=r"(p.sms));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(p.equalMask));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(p.lessMask));
  p.grid[0] = gridDim.x, p.grid[1] = gridDim.y, p.grid[2] = gridDim.z;
  p.block[0] = blockDim.x, p.block[1] = blockDim.y, p.block[2] = blockDim.z;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = p;
}

__global__ void clocks(long long* out) {
  const long long start = clock64();
  const clock_t short0 = clock();
  int x = threadIdx.x;
  for (int i = 0; i < 50; ++i) x = x * 3 + 1;
  __syncthreads();
  const clock_t short1 = clock();
  const long long stop = clock64();
  if (x != 12345) out[threadIdx.x] = short1 >= short0 ? stop - start : -1;
}

int main() {
  const int n = 2000;
  int count = 0, device = -1, threads = 0, value = 0;
  CHECK(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&device));
  EXPECT(device == 0);
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, device));
  EXPECT(p.warpSize == 32 && p.maxThreadsPerBlock >= 512 && p.multiProcessorCount >= 1 &&
         p.totalGlobalMem > (1u << 28));
  EXPECT(p.maxThreadsDim[0] >= 512 && p.maxGridSize[0] >= 65535 && p.clockRate > 0 && p.name[0]);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, device));
  EXPECT(value == p.maxThreadsPerBlock);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, device));
  EXPECT(value == 32);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, device));
  EXPECT(value == int(p.sharedMemPerBlock));
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrReservedSharedMemoryPerBlock, device));
  EXPECT(value == int(p.reservedSharedMemPerBlock));
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
  EXPECT(value == int(p.sharedMemPerMultiprocessor) &&
         p.sharedMemPerMultiprocessor >= p.sharedMemPerBlock + p.reservedSharedMemPerBlock);
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  EXPECT(driver >= runtime && runtime >= 9000);

  int blocks = 0, grid = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, square, 0, n));
  EXPECT(threads > 0 && threads <= p.maxThreadsPerBlock && threads <= n &&
         grid >= p.multiProcessorCount);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, threads, 0));
  EXPECT(blocks >= 1 && blocks * threads <= p.maxThreadsPerMultiProcessor);
  fprintf(stderr, "%d blocks of %d threads: occupancy %g\n", blocks, threads,
          double(blocks * threads) / p.maxThreadsPerMultiProcessor);
  int few = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, square, 64, p.sharedMemPerBlock / 2));
  EXPECT(few >= 1 && few <= int(p.sharedMemPerMultiprocessor / (p.sharedMemPerBlock / 2)));
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i - 50;
  int* const data = toDevice(values);
  square<<<(n + threads - 1) / threads, threads>>>(data, n);
  values = toHost(data, n);
  for (int i = 0; i < n; ++i) EXPECT(values[i] == (i - 50) * (i - 50));

  cudaFuncAttributes a;
  CHECK(cudaFuncGetAttributes(&a, bounded));
  EXPECT(a.maxThreadsPerBlock == 96 && a.sharedSizeBytes == 96 * sizeof(int) && a.ptxVersion >= 30);
  CHECK(cudaFuncSetCacheConfig(bounded, cudaFuncCachePreferShared));
  bounded<<<1, 96, 96 * sizeof(int)>>>(data);
  values = toHost(data, 96);
  for (int i = 0; i < 96; ++i) EXPECT(values[i] == 95 + i);
  bounded<<<1, 128, 128 * sizeof(int)>>>(data);  // above its launch bound
  EXPECT(cudaGetLastError() != cudaSuccess);

  const dim3 g(3, 2, 2), b(8, 4, 3);
  const int perBlock = 8 * 4 * 3, all = 12 * perBlock;
  Place* const places = newOnDevice<Place>(all);
  tell<<<g, b>>>(places);
  const std::vector<Place> got = toHost(places, all);
  std::set<unsigned> seen;
  for (int i = 0; i < all; ++i) {
    const Place& q = got[i];
    const unsigned lane = i % perBlock % 32;
    EXPECT(q.lane == lane && q.equalMask == 1u << lane && q.lessMask == (1u << lane) - 1);
    EXPECT(q.grid[0] == 3 && q.grid[1] == 2 && q.grid[2] == 2 && q.block[0] == 8 &&
           q.block[1] == 4 && q.block[2] == 3);
    EXPECT(q.sm < q.sms && q.sms <= unsigned(p.multiProcessorCount));
    EXPECT(q.sm == got[i / perBlock * perBlock].sm);
    seen.insert(q.sm);
  }
  printf("on %zu of %u SMs\n", seen.size(), got[0].sms);
  long long* const ticks = toDevice(std::vector<long long>(64, -1));
  clocks<<<1, 64>>>(ticks);
  for (long long t : toHost(ticks, 64)) EXPECT(t > 0);
  puts("PASS");
}
