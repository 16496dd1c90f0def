// Cooperative groups: blocks, grids, tiles and the lanes that run together.
#pragma once
#define _COOPERATIVE_GROUPS_H_  // programs ask whether it was read

#include "cuda_runtime.h"

#if !defined(__CUDA__) || !defined(__clang__)
#error "cooperative_groups.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#include "parts/group_lanes.h"

namespace cooperative_groups {

template <unsigned N>
__device__ inline thread_block_tile<N, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / N, (block.size() + N - 1) / N};
}
template <unsigned N, unsigned M, class Parent>
__device__ inline thread_block_tile<N, thread_block_tile<M, Parent>> tiled_partition(
    const thread_block_tile<M, Parent>& tile) {
  static_assert(N <= M, "a part of a tile is no larger");
  return {tile.thread_rank() / N, M / N};
}
/// So many neighbouring ranks; a power of two up to 32.
__device__ inline coalesced_group tiled_partition(const coalesced_group& group, unsigned n) {
  const unsigned rank = group.thread_rank(), first = rank / n * n;
  unsigned mask = 0;
  for (unsigned r = first; r < first + n && r < group.size(); ++r) mask |= 1u << group.lane(r);
  return coalesced_group(mask, rank / n, (group.size() + n - 1) / n);
}
__device__ inline thread_group tiled_partition(const thread_block& block, unsigned n) {
  const unsigned lane = details::laneId() / n * n;
  const unsigned lanes = (n >= 32 ? 0xffffffffu : (1u << n) - 1) << (n >= 32 ? 0 : lane);
  return coalesced_group(lanes & __activemask(), block.thread_rank() / n,
                         (block.size() + n - 1) / n);
}
template <unsigned N>
__device__ inline coalesced_group tiled_partition(const coalesced_group& group) {
  return tiled_partition(group, N);
}
/// The members that say the same, and the others.
template <class Group>
__device__ inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned yes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? yes : group.mask() & ~yes, predicate ? 1 : 0, 2);
}
template <class Group, class T>
__device__ inline coalesced_group labeled_partition(const Group& group, T label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}

template <class Group>
__device__ inline void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ inline unsigned thread_rank(const Group& group) {
  return static_cast<unsigned>(group.thread_rank());
}
template <class Group>
__device__ inline unsigned group_size(const Group& group) {
  return static_cast<unsigned>(group.size());
}

}  // namespace cooperative_groups

#pragma clang attribute pop
