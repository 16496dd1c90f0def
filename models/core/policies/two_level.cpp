// Picks in round robin order from a small active set (Narasiman et al., MICRO 2011).
#include <fermata/models/core/warp_policy.h>

#include <algorithm>

namespace fermata {

namespace {

constexpr PolicyParameter kActiveWarps{"scheduler.active_warps",
                                       8,
                                       1,
                                       64,
                                       "warps",
                                       "warps in the active set of a two-level scheduler"};

/// Warps outside the active set wait. If no active warp is ready, the ready warps outside enter the
/// set in round robin order. They take free places first, then places of active warps that are not
/// ready.
class TwoLevel final : public WarpPolicy {
 public:
  explicit TwoLevel(unsigned places) : places_(places) {}

  unsigned pick(SlotMask ready) override {
    if ((ready & active_) == 0) refill(ready);
    return last_ = nextSlotAfter(ready & active_, last_);
  }
  void ended(unsigned slot) override { active_ &= ~slotBit(slot); }
  void reset() override { *this = TwoLevel(places_); }

 private:
  void refill(SlotMask ready) {
    SlotMask idle = active_;  // none of them is ready
    for (SlotMask waiting = ready; waiting != 0;) {
      if (static_cast<unsigned>(__builtin_popcountll(active_)) >= places_) {
        if (idle == 0) return;
        active_ &= ~slotBit(lowestSlot(idle));
        idle &= idle - 1;
      }
      const unsigned slot = nextSlotAfter(waiting, promoted_);
      promoted_ = slot;
      active_ |= slotBit(slot);
      waiting &= ~slotBit(slot);
    }
  }

  unsigned places_;
  SlotMask active_ = 0;
  unsigned last_ = kMaxWarpSlots - 1;
  unsigned promoted_ = kMaxWarpSlots - 1;
};

}  // namespace

extern const Descriptor<WarpPolicy> kTwoLevel{
    "two-level",
    [](const PolicyValues& values) -> std::unique_ptr<WarpPolicy> {
      return std::make_unique<TwoLevel>(std::max(1U, values.of(kActiveWarps)));
    },
    {},
    {kActiveWarps}};

}  // namespace fermata
