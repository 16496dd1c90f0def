// Loops over the 32 lanes of an access, which the compiler vectorises.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <cstdint>

namespace fermata::lane_scan {

using Lanes = WarpAccess::Lanes;

/// Sets word[i] = (base + address[i]) >> shift for every lane. Returns the OR of all addresses, an
/// upper bound of each.
std::uint64_t toWords(const std::array<std::uint64_t, kWarpLanes>& address, std::uint32_t base,
                      unsigned shift, Lanes& word);

/// Returns the lanes whose address lies in the `bytes` bytes from `base` on. Preconditions: `bytes`
/// is a power of two; `base` is a multiple of it.
LaneMask lanesIn(const std::array<std::uint64_t, kWarpLanes>& address, std::uint64_t base,
                 std::uint64_t bytes);

/// Returns the set of the banks: bit b, some lane has bank b. Precondition: no bank is above 31.
std::uint32_t bankSet32(const Lanes& bank);
/// Returns the set of the banks, as bankSet32. Precondition: no bank is above 63.
std::uint64_t bankSet64(const Lanes& bank);

/// Returns the lanes whose word is `which`.
LaneMask lanesOn(const Lanes& word, std::uint32_t which);

/// True if the words of each of `lanes` follow one another, from a multiple of their number on: two
/// lanes then share all of their words or none. Precondition: `words` is a power of two.
bool follow(const std::array<Lanes, WarpAccess::kMaxWordsPerLane>& word, unsigned words,
            LaneMask lanes);

/// True if every lane's word is above that of the lane before it.
bool rises(const Lanes& word);

/// True if lane i has the word of lane i - `period`, for every lane from `period` on. Precondition:
/// `period` is 1 to 32.
bool repeats(const Lanes& word, unsigned period);

/// Copies `bank` and `word`; lanes outside `lanes` get the bank and word of lane `first`.
void fillIn(const Lanes& bank, const Lanes& word, LaneMask lanes, unsigned first, Lanes& bankOut,
            Lanes& wordOut);

using WordLanes = std::array<Lanes, WarpAccess::kMaxWordsPerLane>;
/// True if words, less `base`, and banks equal `wordBefore` and `bankBefore` wherever `mask` has
/// bits. Compares `words` words of each lane.
bool alike(const WordLanes& word, const WordLanes& bank, unsigned words, std::uint32_t base,
           const WordLanes& wordBefore, const WordLanes& bankBefore, const Lanes& mask);

/// Returns the lowest lane on each word. Precondition: no word is 2^32 - 1.
LaneMask leadersOf(const Lanes& word);

inline constexpr unsigned kFewWords = 4;
/// Returns the lowest lane on each word, faster; 0: there are more than kFewWords words.
LaneMask leadersOfFew(const Lanes& word);

}  // namespace fermata::lane_scan
