#include <fermata/models/memory/conflict_policy.h>

namespace fermata {

extern const Descriptor<ConflictPolicy> kSerialize, kSpaced, kReplay, kIdeal;

template <>
const std::vector<const Descriptor<ConflictPolicy>*>& Descriptor<ConflictPolicy>::table() {
  static const std::vector<const Descriptor*> policies{&kSerialize, &kSpaced, &kReplay, &kIdeal};
  return policies;
}

}  // namespace fermata
