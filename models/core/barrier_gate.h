// When the arrivals of an SM's warps at barriers take effect: one after the other, and those that
// order earlier stores in rounds.
#pragma once

#include <fermata/models/core/cluster_parameters.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>

namespace fermata {

class BarrierGate {
 public:
  /// `interval`: cycles from one arrival to the next; 0: any number at once.
  explicit BarrierGate(unsigned interval) : interval_(interval) {}

  /// Returns the cycle in which an arrival passes that issues in cycle `now`.
  Cycle pass(Cycle now) {
    const Cycle at = std::max(now, free_);
    free_ = at + interval_;
    return at;
  }

  /// Returns the cycle in which memory begins to order the stores before an arrival that passes in
  /// cycle `at`. Arrivals within releaseWindow of a round's begin share the round; later ones share
  /// the next, which begins releaseRound after it.
  Cycle order(Cycle at, const ClusterParameters& p) {
    if (at > round_ + p.releaseWindow || next_ == 0) {
      round_ = std::max(at, next_);
      next_ = round_ + p.releaseRound;
    }
    return std::max(at, round_);
  }

 private:
  unsigned interval_;
  Cycle free_ = 0;   ///< the next arrival passes no earlier
  Cycle round_ = 0;  ///< begin of the last round
  Cycle next_ = 0;   ///< the next one begins no earlier
};

}  // namespace fermata
