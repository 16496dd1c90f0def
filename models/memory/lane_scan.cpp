#include <fermata/models/memory/lane_scan.h>

#include <fermata/models/vocabulary/vector_clones.h>

namespace fermata::lane_scan {

FERMATA_VECTOR_CLONES std::uint64_t toWords(const std::array<std::uint64_t, kWarpLanes>& address,
                                            std::uint32_t base, unsigned shift, Lanes& word) {
  std::uint64_t any = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    any |= address[i];
    word[i] = (base + static_cast<std::uint32_t>(address[i])) >> shift;
  }
  return any;
}

FERMATA_VECTOR_CLONES LaneMask lanesIn(const std::array<std::uint64_t, kWarpLanes>& address,
                                       std::uint64_t base, std::uint64_t bytes) {
  const std::uint64_t block = 0 - bytes;
  std::uint64_t lanes = 0;
  for (std::uint64_t i = 0; i < kWarpLanes; ++i)  // as wide as an address: it vectorises
    lanes |= std::uint64_t{(address[i] & block) == base} << i;
  return static_cast<LaneMask>(lanes);
}

FERMATA_VECTOR_CLONES std::uint32_t bankSet32(const Lanes& bank) {
  std::uint32_t seen = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) seen |= 1U << bank[i];
  return seen;
}

FERMATA_VECTOR_CLONES std::uint64_t bankSet64(const Lanes& bank) {
  std::uint64_t seen = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) seen |= std::uint64_t{1} << bank[i];
  return seen;
}

FERMATA_VECTOR_CLONES LaneMask lanesOn(const Lanes& word, std::uint32_t which) {
  LaneMask lanes = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) lanes |= LaneMask{word[i] == which} << i;
  return lanes;
}

FERMATA_VECTOR_CLONES bool follow(const std::array<Lanes, WarpAccess::kMaxWordsPerLane>& word,
                                  unsigned words, LaneMask lanes) {
  Lanes wrong;
  for (unsigned i = 0; i < kWarpLanes; ++i) wrong[i] = word[0][i] & (words - 1);
  for (unsigned k = 1; k < words; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i) wrong[i] |= word[k][i] ^ (word[0][i] + k);
  }
  std::uint32_t any = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) any |= wrong[i] & (0U - (lanes >> i & 1U));
  return any == 0;
}

FERMATA_VECTOR_CLONES bool rises(const Lanes& word) {
  std::uint32_t falls = 0;
  for (unsigned i = 1; i < kWarpLanes; ++i) falls |= std::uint32_t{word[i] <= word[i - 1]};
  return falls == 0;
}

FERMATA_VECTOR_CLONES bool repeats(const Lanes& word, unsigned period) {
  std::uint32_t differ = 0;
  for (unsigned i = period; i < kWarpLanes; ++i) differ |= word[i] ^ word[i - period];
  return differ == 0;
}

FERMATA_VECTOR_CLONES void fillIn(const Lanes& bank, const Lanes& word, LaneMask lanes,
                                  unsigned first, Lanes& bankOut, Lanes& wordOut) {
  const std::uint32_t firstBank = bank[first];
  const std::uint32_t firstWord = word[first];
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const std::uint32_t keep = 0U - (lanes >> i & 1U);
    bankOut[i] = (bank[i] & keep) | (firstBank & ~keep);
    wordOut[i] = (word[i] & keep) | (firstWord & ~keep);
  }
}

FERMATA_VECTOR_CLONES bool alike(const WordLanes& word, const WordLanes& bank, unsigned words,
                                 std::uint32_t base, const WordLanes& wordBefore,
                                 const WordLanes& bankBefore, const Lanes& mask) {
  std::uint32_t differ = 0;
  for (unsigned k = 0; k < words; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i)
      differ |=
          (((word[k][i] - base) ^ wordBefore[k][i]) | (bank[k][i] ^ bankBefore[k][i])) & mask[i];
  }
  return differ == 0;
}

FERMATA_VECTOR_CLONES LaneMask leadersOfFew(const Lanes& word) {
  LaneMask leaders = 0;
  LaneMask rest = kAllLanes;
  for (unsigned n = 0; n < kFewWords && rest != 0; ++n) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    const std::uint32_t value = word[lane];
    LaneMask same = 0;
    for (unsigned i = 0; i < kWarpLanes; ++i) same |= LaneMask{word[i] == value} << i;
    leaders |= LaneMask{1} << lane;
    rest &= ~same;
  }
  return rest == 0 ? leaders : 0;
}

// Compares every lane with all lanes before it: no step depends on another, so it vectorises.
FERMATA_VECTOR_CLONES LaneMask leadersOf(const Lanes& word) {
  constexpr std::uint32_t noWord = ~std::uint32_t{0};
  std::array<std::uint32_t, 2 * kWarpLanes> before;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    before[i] = noWord;
    before[kWarpLanes + i] = word[i];
  }
  Lanes follows{};
  for (unsigned d = 1; d < kWarpLanes; ++d) {
    for (unsigned i = 0; i < kWarpLanes; ++i)
      follows[i] |= std::uint32_t{before[kWarpLanes - d + i] == word[i]};
  }
  LaneMask leaders = kAllLanes;
  for (unsigned i = 0; i < kWarpLanes; ++i) leaders &= ~(follows[i] << i);
  return leaders;
}

}  // namespace fermata::lane_scan
