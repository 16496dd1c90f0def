// What padding costs in CTAs: shared memory that a CTA takes more of, fewer of them share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/core/occupancy.h>

namespace fermata::platforms {

/// CTAs of one kernel that are resident at once, however many its grid has.
struct Residency {
  std::string kernel;
  unsigned before = 0;
  unsigned after = 0;  ///< each with so many bytes of shared memory more; 0: not one fits
};

/// Of the kernels that lose CTAs by `bytes` more in each, the one that loses the largest share.
std::optional<Residency> worstLoss(const std::vector<Grid>& grids, const OccupancyLimits& limits,
                                   std::uint64_t bytes);

/// The most bytes that each CTA may take more without a loss.
std::uint64_t spareBytes(const std::vector<Grid>& grids, const OccupancyLimits& limits);

}  // namespace fermata::platforms
