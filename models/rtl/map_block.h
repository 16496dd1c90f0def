// A bank indexer below TLM, as hardware has it: a function of 32 addresses and a mask. The model's
// mappings and blocks of RTL share this interface.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/rtl/waves.h>

#include <array>
#include <cstdint>

namespace fermata::rtl {

using Lanes = std::array<std::uint32_t, kWarpLanes>;

constexpr LaneMask laneBit(unsigned lane) {
  return LaneMask{1} << lane;
}
/// Calls visit(lane) for each lane of the mask, the lowest first.
template <class Visit>
void forEachLane(LaneMask lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

class MapBlock : public Traced {
 public:
  /// Sets bank and row of the word of each lane of `active`; other lanes' values are not read.
  virtual void map(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) = 0;
};

}  // namespace fermata::rtl
