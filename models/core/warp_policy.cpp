#include <fermata/models/core/warp_policy.h>

namespace fermata {

const std::vector<NamedChoice<MakeWarpPolicy>>& ChoiceTable<MakeWarpPolicy>::table() {
  static const std::vector<NamedChoice<MakeWarpPolicy>> policies{
      {makeLooseRoundRobin, "lrr"},
      {makeGreedyThenOldest, "gto"},
      {makeTwoLevel, "two-level"},
      {makeConflictAware, "conflict-aware"}};
  return policies;
}

}  // namespace fermata
