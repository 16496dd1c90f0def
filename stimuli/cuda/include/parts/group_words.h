// Building blocks of cooperative groups: ranks, masks, and values of any type moved between lanes.
#pragma once

#include "device_words.h"

namespace cooperative_groups {
namespace details {

FERMATA_DEVICE unsigned laneId() { return __nvvm_read_ptx_sreg_laneid(); }
FERMATA_DEVICE unsigned rankInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
FERMATA_DEVICE unsigned threadsOfBlock() { return blockDim.x * blockDim.y * blockDim.z; }
/// Returns the lanes below this one as a mask.
FERMATA_DEVICE unsigned lanesBelow() { return (1u << laneId()) - 1; }
/// Returns the lane of the bit of `mask` that has `rank` set bits below it.
FERMATA_DEVICE unsigned laneOfRank(unsigned mask, unsigned rank) {
  if (mask == 0xffffffffu) return rank;
  return __fns(mask, 0, static_cast<int>(rank) + 1);
}

/// Moves a value of any copyable type word by word through `move(word)`.
template <class T, class Move>
FERMATA_DEVICE T byWords(const T& value, Move move) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned words[kWords] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = move(words[i]);
  T moved;
  __builtin_memcpy(&moved, words, sizeof(T));
  return moved;
}

}  // namespace details
}  // namespace cooperative_groups
