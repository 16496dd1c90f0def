// Barriers of the resident CTAs: 16 each, as in hardware (PTX ISA, bar).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/core/slot_mask.h>

namespace fermata {

class BarrierUnit {
 public:
  static constexpr unsigned kBarriers = 16;

  /// `slots`: warp slots of the SM; a CTA is named by its first one.
  explicit BarrierUnit(unsigned slots) : ctas_(slots) {}

  void startCta(unsigned first, unsigned warps) { ctas_[first] = Cta{warps, {}}; }

  /// A warp arrives. `threads`: how many take part, 0: the CTA. Returns the waiting warps that this
  /// arrival frees, including this one when it waits; 0: the barrier is not complete.
  SlotMask arrive(unsigned first, unsigned slot, unsigned barrier, unsigned threads, bool waits);
  /// A warp of the CTA exits: it counts as arrived at every barrier that all of the CTA takes part
  /// in.
  SlotMask exit(unsigned first);

 private:
  struct Barrier {
    unsigned arrived = 0;
    unsigned expected = 0;  ///< warps; 0: every live warp of the CTA
    SlotMask waiting = 0;
  };
  struct Cta {
    unsigned live = 0;
    std::array<Barrier, kBarriers> barriers;
  };
  SlotMask releaseIfComplete(const Cta& cta, Barrier& barrier);

  std::vector<Cta> ctas_;
};

}  // namespace fermata
