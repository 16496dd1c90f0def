#include <fermata/platforms/compose/carveouts.h>

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/compose/parameters.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace fermata::platforms {

namespace {

constexpr std::uint32_t kKilobyte = 1024;
constexpr std::uint32_t kMostKilobytes = 4096;

std::uint32_t bytesOf(const std::string& word) {
  std::uint32_t kilobytes = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, kilobytes);
  if (error != std::errc() || stop != end || kilobytes > kMostKilobytes)
    throw indexing::IndexingError("'" + word + "' is no carve-out; expected KB from 0 to " +
                                  std::to_string(kMostKilobytes));
  return kilobytes * kKilobyte;
}

}  // namespace

Carveouts::Carveouts(const std::string& text) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::uint32_t bytes = bytesOf(word);
    if (!bytes_.empty() && bytes <= bytes_.back())
      throw indexing::IndexingError("'" + word + "' is not above the carve-out before it; " +
                                    "expected KB in rising order");
    bytes_.push_back(bytes);
  }
}

std::uint32_t Carveouts::holding(std::uint64_t shared) const {
  const auto first = std::find_if(bytes_.begin(), bytes_.end(),
                                  [&](std::uint32_t bytes) { return bytes >= shared; });
  return first == bytes_.end() ? most() : *first;
}

std::uint32_t Carveouts::of(const Grid& grid, const OccupancyLimits& limits) const {
  if (grid.carveout == kNoCarveout) return holding(residentShared(grid, limits));
  const auto percent = static_cast<std::uint64_t>(grid.carveout);
  const std::uint64_t wished = (percent * most() + 99) / 100;
  return holding(std::max(wished, windowBytes(grid, limits) + limits.sharedReserved));
}

OccupancyLimits limitsOf(const Grid& grid, const PlatformParameters& p) {
  OccupancyLimits limits = occupancyLimits(p);
  if (grid.carveout == kNoCarveout || p.l1.carveouts.empty() || !hasL1(p.globalMemory))
    return limits;
  limits.sharedBytes = std::min(limits.sharedBytes, Carveouts(p.l1.carveouts).of(grid, limits));
  return limits;
}

std::uint32_t waysBeside(std::uint32_t carveout, const PlatformParameters& p) {
  if (carveout >= p.l1.arrayBytes) return 0;
  const std::uint32_t perWay = p.l1.shape.sets() * p.l1.shape.lineBytes;
  const std::uint32_t bytes = p.l1.arrayBytes - carveout;
  return bytes % perWay == 0 ? bytes / perWay : 0;
}

}  // namespace fermata::platforms
