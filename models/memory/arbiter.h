// An arbiter in the place of a crossbar's rule, or beside it: what a block of RTL does there.
#pragma once

#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>

#include <array>

namespace fermata {

/// Bit i of element k: word k of lane i.
using LaneWords = std::array<LaneMask, WarpAccess::kMaxWordsPerLane>;

/// It is told what the model says, and may say otherwise.
class Arbiter {
 public:
  struct Pass {
    LaneWords served{};
    LaneWords leaders{};  ///< of these, one of each row that a bank delivers
  };

  virtual ~Arbiter() = default;
  /// A try has been resolved: groupPasses, passes, degree and leaders, of these groups of lanes.
  virtual void resolved(WarpAccess& access, const LaneGroups& groups) = 0;
  /// One pass has been made of the words of `asked`, which are of one group.
  virtual void passed(const WarpAccess& access, const LaneWords& asked, Pass& pass) = 0;
};

}  // namespace fermata
