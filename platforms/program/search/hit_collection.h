// The words that hits of an L1 ask for, as a search uses them.
//
// Words are those of the L1's data array, line behind line by frame. The frame of a line is known
// only when the cache has placed it, so the workload runs with timing, once. SystemC elaborates
// once per process: that run belongs in a child, and its hits travel as text.
#pragma once

#include <cstdint>
#include <string>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/search/access_collection.h>

namespace fermata::platforms {

/// Runs the workload and returns its tries that hit, for addHits(). Precondition: the platform has
/// an L1 (hasL1).
std::string hitsOf(Workload& workload, const Configuration& configuration, Connector& connector);

/// Adds hits; call it once per workload. `name` and `weight` are stored with every instruction.
void addHits(const std::string& hits, const std::string& name, std::uint64_t weight,
             const LaneGrouping& groups, Collected& into);

}  // namespace fermata::platforms
