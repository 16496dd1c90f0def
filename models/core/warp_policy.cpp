#include <fermata/models/core/warp_policy.h>

#include <algorithm>

namespace fermata {

namespace {

constexpr SlotMask bit(unsigned slot) {
  return SlotMask{1} << slot;
}
unsigned lowest(SlotMask mask) {
  return static_cast<unsigned>(__builtin_ctzll(mask));
}

/// The first slot of `mask` after `last`, around the end.
unsigned nextAfter(SlotMask mask, unsigned last) {
  const SlotMask after = last + 1 >= kMaxWarpSlots ? 0 : mask & (~SlotMask{0} << (last + 1));
  return lowest(after != 0 ? after : mask);
}

class LooseRoundRobin final : public WarpPolicy {
 public:
  unsigned pick(SlotMask ready) override { return last_ = nextAfter(ready, last_); }
  void reset() override { last_ = kMaxWarpSlots - 1; }

 private:
  unsigned last_ = kMaxWarpSlots - 1;
};

class GreedyThenOldest final : public WarpPolicy {
 public:
  unsigned pick(SlotMask ready) override {
    if ((ready & last_) != 0) return lowest(last_);
    unsigned oldest = lowest(ready);
    for (SlotMask m = ready; m != 0; m &= m - 1) {
      if (birth_[lowest(m)] < birth_[oldest]) oldest = lowest(m);
    }
    last_ = bit(oldest);
    return oldest;
  }
  void started(unsigned slot) override {
    birth_[slot] = ++births_;
    last_ &= ~bit(slot);
  }
  void reset() override { *this = GreedyThenOldest(); }

 private:
  std::array<std::uint64_t, kMaxWarpSlots> birth_{};
  std::uint64_t births_ = 0;
  SlotMask last_ = 0;  ///< the slot issued last, as a mask; empty at first
};

/// Warps outside the active set wait. When no active warp is ready, the ready ones outside take, in
/// round robin order, first the free places and then those of active warps that are not ready.
class TwoLevel final : public WarpPolicy {
 public:
  explicit TwoLevel(unsigned places) : places_(places) {}

  unsigned pick(SlotMask ready) override {
    if ((ready & active_) == 0) refill(ready);
    return last_ = nextAfter(ready & active_, last_);
  }
  void ended(unsigned slot) override { active_ &= ~bit(slot); }
  void reset() override { *this = TwoLevel(places_); }

 private:
  void refill(SlotMask ready) {
    SlotMask idle = active_;  // none of them is ready
    for (SlotMask waiting = ready; waiting != 0;) {
      if (static_cast<unsigned>(__builtin_popcountll(active_)) >= places_) {
        if (idle == 0) return;
        active_ &= ~bit(lowest(idle));
        idle &= idle - 1;
      }
      const unsigned slot = nextAfter(waiting, promoted_);
      promoted_ = slot;
      active_ |= bit(slot);
      waiting &= ~bit(slot);
    }
  }

  unsigned places_;
  SlotMask active_ = 0;
  unsigned last_ = kMaxWarpSlots - 1;
  unsigned promoted_ = kMaxWarpSlots - 1;
};

}  // namespace

std::unique_ptr<WarpPolicy> makePolicy(PolicyKind kind, unsigned activeWarps) {
  switch (kind) {
    case PolicyKind::LooseRoundRobin:
      return std::make_unique<LooseRoundRobin>();
    case PolicyKind::GreedyThenOldest:
      return std::make_unique<GreedyThenOldest>();
    case PolicyKind::TwoLevel:
      return std::make_unique<TwoLevel>(std::max(1U, activeWarps));
  }
  return nullptr;
}

}  // namespace fermata
