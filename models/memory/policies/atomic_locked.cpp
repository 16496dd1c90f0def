// Expects no atomic of the model's own: each is a loop of reads and writes with a lock unit behind
// the crossbar (core/lock_loop.h, memory/lock_unit.h). One of a foreign workload has the passes of
// a load.
#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

namespace {

class AtomicLocked final : public AtomicPolicy {
 public:
  void resolve(WarpAccess& access, ConflictResolver& conflicts) override {
    conflicts.resolve(access);
  }
};

}  // namespace

extern const Descriptor<AtomicPolicy> kAtomicLocked{
    "locked",
    [](const PolicyValues&) -> std::unique_ptr<AtomicPolicy> {
      return std::make_unique<AtomicLocked>();
    },
    {true}};

}  // namespace fermata
