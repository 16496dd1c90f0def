// Picks the warp issued last while it is ready, then the oldest (Rogers et al., MICRO 2012).
#include <fermata/models/core/warp_policy.h>

#include <array>

namespace fermata {

namespace {

class GreedyThenOldest final : public WarpPolicy {
 public:
  unsigned pick(SlotMask ready) override {
    if ((ready & last_) != 0) return lowestSlot(last_);
    unsigned oldest = lowestSlot(ready);
    for (SlotMask m = ready; m != 0; m &= m - 1) {
      if (birth_[lowestSlot(m)] < birth_[oldest]) oldest = lowestSlot(m);
    }
    last_ = slotBit(oldest);
    return oldest;
  }
  void started(unsigned slot) override {
    birth_[slot] = ++births_;
    last_ &= ~slotBit(slot);
  }
  void reset() override { *this = GreedyThenOldest(); }

 private:
  std::array<std::uint64_t, kMaxWarpSlots> birth_{};
  std::uint64_t births_ = 0;
  SlotMask last_ = 0;  ///< mask of the slot issued last; empty at first
};

}  // namespace

extern const Descriptor<WarpPolicy> kGreedyThenOldest{"gto",
                                                      makePolicy<WarpPolicy, GreedyThenOldest>};

}  // namespace fermata
