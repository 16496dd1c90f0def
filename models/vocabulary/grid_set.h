// Grids that may run side by side, as kernels launched to several streams do. Plain C++.
#pragma once

#include <cstddef>
#include <vector>

#include <fermata/models/vocabulary/grid.h>

namespace fermata {

struct GridSet {
  /// A grid of the set. Members have a number: their place in the list.
  struct Member {
    /// Without CTAs it is over as soon as it has begun: the host's work between grids.
    Grid grid;
    int priority = 0;             ///< lower numbers place their CTAs first, as with CUDA's streams
    std::vector<unsigned> after;  ///< members, with lower numbers, that must be over before it
    /// Members, with lower numbers, each of which must be over or have let it begin
    /// (Workload::letsBegin). None is in `after`.
    std::vector<unsigned> early{};
  };

  std::vector<Member> members;

  const Grid& grid(std::size_t member) const { return members[member].grid; }
};

}  // namespace fermata
