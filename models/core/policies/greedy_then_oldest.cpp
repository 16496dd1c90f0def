// Picks the warp issued last while it is ready, then the oldest (Rogers et al., MICRO 2012).
#include <fermata/models/core/policies/greedy.h>

#include <functional>

namespace fermata {

extern const Descriptor<WarpPolicy> kGreedyThenOldest{"gto",
                                                      makePolicy<WarpPolicy, Greedy<std::less<>>>};

}  // namespace fermata
