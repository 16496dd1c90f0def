// Which lanes of a warp the banks are offered at once.
//
// A memory takes `lanes` lanes at a time: 32, the warp, or 16, its halves one after the other
// (NVIDIA GPUs of compute capability 1.x: CUDA C Programming Guide 4.2, F.3.3). Of lanes that ask
// for several bank words each it takes, when wide accesses are split, as many fewer: `lanes` words
// at a time (64 bits by halves, 128 bits by quarters on 4-byte banks: F.4.3).
#pragma once

#include <cstdint>

#include <fermata/models/choice.h>
#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

enum class WideAccess : std::uint8_t {
  Split,   ///< `lanes` bank words at a time
  Merged,  ///< all words of `lanes` lanes at once
};

template <>
struct ChoiceTable<WideAccess> {
  static const std::vector<NamedChoice<WideAccess>>& table() {
    static const std::vector<NamedChoice<WideAccess>> choices{{WideAccess::Split, "split"},
                                                              {WideAccess::Merged, "merged"}};
    return choices;
  }
};

/// Group i of `count` is the lanes from i * lanes on; the conflicts of the groups add up.
struct LaneGroups {
  unsigned count = 1;
  unsigned lanes = kWarpLanes;  ///< of one group; count * lanes == kWarpLanes

  LaneMask mask(unsigned group) const {
    return lanes == kWarpLanes ? kAllLanes : ((LaneMask{1} << lanes) - 1) << (group * lanes);
  }
};

/// `lanes`: 16 or 32; `wordsPerLane`: 1, 2 or 4 bank words.
constexpr LaneGroups laneGroups(unsigned lanes, unsigned wordsPerLane, WideAccess wide) {
  const unsigned together = wide == WideAccess::Split ? lanes / wordsPerLane : lanes;
  return {kWarpLanes / together, together};
}

}  // namespace fermata
