// Points that differ only in the platform execute alike: one is recorded, the others replay it.
#pragma once

#include <fermata/platforms/program/sweep/sweep_plan.h>
#include <fermata/stimuli/traces/memory_trace.h>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace fermata::platforms {

/// Lives in the process that starts the processes of the points. For each workload with its
/// parameters, the first point that may be recorded is recorded while it runs. Points that start
/// before it has ended run on their own.
class SweepTraces {
 public:
  /// `todo`: points to be run. All traces together use at most `budget` bytes of memory.
  SweepTraces(const SweepPlan& plan, const std::vector<std::size_t>& todo, std::size_t budget);

  /// Call it before the point's process is started. The point records into the trace if it is empty
  /// and replays it if it is ready; null: neither.
  traces::MemoryTrace* of(std::size_t point);
  /// Call it when the point's process has ended. `again`: the point will be started again.
  void ended(std::size_t point, bool again);
  /// Returns the number of points that have replayed a trace.
  std::size_t replays() const { return replays_; }

 private:
  struct Group {
    std::size_t points = 0;  ///< points that have not ended
    bool unfit = false;
    bool recording = false;
    std::size_t recorder = 0;  ///< number of the recording point, valid while `recording`
    std::unique_ptr<traces::MemoryTrace> trace;
  };

  bool hasRoom() const;

  std::size_t budget_;
  std::map<std::size_t, std::size_t> groupOf_;  ///< per point
  std::vector<Group> groups_;
  std::size_t replays_ = 0;
};

/// Returns the bytes for traces: a quarter of the memory share of the cores that run `atOnce`
/// points. Other sweeps need theirs.
std::size_t traceBudget(unsigned atOnce);

}  // namespace fermata::platforms
