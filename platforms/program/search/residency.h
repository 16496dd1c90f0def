// Resident CTAs lost to padding: the more shared memory a CTA takes, the fewer fit. Address bits
// within the windows of resident CTAs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/core/occupancy.h>

namespace fermata::platforms {

/// Resident CTAs of one kernel, not limited by the size of its grid.
struct Residency {
  std::string kernel;
  unsigned before = 0;
  unsigned after = 0;  ///< with the added bytes in each CTA; 0: not one fits
};

/// Returns the kernel that loses the largest share of its resident CTAs if each CTA takes `bytes`
/// more; nothing if none loses any.
std::optional<Residency> worstLoss(const std::vector<Grid>& grids, const OccupancyLimits& limits,
                                   std::uint64_t bytes);

/// Returns how many bytes each CTA may take more without a loss.
std::uint64_t spareBytes(const std::vector<Grid>& grids, const OccupancyLimits& limits);

/// Returns the address bits of words of `wordBytes` that lie within every CTA's window, if windows
/// are aligned (WindowPlacement); 32 if no kernel has shared memory.
unsigned windowBits(const std::vector<Grid>& grids, const OccupancyLimits& limits,
                    std::uint32_t wordBytes);

}  // namespace fermata::platforms
