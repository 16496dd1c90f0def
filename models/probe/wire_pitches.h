// The geometry behind WireCounter: loops over the 32 lanes of an access, which the compiler
// vectorises.
#pragma once

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

/// Returns the pitches of the words that `lanes` get. `leaders`: equal to `lanes` if each lane
/// takes its word by itself; otherwise any of the lanes such that no two share a word. More leaders
/// make the call faster, but do not change its result.
std::uint32_t wirePitches(const WarpAccess::Lanes& word, const WarpAccess::Lanes& bank,
                          LaneMask lanes, LaneMask leaders);

}  // namespace fermata
