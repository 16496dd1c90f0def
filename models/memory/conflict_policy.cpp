#include <fermata/models/memory/conflict_policy.h>

namespace fermata {

extern const Descriptor<ConflictPolicy> kSerialize, kReplay, kIdeal;

template <>
const std::vector<const Descriptor<ConflictPolicy>*>& Descriptor<ConflictPolicy>::table() {
  static const std::vector<const Descriptor*> policies{&kSerialize, &kReplay, &kIdeal};
  return policies;
}

}  // namespace fermata
