// reduce(group, value, operation) for tiles and coalesced lanes: every member gets the result.
#pragma once

#include "../cooperative_groups.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups {

template <class T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned N, class Parent, class T, class Operation>
__device__ inline T reduce(const thread_block_tile<N, Parent>& tile, T value, Operation operation) {
  return tile.combined(value, operation);
}
/// Combines pairs of ranks; a last rank without a partner keeps its value.
template <class T, class Operation>
__device__ inline T reduce(const coalesced_group& group, T value, Operation operation) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned step = 1; step < size; step *= 2) {
    const T other = group.shfl_down(value, step);
    if (rank + step < size && rank % (2 * step) == 0) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#pragma clang attribute pop
