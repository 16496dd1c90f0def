// Cooperative groups: blocks, clusters, grids, tiles and the lanes that run together.
#pragma once
#define _COOPERATIVE_GROUPS_H_  // programs test whether it was included

#include "cuda_runtime.h"

#ifndef FERMATA_CUDA_LANGUAGE
#error "cooperative_groups.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif

#include <cassert>
#include <chrono>  // this one and the others: programs rely on them, since CUDA's header has them
#include <climits>
#include <cstdio>
#include <cstring>
#include <string>

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#include "parts/group_cluster.h"
#include "parts/group_wide.h"

namespace cooperative_groups {

template <unsigned N>
__device__ inline details::IfNarrow<N> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / N, (block.size() + N - 1) / N};
}
template <unsigned N, unsigned M, class Parent>
__device__ inline thread_block_tile<N, thread_block_tile<M, Parent>> tiled_partition(
    const thread_block_tile<M, Parent>& tile) {
  static_assert(N <= M, "a part of a tile is no larger");
  return {tile.thread_rank() / N, M / N};
}
/// Returns a tile of `n` neighbouring ranks; n is a power of two up to 32.
__device__ inline coalesced_group tiled_partition(const coalesced_group& group, unsigned n) {
  const unsigned rank = group.thread_rank(), first = rank / n * n;
  unsigned mask = 0;
  for (unsigned r = first; r < first + n && r < group.size(); ++r) mask |= 1u << group.lane(r);
  return coalesced_group(mask, rank / n, (group.size() + n - 1) / n);
}
/// Returns a tile of `n` threads. If the block is no multiple of n, its last tile has fewer.
__device__ inline thread_group tiled_partition(const thread_block& block, unsigned n) {
  const unsigned rank = block.thread_rank(), left = block.size() - rank / n * n;
  const unsigned count = left < n ? left : n;
  return coalesced_group((0xffffffffu >> (32 - count)) << details::laneId() / n * n, rank / n,
                         (block.size() + n - 1) / n);
}
/// Returns a tile of a block or of a tile.
__device__ inline thread_group tiled_partition(const thread_group& group, unsigned n) {
  return group.isBlock_ ? tiled_partition(this_thread_block(), n)
                        : thread_group(tiled_partition(group.lanes_, n));
}
template <unsigned N>
__device__ inline coalesced_group tiled_partition(const coalesced_group& group) {
  return tiled_partition(group, N);
}
namespace details {

/// Makes a part of `group`; parts are numbered by their first lanes.
template <class Group>
__device__ inline coalesced_group partOf(const Group& group, unsigned mask) {
  const unsigned first = mask & (0u - mask);
  const unsigned firsts = __ballot_sync(group.mask(), (first & 1u << laneId()) != 0);
  return coalesced_group(mask, static_cast<unsigned>(__popc(firsts & (first - 1))),
                         static_cast<unsigned>(__popc(firsts)));
}

}  // namespace details

/// Returns the members with an equal predicate.
template <class Group>
__device__ inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned yes = __ballot_sync(group.mask(), predicate);
  return details::partOf(group, predicate ? yes : group.mask() & ~yes);
}
template <class Group, class T>
__device__ inline coalesced_group labeled_partition(const Group& group, T label) {
  return details::partOf(group, __match_any_sync(group.mask(), label));
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
