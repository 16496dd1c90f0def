// Classifies an access as linear, stride, block or random: the classes of section 3.1 of van den
// Braak et al., IEEE TC 2016, found from the words that the lanes of a warp ask for.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::search {

enum class AccessKind : std::uint8_t {
  Broadcast,  ///< every active lane asks for one word: Eq. 6 with S = 0
  Linear,     ///< Eq. 5
  Stride,     ///< Eq. 6
  Block,      ///< Eq. 7, linearised: lane = ty * width + tx goes to ty * outer + tx * inner
  Random,     ///< anything else (Eq. 8)
};
const char* name(AccessKind kind);

struct AccessClass {
  AccessKind kind = AccessKind::Random;
  std::int64_t stride = 0;  ///< words between neighbouring lanes (Block: with equal ty)
  std::int64_t outer = 0;   ///< Block: words between lanes that are `width` apart
  unsigned width = 0;       ///< Block: lanes with equal ty

  /// "linear", "stride 4", "block 16 x 1, 2 x 16" and so on.
  std::string text() const;
  bool operator==(const AccessClass& other) const;
};

/// Classifies the active lanes. A single lane is Linear, no lane is Random.
AccessClass classify(const std::array<std::uint32_t, kWarpLanes>& word, LaneMask active);

}  // namespace fermata::search
