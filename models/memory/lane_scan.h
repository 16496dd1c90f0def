// Loops over the 32 lanes of an access, which the compiler turns into vectors.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <cstdint>

namespace fermata::lane_scan {

using Lanes = WarpAccess::Lanes;

/// word[i] = (base + address[i]) >> shift, of every lane; returns all addresses ORed together: no
/// lane's is larger.
std::uint64_t toWords(const std::array<std::uint64_t, kWarpLanes>& address, std::uint32_t base,
                      unsigned shift, Lanes& word);

/// Bit b: some lane has bank b. Precondition: no bank is above 31.
std::uint32_t bankSet32(const Lanes& bank);
/// Likewise; no bank is above 63.
std::uint64_t bankSet64(const Lanes& bank);

/// Every lane's word is above that of the lane before it.
bool rises(const Lanes& word);

/// Lane i has the word of lane i - `period`, for every lane from `period` on. Precondition: it is 1
/// to 32.
bool repeats(const Lanes& word, unsigned period);

/// Copies both, the lanes outside `lanes` with what lane `first` has.
void fillIn(const Lanes& bank, const Lanes& word, LaneMask lanes, unsigned first, Lanes& bankOut,
            Lanes& wordOut);

/// The lowest lane on each of the words. Precondition: none is 2^32 - 1.
LaneMask leadersOf(const Lanes& word);

inline constexpr unsigned kFewWords = 4;
/// The same for at most that many words; 0: there are more.
LaneMask leadersOfFew(const Lanes& word);

}  // namespace fermata::lane_scan
