// A launch of a sampled run.
#pragma once

#include <fermata/platforms/exec/spread.h>

#include <cmath>
#include <cstdint>
#include <optional>

namespace fermata::cudart {

/// None, some or all CTAs were timed; all were executed.
struct SampledLaunch {
  std::uint64_t ctas = 0;
  std::uint64_t timedCtas = 0;
  std::optional<std::uint64_t> group;  ///< number of the group; nothing: always timed
  std::uint64_t instructions = 0;      ///< warp instructions
  std::uint64_t lanes = 0;             ///< active, summed over the warp instructions
  std::uint64_t timedInstructions = 0;
  exec::Estimates figures;

  std::uint64_t value(exec::Sampled figure) const {
    return static_cast<std::uint64_t>(std::llround(figures[static_cast<unsigned>(figure)].value));
  }
  std::uint64_t half(exec::Sampled figure) const {
    return static_cast<std::uint64_t>(std::ceil(figures[static_cast<unsigned>(figure)].half));
  }
};

}  // namespace fermata::cudart
