// Work whose results are stored under keys: what has no result yet runs, each piece in its own
// process.
#pragma once

#include <fermata/platforms/program/work/result_store.h>
#include <fermata/results/progress.h>
#include <fermata/stimuli/traces/memory_trace.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Pieces of work, numbered from 0.
class KeyedWork {
 public:
  virtual ~KeyedWork() = default;
  virtual const std::string& key(std::size_t piece) const = 0;
  /// Returns a text that is equal for pieces whose runs execute alike, so that one can replay
  /// another's recording; empty: alone.
  virtual std::string executes(std::size_t piece) const = 0;
  /// Returns the result. Called in the piece's process. `trace`: see RunRequest::memory.
  virtual std::string run(std::size_t piece, traces::MemoryTrace* trace) const = 0;
};

struct WorkOrder {
  unsigned atOnce = 0;       ///< pieces at a time; 0: one per core
  bool retryFailed = false;  ///< run pieces that failed before, too
  bool replay = true;        ///< replay other pieces' executions (SharedTraces)
};

struct WorkTally {
  std::size_t pieces = 0;
  std::size_t done = 0;  ///< in this call and before
  std::size_t failed = 0;
  /// Pieces stopped by the machine: killed, or out of space. They have no result.
  std::size_t left = 0;
  std::string why;           ///< reason of the last of the `left` pieces
  std::size_t replayed = 0;  ///< pieces that replayed another's run
  std::size_t damaged = 0;   ///< pieces run again because their files were damaged
  std::string firstDamaged;  ///< file of the first damaged piece
};

/// Runs the pieces `numbers` of the work; `what` names them in the progress line. A piece that
/// fails is stored with its message, and work goes on. A piece that the machine stops (a signal, a
/// full disk) is tried again. After several such pieces in a row the work ends and WorkTally::why
/// says why. Throws TwoResults.
WorkTally workOn(const ResultStore& store, const KeyedWork& work,
                 const std::vector<std::size_t>& numbers, const WorkOrder& order,
                 const std::string& what, results::Progress& progress);

}  // namespace fermata::platforms
