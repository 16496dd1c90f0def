#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

extern const Descriptor<AtomicPolicy> kAtomicLoad, kAtomicLocked, kAtomicNative,
    kAtomicByInstruction;

template <>
const std::vector<const Descriptor<AtomicPolicy>*>& Descriptor<AtomicPolicy>::table() {
  static const std::vector<const Descriptor*> policies{&kAtomicLoad, &kAtomicLocked, &kAtomicNative,
                                                       &kAtomicByInstruction};
  return policies;
}

}  // namespace fermata
