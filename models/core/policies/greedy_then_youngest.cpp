// Picks the warp issued last while it is ready, then the youngest (Huerta et al., MICRO 2025:
// measured on GA102, checked on Turing and Blackwell).
#include <fermata/models/core/policies/greedy.h>

#include <functional>

namespace fermata {

extern const Descriptor<WarpPolicy> kGreedyThenYoungest{
    "gty", makePolicy<WarpPolicy, Greedy<std::greater<>>>};

}  // namespace fermata
