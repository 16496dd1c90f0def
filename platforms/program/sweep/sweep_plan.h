// The points of a sweep: what each one runs, and the key of its result.
#pragma once

#include <fermata/platforms/program/measurement.h>
#include <fermata/platforms/program/work/digests.h>
#include <fermata/platforms/program/sweep/sweep_study.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

/// One combination of values.
struct SweepPoint {
  std::vector<std::string> values;  ///< per column
  std::string key;                  ///< 64 hexadecimal digits
};

struct SweepPlan {
  std::vector<std::string> columns;
  std::vector<SweepPoint> points;

  /// Returns whether energy is booked: there is a column `prices`.
  bool booksEnergy() const;
};

/// The run of one point.
struct SweepRun : Measurement {
  std::string workload;
};

SweepRun runOf(const SweepPlan& plan, const SweepPoint& point);

/// Returns every combination that is not excluded, with the last axis fastest. Throws InputError
/// for an unknown platform, workload or parameter.
SweepPlan planSweep(const SweepStudy& study, const Digests& digests);

/// Throws InputError if these digests give the points other keys: results would be stored under a
/// wrong key.
void checkKeys(const SweepPlan& plan, const Digests& digests);

/// Returns plan.csv: point, key, and one column per axis.
std::string planText(const SweepPlan& plan);
/// Reads a plan.csv. Throws InputError for a file with a text that planText() would not write.
SweepPlan readPlan(const std::string& file);

}  // namespace fermata::platforms
