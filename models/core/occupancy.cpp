#include <fermata/models/core/occupancy.h>

#include <algorithm>
#include <limits>

namespace fermata {

namespace {

std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint64_t fitting(std::uint64_t have, std::uint64_t need) {
  return need == 0 ? std::numeric_limits<unsigned>::max() : have / need;
}

}  // namespace

const char* name(OccupancyLimiter limiter) {
  switch (limiter) {
    case OccupancyLimiter::Ctas:
      return "ctas";
    case OccupancyLimiter::Warps:
      return "warps";
    case OccupancyLimiter::Threads:
      return "threads";
    case OccupancyLimiter::Registers:
      return "registers";
    case OccupancyLimiter::Shared:
      return "shared";
    case OccupancyLimiter::Grid:
      return "grid";
  }
  return "";
}

std::uint64_t windowBytes(const Grid& grid, const OccupancyLimits& limits) {
  return roundUp(grid.sharedBytesPerCta, limits.sharedUnit);
}

WindowPlacement windowPlacement(const Grid& grid, const OccupancyLimits& limits,
                                unsigned resident) {
  const std::uint64_t bytes = windowBytes(grid, limits);
  std::uint64_t power = bytes == 0 ? 0 : 1;
  while (power < bytes) power *= 2;
  const std::uint64_t end = resident == 0 ? 0 : (resident - 1) * power + bytes;
  return end <= limits.sharedBytes ? WindowPlacement{power, true} : WindowPlacement{bytes, false};
}

Occupancy occupancy(const Grid& grid, const OccupancyLimits& limits) {
  const std::uint64_t warpRegisters =
      roundUp(std::uint64_t{grid.registersPerThread} * kWarpLanes, limits.registerUnit);
  const std::pair<std::uint64_t, OccupancyLimiter> bounds[] = {
      {limits.ctas, OccupancyLimiter::Ctas},
      {fitting(limits.warps, grid.warpsPerCta()), OccupancyLimiter::Warps},
      {fitting(limits.threads, std::uint64_t{grid.warpsPerCta()} * kWarpLanes),
       OccupancyLimiter::Threads},
      {fitting(limits.registers, warpRegisters * grid.warpsPerCta()), OccupancyLimiter::Registers},
      {fitting(limits.sharedBytes, windowBytes(grid, limits)), OccupancyLimiter::Shared},
      {grid.ctas, OccupancyLimiter::Grid},
  };
  const auto least =
      std::min_element(std::begin(bounds), std::end(bounds),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return {static_cast<unsigned>(least->first), least->second};
}

}  // namespace fermata
