// Words of traces of grids with clusters: places in the shared memory of other CTAs, and the
// barrier of a cluster (models/vocabulary/cluster.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/models/vocabulary/grid.h>
#include <fermata/stimuli/traces/trace_format.h>

namespace fermata::traces {

/// True for the barrier numbers that mean the barrier of a cluster.
constexpr bool isOfCluster(unsigned barrier) {
  return barrier >= kClusterArrive && barrier <= kClusterWait;
}
/// Returns the name of such a number, and the number that has a name; nothing: none has it.
std::string_view clusterBarrierName(unsigned barrier);
std::optional<std::uint8_t> clusterBarrierNamed(std::string_view text);

/// Appends the text form of a barrier, of a CTA or a cluster.
void appendBarrier(std::string& text, const WarpInstruction& executed);

/// True if `bytes` bytes at an address of shared memory lie in the CTA's window or, in a cluster,
/// in that of the CTA whose rank the address names. `target`: of a copy, which may go to several
/// CTAs.
bool isSharedPlace(const Grid& grid, std::uint64_t address, unsigned bytes, bool target);
/// Returns the first lane whose address is no such place; 32: none.
unsigned firstLaneOutside(const Grid& grid, const LaneAddresses& address, LaneMask active,
                          unsigned bytes, bool target);
/// Says what isSharedPlace() expects.
std::string sharedPlaces(const Grid& grid);

}  // namespace fermata::traces
