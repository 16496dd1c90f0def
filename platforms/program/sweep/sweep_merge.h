// All results of a sweep in one table.
#pragma once

#include <fermata/platforms/program/sweep/sweep_store.h>

#include <cstddef>
#include <string>

namespace fermata::platforms {

struct SweepStatus {
  std::size_t points = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t damaged = 0;        ///< missing, too: they are to be run again
  std::string firstDamaged = {};  ///< the file of the first one
  std::size_t missing() const { return points - done - failed; }
};
SweepStatus statusOf(const SweepStore& store);

/// Writes into merged/ of the sweep's folder runs.csv (point, axes, and the row of each point that
/// ran, in the order of the plan), failed.csv (point, axes, message) and schema.csv: the same bytes
/// however it was run. Throws InputError where points are missing or damaged and `partial` is
/// false. Returns what it merged: damaged points are never among it.
SweepStatus mergeSweep(const SweepStore& store, bool partial);

}  // namespace fermata::platforms
