// Runs a workload without time: every warp of every grid to its end, in an order that the machine
// could have chosen.
#pragma once

#include <cstdint>
#include <functional>

#include <fermata/models/core/occupancy.h>
#include <fermata/models/transaction/wavefront_halves.h>
#include <fermata/models/vocabulary/workload.h>

namespace fermata::platforms {

/// Receives the executed instructions.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  virtual void gridStarted(const Grid&) {}
  /// Called when a memory instruction has executed, perhaps with no active lane. Called twice for
  /// an asynchronous copy: when it begins, as an access to global memory, and when it is stored in
  /// shared memory. The store happens when its warp waits for it, arrives behind it at an mbarrier,
  /// or exits.
  virtual void accessed(const WavefrontHalf& warp, const StaticInstruction& instruction,
                        const WarpInstruction& execution) = 0;
};

/// Runs the workload; returns the number of warp instructions executed. As many CTAs as fit are
/// resident, as on the SM, and their warps take turns of a few instructions. `progress`, if set,
/// receives the number executed so far, from time to time. If there are as many multiprocessors as
/// a cluster has CTAs, each CTA has banks of its own, and the observer is told of one access for
/// each CTA that an access goes to. Throws what the workload throws, OccupancyError if a CTA does
/// not fit, and InputError for a deadlock: it names the kernel and what its warps wait for.
std::uint64_t drive(Workload& workload, const OccupancyLimits& limits, ExecutionObserver& observer,
                    const std::function<void(std::uint64_t)>& progress = {},
                    unsigned multiprocessors = 1);

}  // namespace fermata::platforms
