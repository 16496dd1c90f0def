#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

namespace {

/// Gives an atomic that is not locked, as a foreign workload may issue, the passes of a load.
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
