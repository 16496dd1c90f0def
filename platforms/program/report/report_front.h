// Compromises: the points that no other point beats.
#pragma once

#include <fermata/platforms/program/report/report_axes.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Numbers of the points that are on the Pareto front, in rising order: of the others none is as
/// good in every objective and better in one. Less is better. `objectives`: one or more, of one
/// length; a point that lacks one (NaN) is left out.
std::vector<std::size_t> paretoFront(const std::vector<std::vector<double>>& objectives);

/// What a point is when it runs several works: configurations.
struct Configurations {
  std::vector<std::size_t> rows;  ///< a point of each, of the first work
  /// Over the least of the work, geometric mean over the works.
  std::vector<double> cycles;
  std::vector<double> energy;  ///< the same; NaN: a point of it has none
};

/// Of the points of several works, those configurations (values of `rest`) that each work has run
/// with. Precondition: figures have a value a point.
Configurations overWorks(const std::vector<std::size_t>& work, std::size_t works,
                         const std::vector<AxisColumn>& rest, const std::vector<double>& cycles,
                         const std::vector<double>& energy);

}  // namespace fermata::platforms
