// Blocks that take the work of blocks which have not begun (clusterlaunchcontrol), alone and in
// clusters: each index of the grid is processed once, whoever does it.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kBlock = 64;
constexpr int kRoom = 40000;  // bytes of shared memory: five blocks fill a multiprocessor

__device__ unsigned sharedAddress(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

__device__ void begin(unsigned long long* barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(sharedAddress(barrier)) : "memory");
}

__device__ void ask(void* answer, unsigned long long* barrier) {
  asm volatile(
      "{ .reg .b64 state;\n"
      "mbarrier.arrive.expect_tx.shared.b64 state, [%0], 16;\n"
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%1], "
      "[%0]; }" ::"r"(sharedAddress(barrier)),
      "r"(sharedAddress(answer))
      : "memory");
}

__device__ void await(unsigned long long* barrier, unsigned phase) {
  asm volatile(
      "{ .reg .pred p;\n"
      "AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
      "@!p bra AGAIN; }" ::"r"(sharedAddress(barrier)),
      "r"(phase)
      : "memory");
}

/// Returns whether there is further work, and its place.
__device__ bool taken(const void* answer, dim3& place) {
  unsigned yes, x, y, z;
  asm volatile(
      "{ .reg .b128 a; .reg .pred p;\n"
      "ld.shared.b128 a, [%4];\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, a;\n"
      "selp.u32 %0, 1, 0, p; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0;\n"
      "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%1, %2, %3, _}, a; }"
      : "=r"(yes), "=r"(x), "=r"(y), "=r"(z)
      : "r"(sharedAddress(answer))
      : "memory");
  place = dim3(x, y, z);
  return yes != 0;
}

// Device code sees the architecture that was asked for, though clang-16 knows none so new.
__global__ void seenArchitecture(int* found) {
#ifdef __CUDA_ARCH__
  *found = __CUDA_ARCH__;
#else
  *found = 0;
#endif
}

// counts[i]: how often index i was processed; total: blocks that ran.
__global__ void persistent(unsigned* counts, unsigned* ran) {
  __shared__ alignas(16) uint4 answer;
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    begin(&barrier);
    atomicAdd(ran, 1);
  }
  __syncthreads();
  dim3 place = blockIdx;
  for (unsigned phase = 0;; phase ^= 1) {
    if (threadIdx.x == 0) ask(&answer, &barrier);
    const unsigned index = (place.z * gridDim.y + place.y) * gridDim.x + place.x;
    if (threadIdx.x == 0) atomicAdd(&counts[index], 1);
    await(&barrier, phase);
    const bool more = taken(&answer, place);
    __syncthreads();
    if (!more) return;
  }
}

// Every block of the cluster of two processes its part of the work of the cluster that it takes.
__global__ void __cluster_dims__(2) inClusters(unsigned* counts, unsigned* ran) {
  __shared__ alignas(16) uint4 answer;
  __shared__ unsigned long long barrier;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  if (threadIdx.x == 0) {
    begin(&barrier);
    atomicAdd(ran, 1);
  }
  cluster.sync();
  unsigned first = blockIdx.x - rank;
  for (unsigned phase = 0;; phase ^= 1) {
    if (threadIdx.x == 0) {
      asm volatile(
          "{ .reg .b64 state; mbarrier.arrive.expect_tx.shared.b64 state, [%0], 16; }" ::"r"(
              sharedAddress(&barrier))
          : "memory");
    }
    cluster.sync();
    if (rank == 0 && threadIdx.x == 0) {
      asm volatile(
          "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes."
          "multicast::cluster::all.b128 [%1], [%0];" ::"r"(sharedAddress(&barrier)),
          "r"(sharedAddress(&answer))
          : "memory");
    }
    if (threadIdx.x == 0) atomicAdd(&counts[first + rank], 1);
    await(&barrier, phase);
    dim3 place;
    const bool more = taken(&answer, place);
    cluster.sync();
    if (!more) return;
    first = place.x;
  }
}

template <class Kernel>
void check(const char* name, Kernel kernel, dim3 grid) {
  const size_t blocks = size_t{grid.x} * grid.y * grid.z;
  auto* counts = newOnDevice<unsigned>(blocks);
  auto* ran = newOnDevice<unsigned>(1);
  CHECK(cudaMemset(counts, 0, blocks * sizeof(unsigned)));
  CHECK(cudaMemset(ran, 0, sizeof(unsigned)));
  kernel<<<grid, kBlock, kRoom>>>(counts, ran);
  CHECK(cudaGetLastError());
  std::vector<unsigned> found(blocks);
  unsigned began = 0;
  CHECK(cudaMemcpy(found.data(), counts, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&began, ran, sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < blocks; ++i) {
    if (found[i] != 1) fail("%s: index %zu was processed %u times", name, i, found[i]);
  }
  EXPECT(began >= 1 && began < blocks);
  CHECK(cudaFree(counts));
  CHECK(cudaFree(ran));
}

int main() {
  auto* architecture = newOnDevice<int>(1);
  seenArchitecture<<<1, 1>>>(architecture);
  int found = 0;
  CHECK(cudaMemcpy(&found, architecture, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT(found == 1000);
  check("persistent", persistent, dim3(600, 3, 2));
  check("inClusters", inClusters, dim3(2048));
  std::puts("PASS: every index once");
}
