// Runs that differ only in the platform execute alike: one is recorded, the others replay it.
#pragma once

#include <fermata/stimuli/traces/memory_trace.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Lives in the process that starts the processes of the runs. In each group of runs that execute
/// alike, the first that may be recorded is recorded while it runs. Those that start before it has
/// ended run on their own.
class SharedTraces {
 public:
  /// `todo`: numbers of the runs. `executes`: a text per run, equal for those that execute alike;
  /// empty: alone. All traces together use at most `budget` bytes of memory.
  SharedTraces(const std::vector<std::size_t>& todo,
               const std::function<std::string(std::size_t)>& executes, std::size_t budget);

  /// Call it before the run's process is started. The run records into the trace if it is empty
  /// and replays it if it is ready; null: neither.
  traces::MemoryTrace* of(std::size_t run);
  /// Call it when the run's process has ended. `again`: the run will be started again.
  void ended(std::size_t run, bool again);
  /// Returns the number of runs that have replayed a trace.
  std::size_t replays() const { return replays_; }

 private:
  struct Group {
    std::size_t runs = 0;  ///< runs that have not ended
    bool unfit = false;
    bool recording = false;
    std::size_t recorder = 0;  ///< number of the recording run, valid while `recording`
    std::unique_ptr<traces::MemoryTrace> trace;
  };

  bool hasRoom() const;

  std::size_t budget_;
  std::map<std::size_t, std::size_t> groupOf_;  ///< per run
  std::vector<Group> groups_;
  std::size_t replays_ = 0;
};

/// Returns the bytes for traces: a quarter of the memory share of the cores that run `atOnce`
/// runs. Other programs need theirs.
std::size_t traceBudget(unsigned atOnce);

}  // namespace fermata::platforms
