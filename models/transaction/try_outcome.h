// What became of a try of a warp's access: which lanes were left, and why.
#pragma once

#include <fermata/models/transaction/warp_instruction.h>

#include <array>

namespace fermata {

/// Why a path left a lane.
enum class LeftCause : std::uint8_t {
  Bank,    ///< another word had its bank in this pass
  Tag,     ///< more lines than tags can be looked up
  Absent,  ///< its line is not in the cache
  Lock,    ///< its lock is taken
  Set,     ///< its line was evicted by the same access, or while a retry waited
  Order,   ///< an earlier access of its warp still has lanes to serve
};
inline constexpr unsigned kLeftCauses = 6;

/// Lanes of the try that are in no mask of `left` were served.
struct TryOutcome {
  std::array<LaneMask, kLeftCauses> left{};  ///< by LeftCause; disjoint, lanes asked for
  Cycle data = 0;  ///< cycles from the outcome until the data of the lanes served are there
  /// Cycles from the outcome before which another try makes no sense; kNever: not before TRY_AGAIN.
  Cycle retry = 0;

  LaneMask lanesLeft() const {
    LaneMask lanes = 0;
    for (const LaneMask mask : left) lanes |= mask;
    return lanes;
  }
  void leave(LaneMask lanes, LeftCause cause) { left[static_cast<unsigned>(cause)] |= lanes; }
};

}  // namespace fermata
