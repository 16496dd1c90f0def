// Runs a workload without time: every warp of every grid to its end, in an order that the machine
// could have chosen.
#pragma once

#include <cstdint>
#include <functional>

#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/workload.h>
#include <fermata/models/transaction/wavefront_halves.h>

namespace fermata::platforms {

/// Told of what executes.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  virtual void gridStarted(const Grid&) {}
  /// A memory instruction has executed, perhaps with no active lane. Of an asynchronous copy: it
  /// has begun, an access to global memory, and later once more, when it is stored in shared
  /// memory: as its warp waits for it, arrives behind it at an mbarrier, or exits.
  virtual void accessed(const WavefrontHalf& warp, const StaticInstruction& instruction,
                        const WarpInstruction& execution) = 0;
};

/// As many CTAs as fit are resident, as on the SM, and their warps take turns of a few
/// instructions. `progress`, when set, is told the warp instructions executed so far, from time to
/// time. Returns how many there were. Throws what the workload throws, OccupancyError when a CTA
/// does not fit, and InputError for a deadlock, which names the kernel and what its warps wait for.
std::uint64_t drive(Workload& workload, const OccupancyLimits& limits, ExecutionObserver& observer,
                    const std::function<void(std::uint64_t)>& progress = {});

}  // namespace fermata::platforms
