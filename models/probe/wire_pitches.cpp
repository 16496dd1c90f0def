#include <fermata/models/probe/wire_pitches.h>

#include <fermata/models/vocabulary/vector_clones.h>

#include <algorithm>

namespace fermata {

namespace {

using Lanes = WarpAccess::Lanes;

// The helpers are always inlined: a clone for AVX2 must not call a helper compiled for SSE2.

/// Returns the sum of bank + 1 over the lanes.
[[gnu::always_inline]] inline std::uint32_t rowPitches(const Lanes& bank, LaneMask lanes) {
  std::uint32_t sum = 0;
  if (lanes == kAllLanes) {
    for (unsigned i = 0; i < kWarpLanes; ++i) sum += bank[i];
  } else {
    for (unsigned i = 0; i < kWarpLanes; ++i) sum += bank[i] & (0U - (lanes >> i & 1U));
  }
  return sum + laneCount(lanes);
}

/// Returns the sum of lane + 1 over the lanes, computed by the bits of the lanes' numbers.
[[gnu::always_inline]] inline std::uint32_t columnPitches(LaneMask lanes) {
  if (lanes == kAllLanes) return kWarpLanes * (kWarpLanes + 1) / 2;
  return laneCount(lanes) + laneCount(lanes & 0xaaaaaaaaU) + 2 * laneCount(lanes & 0xccccccccU) +
         4 * laneCount(lanes & 0xf0f0f0f0U) + 8 * laneCount(lanes & 0xff00ff00U) +
         16 * laneCount(lanes & 0xffff0000U);
}

[[gnu::always_inline]] inline LaneMask lanesOn(const Lanes& word, std::uint32_t which) {
  LaneMask lanes = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) lanes |= LaneMask{word[i] == which} << i;
  return lanes;
}

/// True if every lane i from Period on has the word of lane i - Period.
template <unsigned Period>
[[gnu::always_inline]] inline bool repeats(const Lanes& word) {
  std::uint32_t differ = 0;
  for (unsigned i = Period; i < kWarpLanes; ++i) differ |= word[i] ^ word[i - Period];
  return differ == 0;
}

/// Returns the highest of `lanes` on each word: compares every lane with all lanes above it.
[[gnu::always_inline]] inline LaneMask lastOnWords(const Lanes& word, LaneMask lanes) {
  constexpr std::uint32_t noWord = ~std::uint32_t{0};  // a word is a byte address by its size
  std::array<std::uint32_t, 2 * kWarpLanes> behind;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    behind[i] = word[i] | ((lanes >> i & 1U) - 1U);
    behind[kWarpLanes + i] = noWord;
  }
  Lanes again;
  for (unsigned i = 0; i < kWarpLanes; ++i) again[i] = 0U - std::uint32_t{behind[i + 1] == word[i]};
  for (unsigned d = 2; d < kWarpLanes; ++d) {
    for (unsigned i = 0; i < kWarpLanes; ++i)
      again[i] |= 0U - std::uint32_t{behind[i + d] == word[i]};
  }
  LaneMask last = lanes;
  for (unsigned i = 0; i < kWarpLanes; ++i) last &= ~(again[i] & LaneMask{1} << i);
  return last;
}

/// Returns the highest of `lanes` on each word: goes through the words that lanes share. `rest`:
/// lanes that are no leader.
[[gnu::always_inline]] inline LaneMask lastOnFewWords(const Lanes& word, LaneMask lanes,
                                                      LaneMask rest) {
  LaneMask last = lanes & ~rest;
  while (rest != 0) {
    const LaneMask sharing =
        lanesOn(word, word[static_cast<unsigned>(__builtin_ctz(rest))]) & lanes;
    const unsigned highest = kWarpLanes - 1 - static_cast<unsigned>(__builtin_clz(sharing));
    last = (last & ~sharing) | LaneMask{1} << highest;
    rest &= ~sharing;
  }
  return last;
}

/// Shared words up to which lastOnFewWords() is used; above it all lanes are compared at once.
constexpr unsigned kFewWords = 12;

/// Returns the highest of `lanes` on each word: it is the farthest from the corner.
[[gnu::always_inline]] inline LaneMask farthest(const Lanes& word, LaneMask lanes,
                                                LaneMask leaders) {
  if (lanes == leaders) return lanes;
  if (lanes == kAllLanes) {  // rows of a tile
    if (leaders == 0xffffU && repeats<16>(word)) return 0xffff0000U;
    if (leaders == 0xffU && repeats<8>(word)) return 0xff000000U;
  }
  const LaneMask rest = lanes & ~leaders;
  const unsigned words = laneCount(leaders == 0 ? lanes : leaders);
  if (std::min(words, laneCount(rest)) > kFewWords) return lastOnWords(word, lanes);
  return lastOnFewWords(word, lanes, rest);
}

}  // namespace

FERMATA_VECTOR_CLONES
std::uint32_t wirePitches(const Lanes& word, const Lanes& bank, LaneMask lanes, LaneMask leaders) {
  return rowPitches(bank, lanes) + columnPitches(farthest(word, lanes, leaders));
}

}  // namespace fermata
