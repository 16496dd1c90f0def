#include <fermata/models/memory/conflict_policy.h>

namespace fermata {

const std::vector<NamedChoice<MakeConflictPolicy>>& ChoiceTable<MakeConflictPolicy>::table() {
  static const std::vector<NamedChoice<MakeConflictPolicy>> policies{
      {makeSerialize, "serialize"}, {makeReplay, "replay"}, {makeIdeal, "ideal"}};
  return policies;
}

}  // namespace fermata
