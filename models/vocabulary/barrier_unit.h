// Barriers of the resident CTAs: 16 per CTA, as in hardware (PTX ISA, bar). Plain C++, for any code
// that runs warps, with or without time.
#pragma once

#include <array>
#include <vector>

#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

class BarrierUnit {
 public:
  static constexpr unsigned kBarriers = 16;

  /// `slots`: warp slots of the SM. A CTA is named by its first slot.
  explicit BarrierUnit(unsigned slots) : ctas_(slots) {}

  void startCta(unsigned first, unsigned warps) { ctas_[first] = Cta{warps, {}}; }

  /// Lets a warp arrive. `threads`: threads that take part; 0: the whole CTA. Returns the waiting
  /// warps that this arrival frees, including this warp if it waits; 0: the barrier is incomplete.
  SlotMask arrive(unsigned first, unsigned slot, unsigned number, unsigned threads, bool waits) {
    Cta& cta = ctas_[first];
    Barrier& barrier = cta.barriers[number];
    ++barrier.arrived;
    barrier.expected = (threads + kWarpLanes - 1) / kWarpLanes;
    if (waits) barrier.waiting |= SlotMask{1} << slot;
    return releaseIfComplete(cta, barrier);
  }

  /// Lets a warp of the CTA exit. The warp counts as arrived at every barrier in which the whole
  /// CTA takes part. Returns the waiting warps that this frees.
  SlotMask exit(unsigned first) {
    Cta& cta = ctas_[first];
    --cta.live;
    SlotMask freed = 0;
    for (Barrier& barrier : cta.barriers) {
      if (barrier.arrived != 0) freed |= releaseIfComplete(cta, barrier);
    }
    return freed;
  }

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

  static SlotMask releaseIfComplete(const Cta& cta, Barrier& barrier) {
    const unsigned expected = barrier.expected != 0 ? barrier.expected : cta.live;
    if (barrier.arrived < expected) return 0;
    const SlotMask freed = barrier.waiting;
    barrier = Barrier{};
    return freed;
  }

  std::vector<Cta> ctas_;
};

}  // namespace fermata
