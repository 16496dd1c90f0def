// What cooperative groups are made of: ranks, masks, and values of any type between lanes.
#pragma once

#include "device_words.h"

namespace cooperative_groups {
namespace details {

FERMATA_DEVICE unsigned laneId() {
  return __nvvm_read_ptx_sreg_laneid();
}
FERMATA_DEVICE unsigned rankInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
FERMATA_DEVICE unsigned threadsOfBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
/// Lanes before this one.
FERMATA_DEVICE unsigned lanesBelow() {
  return (1u << laneId()) - 1;
}
/// The lane of the bit of `mask` that has `rank` set ones below it.
FERMATA_DEVICE unsigned laneOfRank(unsigned mask, unsigned rank) {
  if (mask == 0xffffffffu) return rank;
  return __fns(mask, 0, static_cast<int>(rank) + 1);
}

/// A value of any type that can be copied, by words, through `move(word)`.
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
