// Runs the points of a sweep that have no result yet, each in a process of its own.
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
  unsigned atOnce = 0;       ///< 0: a point a core
  bool retryFailed = false;  ///< points that failed before, too
  bool replay = true;        ///< what another point has executed (SweepTraces)
};

struct SweepTally {
  std::size_t points = 0;  ///< of the shard
  std::size_t done = 0;    ///< now and before
  std::size_t failed = 0;
  /// Points that the machine would not run: killed, no room. They have no result.
  std::size_t left = 0;
  std::string why;           ///< of the last of these
  std::size_t replayed = 0;  ///< points given another's run
  std::size_t damaged = 0;   ///< points run again, whose files were damaged
  std::string firstDamaged;  ///< the file of the first one
};

/// A point that fails is recorded with its message and stops nothing. One that the machine stops (a
/// signal, a full disk) is tried again; after several in a row the work ends, and says why. Throws
/// TwoResults.
SweepTally workSweep(const SweepStore& store, const SweepOrder& order, Connector* connector,
                     results::Progress& progress);

/// What `fermata run` would be asked for a point.
RunRequest requestOf(const SweepRun& run, Connector* connector);
/// What a point's run writes: its row of runs.csv. `trace`: see RunRequest::memory. Throws what
/// runs throw.
std::string runPoint(const SweepRun& run, Connector* connector,
                     traces::MemoryTrace* trace = nullptr);

}  // namespace fermata::platforms
