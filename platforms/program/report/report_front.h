// Compromises: the points that no other point beats.
#pragma once

#include <fermata/platforms/program/report/report_axes.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the numbers of the points on the Pareto front, in rising order: no other point is at
/// least as good in every objective and better in one. Less is better. `objectives`: one or more,
/// of equal length. A point that lacks an objective (NaN) is left out.
std::vector<std::size_t> paretoFront(const std::vector<std::vector<double>>& objectives);

/// Configurations: points that differ only in the work they run are one configuration.
struct Configurations {
  std::vector<std::size_t> rows;  ///< for each configuration, its point of the first work
  /// Geometric mean over the works of value / least value of the work.
  std::vector<double> cycles;
  std::vector<double> energy;  ///< as `cycles`; NaN: a point of the configuration has none
};

/// Returns the configurations (values of `rest`) that every work has run with. Precondition:
/// `cycles` and `energy` have one value per point.
Configurations overWorks(const std::vector<std::size_t>& work, std::size_t works,
                         const std::vector<AxisColumn>& rest, const std::vector<double>& cycles,
                         const std::vector<double>& energy);

}  // namespace fermata::platforms
