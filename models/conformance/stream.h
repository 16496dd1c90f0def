// The accesses that the suite puts to a module: seeded, the same for every scenario.
#pragma once

#include <fermata/models/conformance/options.h>

namespace fermata::conformance {

struct Access {
  sc_core::sc_time at;    ///< from the start of the stream; no sooner
  sc_core::sc_time lead;  ///< by which an initiator that annotates is ahead
  MemoryOperation operation = MemoryOperation::Load;
  LaneMask lanes = 1;
  unsigned bytes = 4;                               ///< of a lane, or of the line
  std::array<std::uint64_t, kWarpLanes> address{};  ///< of the lanes, or of the line: the first
};
using Stream = std::vector<Access>;

/// Requests in every fourth of a cycle, close together and after long gaps.
Stream warpStream(const Options& options);
Stream lineStream(const Options& options);

/// A fixed function of both, for choices that must not depend on when they are made.
std::uint64_t mix(std::uint64_t seed, std::uint64_t value);

}  // namespace fermata::conformance
