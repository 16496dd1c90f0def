// Whole numbers of 128 bits.
#pragma once

namespace fermata::search {

__extension__ typedef unsigned __int128 Uint128;

}  // namespace fermata::search
