// The array that scratchpad and L1 of an SM share, split anew for each grid: l1.carveouts.
//
// Example, sm_90: the scratchpad may have 0, 8, 16, 32, 64, 100, 132, 164, 196 or 228 KB. CTAs with
// 8 KB of shared memory each, and 1 KB of the system's, are resident 25 at once: 225 KB. The grid
// gets 228 KB of scratchpad, and an L1 of what remains. A program may wish for another split
// (CUDA's carve-out hint): at 20 percent it gets 64 KB, which hold 20 percent of 228, and 7 CTAs.
//
// Sets of the L1 stay, and their frames follow the share: the bits of an address that choose a set
// also choose the tag array, which is wired, and every share is whole frames of all sets.
#pragma once

#include <fermata/models/core/occupancy.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

struct PlatformParameters;

class Carveouts {
 public:
  /// `text`: KB in rising order, with spaces between; empty: the array is not split. Throws
  /// indexing::IndexingError if the text is wrong.
  explicit Carveouts(const std::string& text);

  bool none() const { return bytes_.empty(); }
  const std::vector<std::uint32_t>& bytes() const { return bytes_; }
  /// Returns the largest. Precondition: not none().
  std::uint32_t most() const { return bytes_.back(); }
  /// Returns the smallest that holds `shared` bytes, or the largest.
  std::uint32_t holding(std::uint64_t shared) const;
  /// Returns the carve-out of a grid. With a wish (Grid::carveout): the smallest that holds one CTA
  /// and the wished share of the largest. Otherwise the smallest that holds all CTAs that `limits`
  /// let reside.
  std::uint32_t of(const Grid& grid, const OccupancyLimits& limits) const;

 private:
  std::vector<std::uint32_t> bytes_;
};

/// Returns the limits of an SM for a grid: with a wish, shared memory is what its carve-out has.
OccupancyLimits limitsOf(const Grid& grid, const PlatformParameters& parameters);

/// Returns the frames per set of the L1 beside a scratchpad of `carveout` bytes; 0: no whole frames
/// of all sets remain. Precondition: the platform has carve-outs.
std::uint32_t waysBeside(std::uint32_t carveout, const PlatformParameters& parameters);

}  // namespace fermata::platforms
