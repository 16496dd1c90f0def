#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

namespace {

/// What is not locked, an atomic of a foreign workload's own, has the passes of a load.
class AtomicLocked final : public AtomicPolicy {
 public:
  void resolve(WarpAccess& access, ConflictResolver& conflicts) override {
    conflicts.resolve(access);
  }
  bool locks() const override { return true; }
};

}  // namespace

std::unique_ptr<AtomicPolicy> makeAtomicLocked() {
  return std::make_unique<AtomicLocked>();
}

}  // namespace fermata
