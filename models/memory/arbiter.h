// Interface of an arbiter that replaces or checks the crossbar's conflict rule: a block of RTL.
#pragma once

#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>

#include <array>

namespace fermata {

/// Bit i of element k: word k of lane i.
using LaneWords = std::array<LaneMask, WarpAccess::kMaxWordsPerLane>;

/// Receives each result of the model and may overwrite it.
class Arbiter {
 public:
  struct Pass {
    LaneWords served{};
    LaneWords leaders{};  ///< one word of `served` for each row that a bank delivers
  };

  virtual ~Arbiter() = default;
  /// Called when a try has been resolved: groupPasses, passes, degree and leaders are set, for the
  /// lane groups `groups`.
  virtual void resolved(WarpAccess& access, const LaneGroups& groups) = 0;
  /// Called when the model has made one pass. `asked`: words of one lane group, not yet served.
  virtual void passed(const WarpAccess& access, const LaneWords& asked, Pass& pass) = 0;
};

}  // namespace fermata
