// Runs the points of a sweep that have no result yet, each in its own process.
#pragma once

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/sweep/sweep_store.h>
#include <fermata/platforms/program/work/keyed_work.h>
#include <fermata/results/progress.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

struct SweepShard {
  unsigned number = 1;  ///< 1 to `of`
  unsigned of = 1;
};

/// Runs the points of a shard. Throws TwoResults.
WorkTally workSweep(const SweepStore& store, const SweepShard& shard, const WorkOrder& order,
                    Connector* connector, results::Progress& progress);

/// Returns the request of `fermata run` for a point.
RunRequest requestOf(const SweepRun& run, Connector* connector);
/// Runs a point and returns its row of runs.csv. `trace`: see RunRequest::memory. Throws what runs
/// throw.
std::string runPoint(const SweepRun& run, Connector* connector,
                     traces::MemoryTrace* trace = nullptr);

}  // namespace fermata::platforms
