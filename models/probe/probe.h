// Observation: a module reports what happens to the probe it was given; nobody in the model knows
// who listens. No probe, no cost beyond a test of a pointer.
#pragma once

#include <fermata/models/transaction/grid.h>
#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

class WarpAccess;

/// Why an issue slot of a scheduler stayed empty for a cycle.
enum class StallCause : std::uint8_t {
  Scoreboard,  ///< every warp waits: for a register, a branch's target, or its next turn (one issue
               ///< a cycle)
  Barrier,     ///< every warp waits at a barrier
  MemoryPort,  ///< a warp is ready, the memory path is held by an access in passes
  Pipeline,    ///< a warp is ready, its arithmetic pipeline takes nothing this cycle
  Idle,        ///< the scheduler has no warp
};
inline constexpr unsigned kStallCauses = 5;
const char* name(StallCause cause);

struct IssueEvent {
  Cycle cycle = 0;
  unsigned slot = 0;
  const Grid& grid;
  const StaticInstruction& instruction;
  LaneMask active = 0;
  Cycle lost = 0;  ///< empty issue slots of this scheduler just before this issue
};

/// Every event has a default that ignores it. Events come in the order of the model's calls; an
/// access is reported when it is accepted, with its outcome.
class Probe {
 public:
  virtual ~Probe() = default;
  virtual void gridStarted(const Grid&, Cycle) {}
  virtual void gridEnded(const Grid&, Cycle) {}
  /// `warps`: of the CTA.
  virtual void ctaStarted(std::uint64_t /*cta*/, unsigned /*warps*/, Cycle) {}
  virtual void ctaEnded(std::uint64_t /*cta*/, unsigned /*warps*/, Cycle) {}
  virtual void issued(const IssueEvent&) {}
  /// `slots` empty issue slots within the cycles [from, from + cycles).
  virtual void stalled(StallCause, Cycle /*from*/, Cycle /*cycles*/, std::uint64_t /*slots*/) {}
  /// The crossbar has resolved a shared access: banks, passes, degree, leaders are set.
  virtual void sharedAccess(const WarpAccess&) {}
  /// The coalescer has formed the segments of a global access.
  virtual void globalAccess(const WarpAccess&) {}
};

}  // namespace fermata
