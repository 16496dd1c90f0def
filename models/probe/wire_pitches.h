// The geometry behind WireCounter: loops over the 32 lanes of an access, which the compiler turns
// into vectors.
#pragma once

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

/// Of the words that `lanes` get. `leaders`: `lanes`, where each takes its word by itself; else
/// lanes of which no two share a word, the faster the more words have one.
std::uint32_t wirePitches(const WarpAccess::Lanes& word, const WarpAccess::Lanes& bank,
                          LaneMask lanes, LaneMask leaders);

}  // namespace fermata
