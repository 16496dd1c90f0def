// Tiles of more than 32 threads: thread_block_tile<64> to <1024>, whose warps meet in shared memory
// that the block gives (block_tile_memory).
#pragma once

#include "group_lanes.h"

namespace cooperative_groups {

namespace details {

/// Meeting place of a tile's warps.
struct TileMemory {
  unsigned arrived;     ///< warps at the barrier
  unsigned generation;  ///< barriers that are over
  unsigned word;        ///< from one member to all
};

}  // namespace details

/// Shared memory for the tiles of a block of up to `kThreads` threads.
template <unsigned kThreads = 1024>
struct __align__(8) block_tile_memory {
  details::TileMemory tiles[(kThreads + 63) / 64];
};

namespace details {

/// A block with memory for its wide tiles.
class BlockWithTiles : public thread_block {
 public:
  __device__ BlockWithTiles(const thread_block& block, TileMemory* tiles)
      : thread_block(block), tiles_(tiles) {}
  __device__ TileMemory* tiles() const { return tiles_; }

 private:
  TileMemory* tiles_;
};

}  // namespace details

/// All threads of the block call it: it makes the memory ready.
template <unsigned kThreads>
__device__ inline details::BlockWithTiles this_thread_block(block_tile_memory<kThreads>& memory) {
  constexpr unsigned kTiles = sizeof(memory.tiles) / sizeof(memory.tiles[0]);
  for (unsigned i = details::rankInBlock(); i < kTiles; i += details::threadsOfBlock())
    memory.tiles[i] = {};
  __syncthreads();
  return {this_thread_block(), memory.tiles};
}

namespace details {

/// A tile of `N` neighbouring threads of a block, whole warps.
template <unsigned N>
class WideTile {
  static_assert(N > 32 && N <= 1024 && (N & (N - 1)) == 0,
                "a tile of several warps has 64, 128, 256, 512 or 1024 threads");

 public:
  __device__ explicit WideTile(const BlockWithTiles& block)
      : rank_(rankInBlock() / N),
        tiles_((threadsOfBlock() + N - 1) / N),
        memory_(block.tiles() + rank_) {}

  static __device__ unsigned thread_rank() { return rankInBlock() % N; }
  static constexpr __device__ unsigned size() { return N; }
  static constexpr __device__ unsigned num_threads() { return N; }
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return tiles_; }

  /// Waits for all warps of the tile. One lane counts its warp in; the last one releases all.
  __device__ void sync() const {
    __syncwarp();
    if (laneId() == 0) {
      volatile unsigned* const generation = &memory_->generation;
      const unsigned now = *generation;
      __threadfence_block();
      if (atomicInc(&memory_->arrived, N / 32 - 1) == N / 32 - 1) {
        __threadfence_block();
        *generation = now + 1;
      } else {
        while (*generation == now) {
        }
      }
      __threadfence_block();
    }
    __syncwarp();
  }
  /// Returns the value of the member with this rank.
  template <class T>
  __device__ T shfl(const T& value, unsigned rank) const {
    return byWords(value, [&](unsigned word) { return fromRank(word, rank % N); });
  }
  __device__ int any(int predicate) const { return countOf(predicate != 0) != 0; }
  __device__ int all(int predicate) const { return countOf(predicate != 0) == N; }

  /// Combines the values of each warp, then those of the warps in their order; not in CUDA.
  template <class T, class Operation>
  __device__ T combined(T value, Operation operation) const {
    const T own = thread_block_tile<32>(0, 1).combined(value, operation);
    T all = shfl(own, 0);
    for (unsigned first = 32; first < N; first += 32) all = operation(all, shfl(own, first));
    return all;
  }

 private:
  __device__ unsigned fromRank(unsigned word, unsigned rank) const {
    if (thread_rank() == rank) memory_->word = word;
    sync();
    const unsigned moved = *static_cast<volatile unsigned*>(&memory_->word);
    sync();
    return moved;
  }
  /// Returns how many members have the predicate.
  __device__ unsigned countOf(bool predicate) const {
    if (thread_rank() == 0) memory_->word = 0;
    sync();
    const unsigned lanes = __ballot_sync(0xffffffffu, predicate);
    if (laneId() == 0) atomicAdd(&memory_->word, static_cast<unsigned>(__popc(lanes)));
    sync();
    const unsigned count = *static_cast<volatile unsigned*>(&memory_->word);
    sync();
    return count;
  }

  unsigned rank_, tiles_;
  TileMemory* memory_;
};

}  // namespace details

template <class Parent>
class thread_block_tile<64, Parent> : public details::WideTile<64> {
  using WideTile::WideTile;
};
template <class Parent>
class thread_block_tile<128, Parent> : public details::WideTile<128> {
  using WideTile::WideTile;
};
template <class Parent>
class thread_block_tile<256, Parent> : public details::WideTile<256> {
  using WideTile::WideTile;
};
template <class Parent>
class thread_block_tile<512, Parent> : public details::WideTile<512> {
  using WideTile::WideTile;
};
template <class Parent>
class thread_block_tile<1024, Parent> : public details::WideTile<1024> {
  using WideTile::WideTile;
};

namespace details {

template <bool kHolds>
struct If;
template <>
struct If<true> {
  template <class T>
  using Then = T;
};
/// The tile's type, if it has several warps or one.
template <unsigned N>
using IfWide = typename If<(N > 32)>::template Then<thread_block_tile<N, thread_block>>;
template <unsigned N>
using IfNarrow = typename If<(N <= 32)>::template Then<thread_block_tile<N, thread_block>>;

}  // namespace details

template <unsigned N>
__device__ inline details::IfWide<N> tiled_partition(const details::BlockWithTiles& block) {
  return details::IfWide<N>(block);
}
/// All threads of the block call it. A GPU of compute capability 8.0 or later has memory for it.
template <unsigned N>
__device__ inline details::IfWide<N> tiled_partition(const thread_block&) {
  __shared__ block_tile_memory<> memory;
  return details::IfWide<N>(this_thread_block(memory));
}

}  // namespace cooperative_groups
