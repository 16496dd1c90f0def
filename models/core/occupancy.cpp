#include <fermata/models/core/occupancy.h>

#include <algorithm>
#include <limits>
#include <string>

namespace fermata {

namespace {

std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// The need of one CTA, the limit that it exceeds, and the cures, for an error message.
struct Shortage {
  std::uint64_t needs = 0;
  std::uint64_t has = 0;
  const char* unit = "";
  const char* parameter = "";  ///< parameter of the platform that sets the limit
  const char* smaller = "";    ///< change to the kernel that would do instead
};

Shortage shortage(const Grid& grid, const OccupancyLimits& limits, OccupancyLimiter limiter) {
  switch (limiter) {
    case OccupancyLimiter::Warps:
      return {grid.warpsPerCta(), limits.warps, "warps", "limits.warps", "a smaller block"};
    case OccupancyLimiter::Threads:
      return {std::uint64_t{grid.warpsPerCta()} * kWarpLanes, limits.threads, "threads in warps",
              "limits.threads", "a smaller block"};
    case OccupancyLimiter::Registers:
      return {registersOfCta(grid, limits), limits.registers, "registers", "limits.registers",
              "a smaller block, or fewer registers a thread"};
    case OccupancyLimiter::Shared:
      return {windowBytes(grid, limits) + limits.sharedReserved, limits.sharedBytes,
              limits.sharedReserved == 0
                  ? "bytes of shared memory"
                  : "bytes of shared memory with what limits.shared_reserved takes",
              "scratchpad.bytes", "less shared memory"};
    default:
      return {1, limits.ctas, "place for a CTA", "limits.ctas", "one CTA or more"};
  }
}

/// Returns a value of the parameter that suffices. A scratchpad must have whole rows of banks,
/// which a multiple of 1 KiB has for the usual numbers of banks.
std::uint64_t enough(const Shortage& lack, OccupancyLimiter limiter) {
  return limiter == OccupancyLimiter::Shared ? roundUp(lack.needs, 1024) : lack.needs;
}

/// Returns the parameter that sets the limit.
const char* limitText(OccupancyLimiter limiter) {
  switch (limiter) {
    case OccupancyLimiter::Warps:
      return "limits.warps";
    case OccupancyLimiter::Threads:
      return "limits.threads";
    case OccupancyLimiter::Registers:
      return "limits.registers";
    case OccupancyLimiter::Shared:
      return "scratchpad.bytes";
    default:
      return "limits.ctas";
  }
}

std::uint64_t fitting(std::uint64_t have, std::uint64_t need) {
  return need == 0 ? std::numeric_limits<unsigned>::max() : have / need;
}

}  // namespace

const char* name(OccupancyLimiter limiter) {
  static constexpr const char* kNames[] = {"ctas",      "warps",  "threads",
                                           "registers", "shared", "grid"};
  return kNames[static_cast<unsigned>(limiter)];
}

std::uint64_t registersOfCta(const Grid& grid, const OccupancyLimits& limits) {
  return roundUp(std::uint64_t{grid.registersPerThread} * kWarpLanes, limits.registerUnit) *
         grid.warpsPerCta();
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
  const std::uint64_t reserved = std::uint64_t{resident} * limits.sharedReserved;
  return end + reserved <= limits.sharedBytes ? WindowPlacement{power, true}
                                              : WindowPlacement{bytes, false};
}

Occupancy occupancy(const Grid& grid, const OccupancyLimits& limits) {
  const std::pair<std::uint64_t, OccupancyLimiter> bounds[] = {
      {limits.ctas, OccupancyLimiter::Ctas},
      {fitting(limits.warps, grid.warpsPerCta()), OccupancyLimiter::Warps},
      {fitting(limits.threads, std::uint64_t{grid.warpsPerCta()} * kWarpLanes),
       OccupancyLimiter::Threads},
      {fitting(limits.registers, registersOfCta(grid, limits)), OccupancyLimiter::Registers},
      {fitting(limits.sharedBytes, windowBytes(grid, limits) + limits.sharedReserved),
       OccupancyLimiter::Shared},
      {grid.ctas, OccupancyLimiter::Grid},
  };
  const auto least =
      std::min_element(std::begin(bounds), std::end(bounds),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto ctas = static_cast<unsigned>(least->first);
  return {ctas - ctas % grid.clusterCtas, least->second};
}

std::uint64_t residentShared(const Grid& grid, const OccupancyLimits& limits) {
  Grid large = grid;
  large.ctas = std::numeric_limits<std::uint64_t>::max();
  return occupancy(large, limits).ctas * (windowBytes(grid, limits) + limits.sharedReserved);
}

Occupancy requireOccupancy(const Grid& grid, const OccupancyLimits& limits) {
  const Occupancy fits = occupancy(grid, limits);
  if (fits.ctas != 0) return fits;
  const std::string kernel =
      (grid.where.empty() ? "" : grid.where + ": ") + "kernel '" + grid.kernel + "': ";
  Grid alone = grid;
  alone.clusterCtas = 1;
  const unsigned single = occupancy(alone, limits).ctas;
  if (single != 0) {
    throw OccupancyError(
        kernel + "a cluster of " + std::to_string(grid.clusterCtas) +
        " CTAs does not fit on one SM, where the model runs it: " + std::to_string(single) +
        " of its CTAs do, by " + limitText(fits.limiter) +
        "; expected an SM for each (--set chip.sms=" + std::to_string(grid.clusterCtas) +
        ", without verify), smaller clusters or CTAs, or a run without time "
        "(--functional)");
  }
  const Shortage lack = shortage(grid, limits, fits.limiter);
  throw OccupancyError(kernel + "one CTA does not fit on the SM: it needs " +
                       std::to_string(lack.needs) + " " + lack.unit + ", " + lack.parameter +
                       " is " + std::to_string(lack.has) + "; expected " + lack.smaller +
                       ", or --set " + lack.parameter + "=" +
                       std::to_string(enough(lack, fits.limiter)));
}

}  // namespace fermata
