#include <fermata/platforms/program/search/residency.h>

#include <algorithm>
#include <limits>

namespace fermata::platforms {

namespace {

unsigned residentWith(Grid grid, const OccupancyLimits& limits, std::uint64_t bytes) {
  const std::uint64_t shared = grid.sharedBytesPerCta + bytes;
  if (shared > limits.sharedBytes) return 0;
  grid.sharedBytesPerCta = static_cast<std::uint32_t>(shared);
  grid.ctas = std::numeric_limits<std::uint32_t>::max();
  return occupancy(grid, limits).ctas;
}

}  // namespace

std::optional<Residency> worstLoss(const std::vector<Grid>& grids, const OccupancyLimits& limits,
                                   std::uint64_t bytes) {
  std::optional<Residency> worst;
  for (const Grid& grid : grids) {
    const Residency one{grid.kernel, residentWith(grid, limits, 0),
                        residentWith(grid, limits, bytes)};
    if (one.after == one.before) continue;
    // Compares after / before without division.
    if (!worst || one.after * worst->before < worst->after * one.before) worst = one;
  }
  return worst;
}

std::uint64_t spareBytes(const std::vector<Grid>& grids, const OccupancyLimits& limits) {
  std::uint64_t fits = 0;
  // Exclusive bound: a CTA with so many more bytes is too large.
  std::uint64_t none = std::uint64_t{limits.sharedBytes} + 1;
  while (none - fits > 1) {
    const std::uint64_t middle = fits + (none - fits) / 2;
    (worstLoss(grids, limits, middle) ? none : fits) = middle;
  }
  return fits;
}

unsigned windowBits(const std::vector<Grid>& grids, const OccupancyLimits& limits,
                    std::uint32_t wordBytes) {
  unsigned fewest = 32;
  for (const Grid& grid : grids) {
    const std::uint64_t words = windowBytes(grid, limits) / wordBytes;
    unsigned bits = 0;
    while (std::uint64_t{1} << bits < words) ++bits;
    if (words != 0) fewest = std::min(fewest, bits);
  }
  return fewest;
}

}  // namespace fermata::platforms
