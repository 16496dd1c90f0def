// What each axis of a sweep is worth: how much worse each of its values makes a point.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A column of values, one a point.
struct AxisColumn {
  std::string name;
  std::vector<std::string> values;
};

/// Of the points that have this value: their figure over the least one of the points that differ
/// from them in this axis alone.
struct AxisValue {
  std::string value;
  std::size_t points = 0;
  double mean = 1;  ///< geometric
  double least = 1;
  double most = 1;
  std::size_t best = 0;  ///< of the points, those that have the least one
};

struct AxisEffect {
  std::string name;
  /// In the order of their first points; those that can be compared with no other value are left
  /// out. Fewer than two: the axis cannot be judged.
  std::vector<AxisValue> values;

  /// The worst mean over the best one.
  double range() const;
};

/// By falling range. An axis that moves together with another (each value of one goes with one
/// value of the other) is compared with that one moving along. `figure`: of each point, above 0;
/// points without one (NaN) are left out. Axes of one value are no axes.
std::vector<AxisEffect> axisEffects(const std::vector<AxisColumn>& axes,
                                    const std::vector<double>& figure);

}  // namespace fermata::platforms
