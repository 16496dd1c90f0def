// Models banks with units that update: no lanes merge, and each lane takes its bank for one pass,
// whatever the instruction. No machine is known to serve all atomics so
// (atomic_by_instruction.cpp).
#include <fermata/models/memory/atomic_policy.h>
#include <fermata/models/memory/policies/atomic_lanes.h>

namespace fermata {

namespace {

class AtomicNative final : public AtomicPolicy {
 public:
  Cycle resolve(WarpAccess& access, ConflictResolver& conflicts) override {
    lanes_.resolve(access, conflicts);
    return 0;
  }
  bool merges(const WarpAccess&) const override { return false; }

 private:
  AtomicLanes lanes_;
};

}  // namespace

extern const Descriptor<AtomicPolicy> kAtomicNative{
    "native", makePolicy<AtomicPolicy, AtomicNative>, {}};

}  // namespace fermata
