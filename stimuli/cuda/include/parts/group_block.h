// thread_block and grid_group.
#pragma once

#include "group_words.h"

namespace cooperative_groups {

class thread_block {
 public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned thread_rank() { return details::rankInBlock(); }
  static __device__ unsigned size() { return details::threadsOfBlock(); }
  static __device__ unsigned num_threads() { return size(); }
  static __device__ dim3 group_index() { return blockIdx; }
  static __device__ dim3 thread_index() { return threadIdx; }
  static __device__ dim3 group_dim() { return blockDim; }
  static __device__ dim3 dim_threads() { return blockDim; }

  struct arrival_token {};
  __device__ arrival_token barrier_arrive() const { return {}; }
  __device__ void barrier_wait(arrival_token&&) const { sync(); }

 private:
  __device__ thread_block() {}
  friend __device__ thread_block this_thread_block();
};
__device__ inline __attribute__((nodebug)) thread_block this_thread_block() {
  return thread_block();
}

namespace details {

/// The barrier of all blocks of a grid. Each file has one, shared by all its kernels.
struct GridBarrier {
  unsigned arrived;
  unsigned generation;
};
static __device__ GridBarrier gridBarrier __attribute__((unused));

}  // namespace details

/// All blocks of a grid that was launched with cudaLaunchCooperativeKernel, which makes them
/// resident together.
class grid_group {
 public:
  __device__ bool is_valid() const { return true; }
  static __device__ unsigned long long size() {
    return static_cast<unsigned long long>(num_blocks()) * details::threadsOfBlock();
  }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * details::threadsOfBlock() + details::rankInBlock();
  }
  static __device__ dim3 group_dim() { return gridDim; }
  static __device__ dim3 dim_blocks() { return gridDim; }
  static __device__ dim3 block_index() { return blockIdx; }

  /// Waits for all blocks. One thread per block counts its block in; the last one releases all.
  __device__ __attribute__((nodebug)) void sync() const {
    __syncthreads();
    if (details::rankInBlock() == 0) {
      volatile unsigned* const generation = &details::gridBarrier.generation;
      const unsigned now = *generation;
      __threadfence();
      const unsigned last = static_cast<unsigned>(num_blocks()) - 1;
      if (atomicInc(&details::gridBarrier.arrived, last) == last) {
        __threadfence();
        *generation = now + 1;
      } else {
        while (*generation == now) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }

 private:
  __device__ grid_group() {}
  friend __device__ grid_group this_grid();
};
__device__ inline __attribute__((nodebug)) grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
