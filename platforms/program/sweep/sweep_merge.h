// Merges all results of a sweep into one table.
#pragma once

#include <fermata/platforms/program/sweep/sweep_store.h>

#include <cstddef>
#include <string>

namespace fermata::platforms {

struct SweepStatus {
  std::size_t points = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t damaged = 0;        ///< to be run again; counted as missing, too
  std::string firstFailure = {};  ///< why the first failed point failed, one line
  std::string firstDamaged = {};  ///< file of the first damaged point
  std::size_t missing() const { return points - done - failed; }
};
SweepStatus statusOf(const SweepStore& store);

/// Writes runs.csv (point, axes, and the row of each point that ran, in the order of the plan),
/// failed.csv (point, axes, message) and schema.csv into merged/ of the sweep's folder. Their bytes
/// do not depend on how the sweep was run. Damaged points are never merged. Throws InputError if
/// points are missing or damaged and `partial` is false. Returns the status of the merged points.
SweepStatus mergeSweep(const SweepStore& store, bool partial);

}  // namespace fermata::platforms
