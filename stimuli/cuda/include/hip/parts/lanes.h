// Operations over the lanes of a wave64. Its halves are two warps of the model, so what stays
// within 32 lanes is a shuffle of a warp, and the rest are the executor's own instructions. Waves
// of 32 lanes (gfx10 and later) are warps.
#pragma once

#define FERMATA_HIP __device__ __inline__ __attribute__((always_inline, nodebug))

namespace fermata_hip {

constexpr int kWave = FERMATA_WAVE;
typedef unsigned long long Mask;

FERMATA_HIP unsigned laneInWarp() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
FERMATA_HIP unsigned lane() {
  unsigned warp;
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  return laneInWarp() + (kWave == 64 ? warp % 2 * 32 : 0);
}
FERMATA_HIP unsigned here() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}

FERMATA_HIP Mask ballot(int predicate) {
  if constexpr (kWave == 32) return __nvvm_vote_ballot_sync(here(), predicate);
  Mask lanes;
  asm volatile("wave64.ballot.b64 %0, %1;" : "=l"(lanes) : "r"(predicate));
  return lanes;
}
FERMATA_HIP Mask active() { return ballot(1); }
FERMATA_HIP int any(int predicate) { return ballot(predicate) != 0; }
FERMATA_HIP int all(int predicate) { return ballot(!predicate) == 0; }

/// Returns the word of a lane of the wave; 0 if that lane does not take part.
FERMATA_HIP int wordOf(int word, int lane) {
  int result;
  if constexpr (kWave == 32)
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, %3;"
                 : "=r"(result)
                 : "r"(word), "r"(lane), "r"(here()));
  else
    asm volatile("wave64.shfl.b32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(lane));
  return result;
}
/// Returns the word of a lane of the own half of the wave; 0 if that lane does not take part.
FERMATA_HIP int wordOfHalf(int word, int lane) {
  int result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, %3;"
               : "=r"(result)
               : "r"(word), "r"(lane), "r"(here()));
  return result;
}
/// Returns the word that the last lane of those which name this lane has; 0: none does.
FERMATA_HIP int pushed(int word, int lane) {
  int result = 0;
  if constexpr (kWave == 64) {
    asm volatile("wave64.push.b32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(lane));
  } else {
    for (int from = 0; from < 32; ++from) {
      const int target = wordOf(lane & 31, from);
      const int value = wordOf(word, from);
      if ((active() >> from & 1) != 0 && target == int(laneInWarp())) result = value;
    }
  }
  return result;
}

/// Moves a value of any size by `move`, word by word.
template <class T, class Move>
FERMATA_HIP T byWords(const T& value, Move move) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  int words[kWords] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = move(words[i]);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

/// Returns the value of `source`, a lane of the wave, within segments of `width` lanes.
template <class T>
FERMATA_HIP T from(const T& value, int source, int width) {
  if (width <= 32) return byWords(value, [=](int word) { return wordOfHalf(word, source & 31); });
  return byWords(value, [=](int word) { return wordOf(word, source); });
}

// Shuffles. A source outside of the segment gives the lane's own value.
template <class T>
FERMATA_HIP T shfl(T value, int source, int width = kWave) {
  const int self = int(lane());
  return from(value, (self & -width) + (source & (width - 1)), width);
}
template <class T>
FERMATA_HIP T shflUp(T value, unsigned delta, int width = kWave) {
  const int self = int(lane()), source = self - int(delta);
  return from(value, source < (self & -width) ? self : source, width);
}
template <class T>
FERMATA_HIP T shflDown(T value, unsigned delta, int width = kWave) {
  const int self = int(lane());
  const int source = self + int(delta);
  return from(value, source >= (self & -width) + width ? self : source, width);
}
template <class T>
FERMATA_HIP T shflXor(T value, int mask, int width = kWave) {
  const int self = int(lane()), source = self ^ mask;
  return from(value, source >= (self & -width) + width ? self : source, width);
}

}  // namespace fermata_hip

#undef __shfl
#define __shfl(...) ::fermata_hip::shfl(__VA_ARGS__)
#define __shfl_up(...) ::fermata_hip::shflUp(__VA_ARGS__)
#define __shfl_down(...) ::fermata_hip::shflDown(__VA_ARGS__)
#define __shfl_xor(...) ::fermata_hip::shflXor(__VA_ARGS__)
// Masks are of the lanes that call: they change nothing.
#define __shfl_sync(mask, ...) ::fermata_hip::shfl(__VA_ARGS__)
#define __shfl_up_sync(mask, ...) ::fermata_hip::shflUp(__VA_ARGS__)
#define __shfl_down_sync(mask, ...) ::fermata_hip::shflDown(__VA_ARGS__)
#define __shfl_xor_sync(mask, ...) ::fermata_hip::shflXor(__VA_ARGS__)
#define __ballot(predicate) ::fermata_hip::ballot(predicate)
#define __ballot64(predicate) ::fermata_hip::ballot(predicate)
#define __any(predicate) ::fermata_hip::any(predicate)
#define __all(predicate) ::fermata_hip::all(predicate)
#define __ballot_sync(mask, predicate) ::fermata_hip::ballot(predicate)
#define __any_sync(mask, predicate) ::fermata_hip::any(predicate)
#define __all_sync(mask, predicate) ::fermata_hip::all(predicate)
#define __activemask() ::fermata_hip::active()
#define __lane_id() ::fermata_hip::lane()
#define __lastbit_u32_u64(mask) (__ffsll(mask) - 1)
