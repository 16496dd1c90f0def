// Thread block clusters: a histogram whose bins lie in the shared memory of all blocks of a
// cluster, a reduction, an exchange; launches by __cluster_dims__, attributes and the driver.
#include <cooperative_groups.h>
#include <cuda.h>

#include <cstdio>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kBins = 256, kBlock = 128;

// Each block has an equal part of the bins.
__global__ void histogram(const int* values, int count, int* bins) {
  extern __shared__ int own[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int each = kBins / static_cast<int>(cluster.num_blocks());
  for (int i = threadIdx.x; i < each; i += blockDim.x) own[i] = 0;
  cluster.sync();
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < count; i += gridDim.x * blockDim.x) {
    int* const there = cluster.map_shared_rank(own, values[i] / each);
    atomicAdd(there + values[i] % each, 1);
  }
  cluster.sync();
  const int begin = static_cast<int>(cluster.block_rank()) * each;
  for (int i = threadIdx.x; i < each; i += blockDim.x) atomicAdd(&bins[begin + i], own[i]);
}

// A cluster of 2 x 2 blocks adds the numbers of its threads in the block of rank 0.
__global__ void __cluster_dims__(2, 2, 1) __launch_bounds__(kBlock) reduce(unsigned* sums) {
  __shared__ unsigned sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&sum, 0), cluster.thread_rank());
  cluster.sync();
  const dim3 at = __clusterIdx(), clusters = __clusterGridDimInClusters();
  if (cluster.thread_rank() == 0) sums[at.y * clusters.x + at.x] = sum;
}

// Blocks hand their word to the next one, and do other work between arrival and wait.
template <unsigned kSize>
__global__ void __cluster_dims__(kSize) exchange(unsigned* found) {
  __shared__ unsigned mine, ranks;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = 100 + cluster.block_rank();
  auto token = cluster.barrier_arrive();
  ranks = 0;
  cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token&&>(token));
  unsigned* const next = cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % kSize);
  __syncthreads();
  if (cluster.query_shared_rank(next) == (cluster.block_rank() + 1) % kSize) atomicAdd(&ranks, 1);
  __syncthreads();
  const bool geometry = cluster.dim_blocks().x == kSize && cluster.block_index().x < kSize &&
                        cluster.num_threads() == kSize * blockDim.x &&
                        cluster.thread_index().x == cluster.thread_rank() &&
                        __clusterDimIsSpecified();
  if (threadIdx.x == 0) found[blockIdx.x] = *next + (geometry ? 1000 : 0) + 10000 * ranks;
  cluster.sync();
}

__global__ void addArguments(unsigned* out, long long a, float b) {
  if (cg::this_cluster().thread_rank() == 0)
    atomicAdd(out, static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

struct Config {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  Config(unsigned blocks, unsigned cluster, std::size_t shared = 0) {
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(kBlock);
    config.dynamicSmemBytes = shared;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
};

static void countsAll(unsigned cluster) {
  constexpr int kCount = 10000;
  int *values, *bins;
  cudaMallocManaged(&values, kCount * sizeof(int));
  cudaMallocManaged(&bins, kBins * sizeof(int));
  std::vector<int> wanted(kBins);
  for (int i = 0; i < kCount; ++i) ++wanted[values[i] = (i * 37 + i / 7) % kBins];
  for (int i = 0; i < kBins; ++i) bins[i] = 0;
  Config launch(2 * cluster, cluster, kBins / cluster * sizeof(int));
  EXPECT(cudaLaunchKernelEx(&launch.config, histogram, values, kCount, bins) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kBins; ++i) EXPECT(bins[i] == wanted[i]);
  cudaFree(values);
  cudaFree(bins);
}

static void adds() {
  unsigned* sums;
  cudaMallocManaged(&sums, 6 * sizeof(unsigned));
  reduce<<<dim3(4, 6), kBlock>>>(sums);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int k = 0; k < 6; ++k) EXPECT(sums[k] == 4 * kBlock * (4 * kBlock - 1) / 2);
  reduce<<<dim3(3, 6), kBlock>>>(sums);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, reduce) == cudaSuccess);
  EXPECT(attributes.requiredClusterWidth == 2 && attributes.requiredClusterHeight == 2);
  EXPECT(attributes.requiredClusterDepth == 1 && attributes.clusterDimMustBeSet == 1);
}

template <unsigned kSize>
static void exchanges() {
  unsigned* found;
  cudaMallocManaged(&found, 2 * kSize * sizeof(unsigned));
  exchange<kSize><<<2 * kSize, kBlock>>>(found);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned k = 0; k < 2 * kSize; ++k)
    EXPECT(found[k] == 1100 + (k + 1) % kSize + 10000 * kBlock);
}

static void largeClusters() {
  unsigned* out;
  cudaMallocManaged(&out, sizeof(unsigned));
  *out = 0;
  Config launch(16, 16);
  int clusters = -1, size = 0;
  EXPECT(cudaOccupancyMaxPotentialClusterSize(&size, addArguments, &launch.config) == cudaSuccess);
  EXPECT(size == 8);
  EXPECT(cudaLaunchKernelEx(&launch.config, addArguments, out, 40, 2) ==
         cudaErrorInvalidClusterSize);
  EXPECT(cudaOccupancyMaxActiveClusters(&clusters, addArguments, &launch.config) == cudaSuccess);
  EXPECT(clusters == 0);
  EXPECT(cudaFuncSetAttribute(addArguments, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
         cudaSuccess);
  EXPECT(cudaOccupancyMaxActiveClusters(&clusters, addArguments, &launch.config) == cudaSuccess);
  EXPECT(clusters >= 1);
  EXPECT(cudaOccupancyMaxPotentialClusterSize(&size, addArguments, &launch.config) == cudaSuccess);
  EXPECT(size == 16);
  EXPECT(cudaLaunchKernelEx(&launch.config, addArguments, out, 40, 2) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *out == 42);
  Config uneven(15, 2);
  EXPECT(cudaLaunchKernelEx(&uneven.config, addArguments, out, 40, 2) ==
         cudaErrorInvalidClusterSize);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  int has = 0;
  EXPECT(cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0) == cudaSuccess && has == 1);
}

const char* const kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry ranks(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r2, %cluster_ctarank; st.global.u32 [%rd1], %r2; ret;
})";

static void driverLaunches() {
  CUmodule module;
  CUfunction function;
  EXPECT(cuModuleLoadData(&module, kPtx) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&function, module, "ranks") == CUDA_SUCCESS);
  unsigned* out;
  cudaMallocManaged(&out, 8 * sizeof(unsigned));
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 4;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  CUlaunchConfig config = {};
  config.gridDimX = 8;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  void* arguments[] = {&out};
  EXPECT(cuLaunchKernelEx(&config, function, arguments, nullptr) == CUDA_SUCCESS);
  for (unsigned k = 0; k < 8; ++k) EXPECT(out[k] == k % 4);
}

int main() {
  for (const unsigned cluster : {1U, 2U, 8U}) countsAll(cluster);
  adds();
  exchanges<2>();
  exchanges<8>();
  largeClusters();
  driverLaunches();
  std::puts("PASS");
}
