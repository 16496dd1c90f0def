// The points of a sweep: what each runs, and the key that its result has.
#pragma once

#include <fermata/platforms/program/sweep/sweep_digest.h>
#include <fermata/platforms/program/sweep/sweep_study.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

/// One combination of values.
struct SweepPoint {
  std::vector<std::string> values;  ///< by column
  std::string key;                  ///< 64 hexadecimal digits
};

struct SweepPlan {
  std::vector<std::string> columns;
  std::vector<SweepPoint> points;

  /// A column `prices` is there: energy is booked.
  bool booksEnergy() const;
};

/// What a point runs.
struct SweepRun {
  std::string platform;
  std::string workload;
  std::vector<std::string> sets;        ///< "path=value"
  std::vector<std::string> parameters;  ///< "name=value"
  std::string prices;                   ///< of energy; empty: none is booked
};

SweepRun runOf(const SweepPlan& plan, const SweepPoint& point);

/// Every combination that is not excluded, the last axis fastest. Throws InputError where an axis
/// names nothing: a platform, a workload, a parameter.
SweepPlan planSweep(const SweepStudy& study, const SweepDigests& digests);

/// Throws InputError where the points have other keys with these digests: a result would be filed
/// under what it is not of.
void checkKeys(const SweepPlan& plan, const SweepDigests& digests);

/// plan.csv: point, key, and a column an axis.
std::string planText(const SweepPlan& plan);
/// Throws InputError for a file that holds another text than planText() makes.
SweepPlan readPlan(const std::string& file);

}  // namespace fermata::platforms
