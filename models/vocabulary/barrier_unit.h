// Barriers of the resident CTAs: 16 per CTA, as in hardware (PTX ISA, bar); one for each wave64,
// whose halves are two warps: warps 2n and 2n + 1 of a CTA meet at barrier kBarriers + n; and one
// for each warpgroup, warps 4n to 4n + 3, which meet at kGroupBarrier. Plain C++, for any code that
// runs warps, with or without time.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

class BarrierUnit {
 public:
  static constexpr unsigned kBarriers = 16;
  static constexpr unsigned kWaves = 32;  ///< wave64s of a CTA, at most
  static constexpr unsigned kGroupWarps = 4, kGroupThreads = kGroupWarps * kWarpLanes;
  /// Barrier of a warp's warpgroup; kGroupThreads take part, which tells it from a wave64's.
  static constexpr unsigned kGroupBarrier = kBarriers;

  /// `slots`: warp slots of the SM. A CTA is named by its first slot.
  explicit BarrierUnit(unsigned slots) : ctas_(slots) {}

  void startCta(unsigned first, unsigned warps) {
    Cta& cta = ctas_[first];
    cta.waves.clear();
    cta.groups.clear();
    cta = Cta{warps, {}, std::move(cta.waves), std::move(cta.groups)};
  }

  /// Lets a warp arrive. `threads`: threads that take part; 0: the whole CTA. Returns the waiting
  /// warps that this arrival frees, including this warp if it waits; 0: the barrier is incomplete.
  SlotMask arrive(unsigned first, unsigned slot, unsigned number, unsigned threads, bool waits) {
    Cta& cta = ctas_[first];
    if (number >= kBarriers)
      return threads == kGroupThreads ? arriveInGroup(cta, first, slot)
                                      : arriveInWave(cta, first, slot);
    Barrier& barrier = cta.barriers[number];
    ++barrier.arrived;
    barrier.expected = (threads + kWarpLanes - 1) / kWarpLanes;
    if (waits) barrier.waiting |= SlotMask{1} << slot;
    const SlotMask freed = releaseIfComplete(cta, barrier);
    // A half that waits here cannot come to the operation that the other half waits in.
    return waits && (freed >> slot & 1) == 0 ? freed | leaveWave(cta, first, slot) : freed;
  }

  /// Lets a warp of the CTA exit. The warp counts as arrived at every barrier in which the whole
  /// CTA takes part. Returns the waiting warps that this frees.
  SlotMask exit(unsigned first, unsigned slot) {
    Cta& cta = ctas_[first];
    --cta.live;
    cta.gone |= SlotMask{1} << (slot - first);
    SlotMask freed = leaveWave(cta, first, slot);
    for (Barrier& barrier : cta.barriers) {
      if (barrier.arrived != 0) freed |= releaseIfComplete(cta, barrier);
    }
    if (!cta.groups.empty()) freed |= releaseGroup(cta, first, (slot - first) / kGroupWarps);
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
    std::vector<SlotMask> waves;  ///< by wave64: the half that waits for the other; empty: none did
    std::vector<SlotMask> groups;  ///< by warpgroup: its warps that wait; empty: none did
    SlotMask gone = 0;             ///< warps that have exited, counted from the first
    unsigned warps = live;
  };

  /// Lets a half arrive, and wait for the other one if that can still come.
  static SlotMask arriveInWave(Cta& cta, unsigned first, unsigned slot) {
    if (cta.waves.empty()) cta.waves.resize(kWaves);
    const unsigned other = (slot - first) ^ 1U;
    const SlotMask itself = SlotMask{1} << slot;
    const SlotMask partner = other < cta.warps ? SlotMask{1} << (first + other) : 0;
    SlotMask& waiting = cta.waves[(slot - first) / 2];
    if (waiting != 0) return itself | std::exchange(waiting, 0);
    bool comes = partner != 0 && (cta.gone >> other & 1) == 0;
    for (const Barrier& barrier : cta.barriers) comes = comes && (barrier.waiting & partner) == 0;
    if (!comes) return itself;
    waiting = itself;
    return 0;
  }

  static SlotMask arriveInGroup(Cta& cta, unsigned first, unsigned slot) {
    const unsigned group = (slot - first) / kGroupWarps;
    if (cta.groups.size() <= group) cta.groups.resize(group + 1);
    cta.groups[group] |= SlotMask{1} << slot;
    return releaseGroup(cta, first, group);
  }

  /// Frees a warpgroup if all of its warps that have not exited wait.
  static SlotMask releaseGroup(Cta& cta, unsigned first, unsigned group) {
    if (group >= cta.groups.size()) return 0;
    const unsigned begin = group * kGroupWarps;
    const unsigned warps = std::min(kGroupWarps, cta.warps - begin);
    const SlotMask members = ((SlotMask{1} << warps) - 1) << begin & ~cta.gone;
    if (cta.groups[group] >> first != members) return 0;
    return std::exchange(cta.groups[group], 0);
  }

  /// Frees the other half of a warp's wave64, if it waits for the warp.
  static SlotMask leaveWave(Cta& cta, unsigned first, unsigned slot) {
    return cta.waves.empty() ? 0 : std::exchange(cta.waves[(slot - first) / 2], 0);
  }

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
