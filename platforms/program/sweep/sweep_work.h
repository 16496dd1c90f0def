// Runs the points of a sweep that have no result yet, each in its own process.
#pragma once

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/sweep/sweep_store.h>
#include <fermata/results/progress.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

struct SweepShard {
  unsigned number = 1;  ///< 1 to `of`
  unsigned of = 1;
};

struct SweepOrder {
  SweepShard shard;
  unsigned atOnce = 0;       ///< points at a time; 0: one per core
  bool retryFailed = false;  ///< run points that failed before, too
  bool replay = true;        ///< replay other points' executions (SweepTraces)
};

struct SweepTally {
  std::size_t points = 0;  ///< in the shard
  std::size_t done = 0;    ///< in this call and before
  std::size_t failed = 0;
  /// Points stopped by the machine: killed, or out of space. They have no result.
  std::size_t left = 0;
  std::string why;           ///< reason of the last of the `left` points
  std::size_t replayed = 0;  ///< points that replayed another's run
  std::size_t damaged = 0;   ///< points run again because their files were damaged
  std::string firstDamaged;  ///< file of the first damaged point
};

/// Runs the points of a shard. A point that fails is recorded with its message, and work goes on. A
/// point that the machine stops (a signal, a full disk) is tried again. After several such points
/// in a row the work ends and SweepTally::why says why. Throws TwoResults.
SweepTally workSweep(const SweepStore& store, const SweepOrder& order, Connector* connector,
                     results::Progress& progress);

/// Returns the request of `fermata run` for a point.
RunRequest requestOf(const SweepRun& run, Connector* connector);
/// Runs a point and returns its row of runs.csv. `trace`: see RunRequest::memory. Throws what runs
/// throw.
std::string runPoint(const SweepRun& run, Connector* connector,
                     traces::MemoryTrace* trace = nullptr);

}  // namespace fermata::platforms
