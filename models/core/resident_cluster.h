// A cluster of CTAs that are resident together: on one multiprocessor, or each CTA on one of its
// own.
#pragma once

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/models/vocabulary/cycle.h>

#include <vector>

namespace fermata {

class Epochs;
class WarpScheduler;

struct ResidentCluster {
  /// Where a CTA is resident.
  struct Member {
    WarpScheduler* scheduler = nullptr;
    unsigned first = 0;  ///< first warp slot
  };
  std::vector<Member> members;     ///< by rank; empty: all are on one multiprocessor
  const Epochs* epochs = nullptr;  ///< of the multiprocessors of `members`; null: none
  ClusterBarrier barrier;
  Cycle latest = 0;  ///< cycle in which the last arrival so far takes effect
  Cycle opens = 0;   ///< cycle from which warps go on, of the phase that is over
};

}  // namespace fermata
