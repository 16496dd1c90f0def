// One access of a warp, as typed: "stride 32", "stride 4 offset 3", "words 0,32,64".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::indexing {

struct WarpPattern {
  std::array<std::uint32_t, kWarpLanes> word{};
  LaneMask active = 0;
};

/// Parses "stride S [offset O]": lane i takes word i*S + O, all lanes; or "words A,B,...": lane 0
/// takes A, lane 1 takes B, and so on, 1 to 32 lanes. Every word must be below `words`. Throws
/// IndexingError with the column.
WarpPattern parseWarpPattern(std::string_view text, std::uint32_t words);

}  // namespace fermata::indexing
