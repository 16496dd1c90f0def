#include <fermata/stimuli/traces/cluster_words.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fermata::traces {

namespace {

constexpr std::array<std::string_view, 3> kClusterBarriers{
    "cluster-arrive", "cluster-arrive-relaxed", "cluster-wait"};

}  // namespace

std::string_view clusterBarrierName(unsigned barrier) {
  return kClusterBarriers[barrier - kClusterArrive];
}

std::optional<std::uint8_t> clusterBarrierNamed(std::string_view text) {
  const auto* const found = std::find(kClusterBarriers.begin(), kClusterBarriers.end(), text);
  if (found == kClusterBarriers.end()) return std::nullopt;
  return static_cast<std::uint8_t>(kClusterArrive + (found - kClusterBarriers.begin()));
}

void appendBarrier(std::string& text, const WarpInstruction& executed) {
  if (isOfCluster(executed.barrier)) {
    text += clusterBarrierName(executed.barrier);
    return;
  }
  const bool plain = executed.barrierThreads == 0 && executed.barrierWaits;
  if (plain && executed.barrier == 0) return;
  appendNumber(text, executed.barrier);
  if (plain) return;
  text += '/';
  appendNumber(text, executed.barrierThreads);
  if (!executed.barrierWaits) text += "/arrive";
}

bool isSharedPlace(const Grid& grid, std::uint64_t address, unsigned bytes, bool target) {
  const unsigned ctas = grid.clusterCtas;
  if (const unsigned ranks = ranksOfMulticast(address); ranks != 0) {
    if (!target || ctas == 1 || ranks >> ctas != 0) return false;
    address &= (std::uint64_t{1} << kMulticastShift) - 1;
  } else if (namesRank(address)) {
    if (ctas == 1 || rankNamed(address) >= ctas) return false;
    address = offsetIn(address);
  }
  return bytes <= grid.sharedBytesPerCta && address <= grid.sharedBytesPerCta - bytes;
}

unsigned firstLaneOutside(const Grid& grid, const LaneAddresses& address, LaneMask active,
                          unsigned bytes, bool target) {
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    if (!isSharedPlace(grid, address[lane], bytes, target)) return lane;
  }
  return kWarpLanes;
}

std::string sharedPlaces(const Grid& grid) {
  const std::string own = fmt::format("the CTA's {}", grid.sharedBytesPerCta);
  if (grid.clusterCtas == 1) return own;
  return own + fmt::format(", by rank {} + {} times a rank below {}", kClusterBase, kClusterStride,
                           grid.clusterCtas);
}

}  // namespace fermata::traces
