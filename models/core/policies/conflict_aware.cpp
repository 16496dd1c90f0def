#include <fermata/models/core/warp_policy.h>

#include <utility>

namespace fermata {

namespace {

class ConflictAware final : public WarpPolicy {
 public:
  explicit ConflictAware(std::unique_ptr<WarpPolicy> base) : base_(std::move(base)) {}

  unsigned pick(SlotMask ready) override { return base_->pick(ready); }
  void started(unsigned slot) override { base_->started(slot); }
  void ended(unsigned slot) override { base_->ended(slot); }
  void reset() override { base_->reset(); }
  bool spacesMemory() const override { return true; }

 private:
  std::unique_ptr<WarpPolicy> base_;
};

}  // namespace

std::unique_ptr<WarpPolicy> makeConflictAware(const WarpPolicyParameters& parameters) {
  return std::make_unique<ConflictAware>(parameters.base(parameters));
}

}  // namespace fermata
