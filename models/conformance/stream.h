// Accesses that the suite sends to a module: seeded, and equal for every scenario.
#pragma once

#include <fermata/models/conformance/options.h>

namespace fermata::conformance {

struct Access {
  sc_core::sc_time at;    ///< earliest time, counted from the start of the stream
  sc_core::sc_time lead;  ///< time by which an initiator that annotates is ahead
  MemoryOperation operation = MemoryOperation::Load;
  LaneMask lanes = 1;
  unsigned bytes = 4;  ///< bytes per lane, or of the line
  /// Address of each lane; the line's address is the first.
  std::array<std::uint64_t, kWarpLanes> address{};
};
using Stream = std::vector<Access>;

/// Return requests in every fourth of a cycle, close together and after long gaps.
Stream warpStream(const Options& options);
Stream lineStream(const Options& options);

/// Returns a fixed function of both values, for choices that must not depend on time.
std::uint64_t mix(std::uint64_t seed, std::uint64_t value);

}  // namespace fermata::conformance
