#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

const std::vector<NamedChoice<MakeAtomicPolicy>>& ChoiceTable<MakeAtomicPolicy>::table() {
  static const std::vector<NamedChoice<MakeAtomicPolicy>> policies{
      {makeAtomicLoad, "load"}, {makeAtomicLocked, "locked"}, {makeAtomicNative, "native"}};
  return policies;
}

}  // namespace fermata
