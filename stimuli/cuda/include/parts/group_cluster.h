// cluster_group.
#pragma once

#include "cluster_words.h"
#include "group_block.h"

namespace cooperative_groups {

/// The blocks of a cluster: resident together, with a barrier, and each sees the others' shared
/// memory. In a launch without clusters it is the block alone.
class cluster_group {
 public:
  struct arrival_token {};

  static __device__ void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static __device__ arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return {};
  }
  static __device__ void barrier_wait() { __cluster_barrier_wait(); }
  static __device__ void barrier_wait(arrival_token&&) { barrier_wait(); }

  /// Returns the rank of the block in whose shared memory the address lies.
  static __device__ unsigned query_shared_rank(const void* address) {
    return __cluster_query_shared_rank(address);
  }
  /// Returns the address of the same variable in the block with this rank.
  template <class T>
  static __device__ T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(__cluster_map_shared_rank(address, static_cast<unsigned>(rank)));
  }

  static __device__ dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static __device__ unsigned block_rank() { return __clusterRelativeBlockRank(); }
  static __device__ dim3 dim_blocks() { return __clusterDim(); }
  static __device__ unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static __device__ dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static __device__ unsigned thread_rank() {
    return block_rank() * details::threadsOfBlock() + details::rankInBlock();
  }
  static __device__ dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __device__ unsigned num_threads() { return num_blocks() * details::threadsOfBlock(); }
  static __device__ unsigned size() { return num_threads(); }

 private:
  __device__ cluster_group() {}
  friend __device__ cluster_group this_cluster();
};
__device__ inline __attribute__((nodebug)) cluster_group this_cluster() { return cluster_group(); }

}  // namespace cooperative_groups
