#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

namespace {

class AtomicLoad final : public AtomicPolicy {
 public:
  void resolve(WarpAccess& access, ConflictResolver& conflicts) override {
    conflicts.resolve(access);
  }
};

}  // namespace

std::unique_ptr<AtomicPolicy> makeAtomicLoad() {
  return std::make_unique<AtomicLoad>();
}

}  // namespace fermata
