// Gives an atomic the passes of a load: lanes on one word merge (the rule of GPGPU-Sim's Fermi
// model). This hides the cost of atomics: 32 lanes that add to one word take one pass.
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

extern const Descriptor<AtomicPolicy> kAtomicLoad{
    "load",
    [](const PolicyValues&) -> std::unique_ptr<AtomicPolicy> {
      return std::make_unique<AtomicLoad>();
    },
    {false, true}};

}  // namespace fermata
