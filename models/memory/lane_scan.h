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

/// The lanes whose word is `value`.
LaneMask lanesOn(const Lanes& word, std::uint32_t value);

/// Every lane's word is above that of the lane before it.
bool rises(const Lanes& word);

/// Lane i has the word of lane i - `period`, for every lane from `period` on. Precondition: it is 1
/// to 32.
bool repeats(const Lanes& word, unsigned period);

/// Copies both, the lanes outside `lanes` with what lane `first` has.
void fillIn(const Lanes& bank, const Lanes& word, LaneMask lanes, unsigned first, Lanes& bankOut,
            Lanes& wordOut);

/// owner[bank[i]] names, for every lane i, the lowest lane of its bank. Returns those lanes when
/// all lanes of a bank want the same word, otherwise 0.
LaneMask leadersOf(const Lanes& bank, const Lanes& word, const std::uint32_t* owner);

}  // namespace fermata::lane_scan
