// The outcome of a try: which lanes were left, and why.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>

#include <array>

namespace fermata {

/// Reason for which a path left a lane.
enum class LeftCause : std::uint8_t {
  Bank,    ///< another word had the lane's bank in this pass
  Tag,     ///< the access has more lines than tags can be looked up
  Absent,  ///< the lane's line is not in the cache
  Lock,    ///< the lane's lock is taken
  Set,     ///< the line was evicted by the same access, or while the replay waited
  Order,   ///< an earlier access of the warp still has lanes to serve
};
inline constexpr unsigned kLeftCauses = 6;

/// A lane of the try that is in no mask of `left` was served.
struct TryOutcome {
  std::array<LaneMask, kLeftCauses> left{};  ///< lanes left, by LeftCause; masks are disjoint
  Cycle data = 0;  ///< cycles from the outcome until the data of the lanes served are there
  /// Cycles, counted from the outcome, before which another try is pointless; kNever: until
  /// TRY_AGAIN.
  Cycle retry = 0;

  LaneMask lanesLeft() const {
    LaneMask lanes = 0;
    for (const LaneMask mask : left) lanes |= mask;
    return lanes;
  }
  void leave(LaneMask lanes, LeftCause cause) { left[static_cast<unsigned>(cause)] |= lanes; }
};

}  // namespace fermata
