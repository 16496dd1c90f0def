#include <fermata/models/core/warp_policy.h>

namespace fermata {

extern const Descriptor<WarpPolicy> kLooseRoundRobin, kGreedyThenOldest, kGreedyThenYoungest,
    kTwoLevel, kConflictAware;

template <>
const std::vector<const Descriptor<WarpPolicy>*>& Descriptor<WarpPolicy>::table() {
  static const std::vector<const Descriptor*> policies{
      &kLooseRoundRobin, &kGreedyThenOldest, &kGreedyThenYoungest, &kTwoLevel, &kConflictAware};
  return policies;
}

}  // namespace fermata
