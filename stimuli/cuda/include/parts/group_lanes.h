// Groups of lanes of a warp: thread_block_tile<N>, coalesced_group, and thread_group, which holds
// any.
#pragma once

#include "group_block.h"

namespace cooperative_groups {

namespace details {

/// Common part of groups of lanes. `Group` has mask(), size(), thread_rank(), lane(rank).
template <class Group>
class LaneGroup {
 public:
  __device__ void sync() const { __syncwarp(mask()); }
  __device__ unsigned num_threads() const { return self().size(); }

  /// Returns the value of the member with this rank, modulo the size.
  template <class T>
  __device__ T shfl(T value, unsigned rank) const {
    const unsigned from = self().lane(rank % self().size());
    return fromLane(value, from);
  }
  /// Returns the value of the member `delta` ranks below; a member without one keeps its own.
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    const unsigned rank = self().thread_rank();
    return fromLane(value, self().lane(rank < delta ? rank : rank - delta));
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    const unsigned rank = self().thread_rank();
    const unsigned from = rank + delta;
    return fromLane(value, self().lane(from >= self().size() ? rank : from));
  }
  __device__ int any(int predicate) const { return __any_sync(mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask(), predicate); }
  /// Returns one bit per rank.
  __device__ unsigned ballot(int predicate) const {
    return self().ranksOf(__ballot_sync(mask(), predicate));
  }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return self().ranksOf(__match_any_sync(mask(), value));
  }
  template <class T>
  __device__ unsigned match_all(T value, int& all) const {
    return self().ranksOf(__match_all_sync(mask(), value, &all));
  }

  /// Returns the lanes as a mask; not in CUDA.
  __device__ unsigned mask() const { return self().lanes(); }

 protected:
  template <class T>
  __device__ T fromLane(const T& value, unsigned from) const {
    const unsigned lanes = mask();
    return byWords(value,
                   [=](unsigned word) { return __shfl_sync(lanes, word, static_cast<int>(from)); });
  }
  __device__ const Group& self() const { return static_cast<const Group&>(*this); }
};

}  // namespace details

class coalesced_group : public details::LaneGroup<coalesced_group> {
 public:
  __device__ unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
  __device__ unsigned thread_rank() const {
    return static_cast<unsigned>(__popc(mask_ & details::lanesBelow()));
  }
  __device__ unsigned meta_group_rank() const { return metaRank_; }
  __device__ unsigned meta_group_size() const { return metaSize_; }

  __device__ unsigned lanes() const { return mask_; }
  __device__ unsigned lane(unsigned rank) const { return details::laneOfRank(mask_, rank); }
  __device__ unsigned ranksOf(unsigned found) const {
    if (mask_ == 0xffffffffu) return found;
    unsigned ranks = 0;
    unsigned left = mask_;
    for (unsigned bit = 1; left != 0; bit <<= 1) {
      if ((found & left & (0u - left)) != 0) ranks |= bit;
      left &= left - 1;
    }
    return ranks;
  }

  /// Makes a group of lanes that run together; not in CUDA.
  __device__ explicit coalesced_group(unsigned mask, unsigned metaRank = 0, unsigned metaSize = 1)
      : mask_(mask), metaRank_(metaRank), metaSize_(metaSize) {}

 private:
  unsigned mask_;
  unsigned metaRank_, metaSize_;
};
__device__ inline __attribute__((nodebug)) coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// A tile of N neighbouring threads of a block; N is a power of two, up to 32 here: group_wide.h.
template <unsigned N, class Parent = void>
class thread_block_tile : public details::LaneGroup<thread_block_tile<N, Parent>> {
  static_assert(N > 0 && N <= 32 && (N & (N - 1)) == 0,
                "a tile has a power of two of threads, 1024 at most");

 public:
  static __device__ unsigned thread_rank() { return details::laneId() & (N - 1); }
  static constexpr __device__ unsigned size() { return N; }
  static constexpr __device__ unsigned num_threads() { return N; }
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return groups_; }

  template <class T>
  __device__ T shfl(T value, int rank) const {
    const unsigned all = lanes();
    return details::byWords(
        value, [=](unsigned word) { return __shfl_sync(all, word, rank, static_cast<int>(N)); });
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    const unsigned all = lanes();
    return details::byWords(value, [=](unsigned word) {
      return __shfl_up_sync(all, word, delta, static_cast<int>(N));
    });
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    const unsigned all = lanes();
    return details::byWords(value, [=](unsigned word) {
      return __shfl_down_sync(all, word, delta, static_cast<int>(N));
    });
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned flipped) const {
    const unsigned all = lanes();
    return details::byWords(value, [=](unsigned word) {
      return __shfl_xor_sync(all, word, static_cast<int>(flipped), static_cast<int>(N));
    });
  }

  /// Combines the values of halves, quarters and so on; not in CUDA.
  template <class T, class Operation>
  __device__ T combined(T value, Operation operation) const {
#pragma unroll
    for (unsigned half = N / 2; half > 0; half /= 2)
      value = operation(value, shfl_xor(value, half));
    return value;
  }

  static __device__ unsigned first() { return details::laneId() & ~(N - 1); }
  static __device__ unsigned lanes() {
    return N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << first();
  }
  static __device__ unsigned lane(unsigned rank) { return first() + rank; }
  static __device__ unsigned ranksOf(unsigned found) { return (found & lanes()) >> first(); }

  __device__ operator thread_block_tile<N, void>() const {
    return thread_block_tile<N, void>(rank_, groups_);
  }
  /// Makes the tile of this rank; not in CUDA.
  __device__ thread_block_tile(unsigned rank, unsigned groups) : rank_(rank), groups_(groups) {}

 private:
  unsigned rank_, groups_;
};

/// Any group of a block, a tile or coalesced lanes, for functions that are no templates.
class thread_group {
 public:
  __device__ thread_group(const thread_block&) : isBlock_(true), lanes_(0u) {}
  __device__ thread_group(const coalesced_group& group) : isBlock_(false), lanes_(group) {}
  template <unsigned N, class Parent>
  __device__ thread_group(const thread_block_tile<N, Parent>& tile)
      : isBlock_(false), lanes_(tile.lanes(), tile.meta_group_rank(), tile.meta_group_size()) {}

  __device__ void sync() const {
    if (isBlock_) {
      __syncthreads();
    } else {
      lanes_.sync();
    }
  }
  __device__ unsigned size() const { return isBlock_ ? details::threadsOfBlock() : lanes_.size(); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const {
    return isBlock_ ? details::rankInBlock() : lanes_.thread_rank();
  }

 private:
  friend __device__ thread_group tiled_partition(const thread_group&, unsigned);

  bool isBlock_;
  coalesced_group lanes_;
};

}  // namespace cooperative_groups
