// Points that differ only in the platform execute the same: one is recorded, the others replay it.
#pragma once

#include <fermata/platforms/program/sweep/sweep_plan.h>
#include <fermata/stimuli/traces/memory_trace.h>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace fermata::platforms {

/// Lives in the process that starts those of the points. The first point of a workload (with its
/// parameters) that is free to is recorded while it runs; points that start before it has run
/// run on their own.
class SweepTraces {
 public:
  /// `todo`: points to be run. At most `budget` bytes of memory are used for all traces.
  SweepTraces(const SweepPlan& plan, const std::vector<std::size_t>& todo, std::size_t budget);

  /// Before the point's process is started: what it records into while that is empty, and replays
  /// when it is ready; null: neither.
  traces::MemoryTrace* of(std::size_t point);
  /// When its process has ended. `again`: there will be another.
  void ended(std::size_t point, bool again);
  /// Points that have replayed a trace.
  std::size_t replays() const { return replays_; }

 private:
  struct Group {
    std::size_t points = 0;  ///< that have not ended
    bool unfit = false;
    bool recording = false;
    std::size_t recorder = 0;  ///< the point, while `recording`
    std::unique_ptr<traces::MemoryTrace> trace;
  };

  bool hasRoom() const;

  std::size_t budget_;
  std::map<std::size_t, std::size_t> groupOf_;  ///< by point
  std::vector<Group> groups_;
  std::size_t replays_ = 0;
};

/// A quarter of the memory of the cores that run `atOnce` points: other sweeps have theirs.
std::size_t traceBudget(unsigned atOnce);

}  // namespace fermata::platforms
