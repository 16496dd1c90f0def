// memcpy_async, wait and wait_prior: the group copies, each call is a commit, and waiting ends with
// the group's barrier. From sm_80 on the copies are cp.async; before that the group copies at once.
#pragma once

#include "../cooperative_groups.h"
#include "../parts/cuda_scopes.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups {

/// Copies `count` bytes; the count may be a cuda::aligned_size_t.
template <class Group, class Count>
__device__ inline void memcpy_async(const Group& group, void* to, const void* from,
                                    const Count& count) {
  fermata_copies::copy<fermata_copies::PromisedBy<Count>::kBytes>(group.thread_rank(), group.size(),
                                                                  to, from, count);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __pipeline_commit();
#endif
}
/// Copies as many elements as both ends have.
template <class Group, class T, class ToCount, class FromCount>
__device__ inline void memcpy_async(const Group& group, T* to, const ToCount& toCount,
                                    const T* from, const FromCount& fromCount) {
  const size_t ofTo = toCount, ofFrom = fromCount;
  memcpy_async(group, static_cast<void*>(to), static_cast<const void*>(from),
               (ofTo < ofFrom ? ofTo : ofFrom) * sizeof(T));
}
/// Waits for all copies except those of the last kLast calls.
template <unsigned kLast, class Group>
__device__ inline void wait_prior(const Group& group) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __pipeline_wait_prior(kLast);
#endif
  group.sync();
}
template <class Group>
__device__ inline void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#pragma clang attribute pop
