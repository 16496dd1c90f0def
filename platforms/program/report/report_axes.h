// The effect of each axis of a sweep: how much worse each of its values makes a point.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A column with one value per point.
struct AxisColumn {
  std::string name;
  std::vector<std::string> values;
};

/// One value of an axis. The points that have it are compared with those that differ only in this
/// axis: figure / least figure among them.
struct AxisValue {
  std::string value;
  std::size_t points = 0;
  double mean = 1;  ///< geometric mean of the ratios
  double least = 1;
  double most = 1;
  std::size_t best = 0;  ///< number of points that have the least figure
};

struct AxisEffect {
  std::string name;
  /// Ordered by first point. A value whose points can be compared with no other value is left out.
  /// With fewer than two values the axis cannot be judged.
  std::vector<AxisValue> values;

  /// Returns worst mean / best mean.
  double range() const;
};

/// Returns the axes by falling range. Two axes that move together (each value of one goes with one
/// value of the other) are varied together. `figure` has one value above 0 per point; points
/// without a figure (NaN) are left out. Axes with a single value are skipped.
std::vector<AxisEffect> axisEffects(const std::vector<AxisColumn>& axes,
                                    const std::vector<double>& figure);

}  // namespace fermata::platforms
