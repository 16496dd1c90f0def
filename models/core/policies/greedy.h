// Shared by the policies that stay with a warp while it is ready, and then pick by age.
#pragma once

#include <fermata/models/core/warp_policy.h>

#include <array>

namespace fermata {

/// `Before`: compares two births, counted from the first warp that began. True: the warp of the
/// first one goes before that of the second.
template <class Before>
class Greedy final : public WarpPolicy {
 public:
  unsigned pick(SlotMask ready) override {
    if ((ready & last_) != 0) return lowestSlot(last_);
    unsigned first = lowestSlot(ready);
    for (SlotMask m = ready; m != 0; m &= m - 1) {
      if (Before()(birth_[lowestSlot(m)], birth_[first])) first = lowestSlot(m);
    }
    last_ = slotBit(first);
    return first;
  }
  void started(unsigned slot) override {
    birth_[slot] = ++births_;
    last_ &= ~slotBit(slot);
  }
  void reset() override { *this = Greedy(); }

 private:
  std::array<std::uint64_t, kMaxWarpSlots> birth_{};
  std::uint64_t births_ = 0;
  SlotMask last_ = 0;  ///< mask of the slot issued last; empty at first
};

}  // namespace fermata
