// Picks the next ready warp after the one issued last.
#include <fermata/models/core/warp_policy.h>

namespace fermata {

namespace {

class LooseRoundRobin final : public WarpPolicy {
 public:
  unsigned pick(SlotMask ready) override { return last_ = nextSlotAfter(ready, last_); }
  void reset() override { last_ = kMaxWarpSlots - 1; }

 private:
  unsigned last_ = kMaxWarpSlots - 1;
};

}  // namespace

extern const Descriptor<WarpPolicy> kLooseRoundRobin{"lrr",
                                                     makePolicy<WarpPolicy, LooseRoundRobin>};

}  // namespace fermata
