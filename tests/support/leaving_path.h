// Paths that leave lanes of an access. The core must cope with it, without knowing why.
#pragma once

#include <fermata/models/transaction/leaving_stage.h>
#include <fermata/models/transaction/warp_order.h>

#include "tests/support/test.h"

namespace fermata::test {

/// Leaves random lanes, and checks that each lane of each access is served once.
class LeavingPath : public LeavingStage {
 public:
  struct Behaviour {
    unsigned lanes = kWarpLanes;  ///< most lanes served per try
    unsigned refuse = 0;          ///< number out of 8 tries that are refused whole
    unsigned known = 0;           ///< most cycles until the outcome is known
    unsigned retry = 0;           ///< most cycles from there until a retry makes sense
  };

  LeavingPath(const sc_core::sc_module_name& name, const Clock& clock, const Behaviour& behaviour,
              unsigned seed)
      : LeavingStage(name, clock), behaviour_(behaviour), random_(seed) {}

  std::uint64_t tries() const { return tries_; }
  /// Returns the tries left whole behind an earlier access.
  std::uint64_t squashed() const { return squashed_; }
  /// Returns the number of accesses with unserved lanes; 0 at the end.
  std::size_t unfinished() const { return served_.size(); }

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    WarpAccess& access = warpAccess(payload);
    ++tries_;
    const LaneMask left = choose(access);
    serve(access, access.asked & ~left);
    if (left == 0) {
      order_.served(access);
      return 0;
    }
    order_.left(access);
    access.outcome.retry = atMost(behaviour_.retry);
    access.occupancy = 1;
    delay += clock().time(atMost(behaviour_.known));
    return left;
  }
  // An atomic is not split: the executor has carried it out whole.
  LaneMask choose(WarpAccess& access) {
    if (access.instruction.operation == MemoryOperation::Atomic) return 0;
    if (!order_.mayServe(access)) {
      ++squashed_;
      return leave(access, access.asked, LeftCause::Order);
    }
    if (random_() % 8 < behaviour_.refuse) return leave(access, access.asked, LeftCause::Absent);
    LaneMask kept = 0;
    for (unsigned k = 0; k < behaviour_.lanes && kept != access.asked; ++k)
      kept |= randomLane(access.asked & ~kept);
    return leave(access, access.asked & ~kept, LeftCause::Bank);
  }
  static LaneMask leave(WarpAccess& access, LaneMask lanes, LeftCause cause) {
    access.outcome.leave(lanes, cause);
    return lanes;
  }
  LaneMask randomLane(LaneMask lanes) {
    for (unsigned skip = random_() % laneCount(lanes); skip > 0; --skip) lanes &= lanes - 1;
    return lanes & ~(lanes - 1);
  }
  unsigned atMost(unsigned most) { return random_() % (most + 1); }

  void serve(const WarpAccess& access, LaneMask lanes) {
    LaneMask& served = served_[access.sequence];
    BOOST_TEST((served & lanes) == 0U, "a lane is served twice");
    served |= lanes;
    BOOST_TEST((served & ~access.instruction.active) == 0U);
    if (served == access.instruction.active) served_.erase(access.sequence);
  }

  Behaviour behaviour_;
  std::mt19937 random_;
  WarpOrder order_;
  std::map<std::uint64_t, LaneMask> served_;  ///< lanes served, by access
  std::uint64_t tries_ = 0;
  std::uint64_t squashed_ = 0;
};

}  // namespace fermata::test
