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

std::unique_ptr<WarpPolicy> makeLooseRoundRobin(const WarpPolicyParameters&) {
  return std::make_unique<LooseRoundRobin>();
}

}  // namespace fermata
