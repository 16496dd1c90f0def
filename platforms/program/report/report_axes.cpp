#include <fermata/platforms/program/report/report_axes.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace fermata::platforms {

namespace {

/// Values of an axis as small numbers, numbered by first point.
struct Codes {
  std::vector<std::string> levels;
  std::vector<std::uint32_t> of;
};

Codes codesOf(const std::vector<std::string>& values) {
  Codes codes;
  std::map<std::string, std::uint32_t> known;
  for (const std::string& value : values) {
    const auto [at, isNew] =
        known.try_emplace(value, static_cast<std::uint32_t>(codes.levels.size()));
    if (isNew) codes.levels.push_back(value);
    codes.of.push_back(at->second);
  }
  return codes;
}

/// Returns whether each value of `from` determines the value of `to`.
bool says(const Codes& from, const Codes& to) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> said(from.levels.size(), kNone);
  for (std::size_t i = 0; i < from.of.size(); ++i) {
    std::uint32_t& one = said[from.of[i]];
    if (one == kNone) one = to.of[i];
    if (one != to.of[i]) return false;
  }
  return true;
}

/// Numbers the points. Points with equal numbers differ only in this axis and in the axes that move
/// with it.
std::vector<std::uint32_t> groupsWithout(const std::vector<Codes>& axes, std::size_t axis) {
  const std::size_t points = axes[axis].of.size();
  std::vector<std::uint32_t> group(points, 0);
  for (std::size_t other = 0; other < axes.size(); ++other) {
    if (other == axis || says(axes[other], axes[axis]) || says(axes[axis], axes[other])) continue;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> refined;
    for (std::size_t i = 0; i < points; ++i) {
      group[i] = refined
                     .try_emplace({group[i], axes[other].of[i]},
                                  static_cast<std::uint32_t>(refined.size()))
                     .first->second;
    }
  }
  return group;
}

/// Least figure within a group of points.
struct Least {
  double figure = std::numeric_limits<double>::infinity();
  std::uint32_t level = 0;  ///< value of the group's first point
  bool has = false;         ///< the group has a point
  bool compares = false;    ///< its points have different values
};

AxisEffect effectOf(const std::string& name, const Codes& axis,
                    const std::vector<std::uint32_t>& group, const std::vector<double>& figure) {
  std::vector<Least> least(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!(figure[i] > 0)) continue;
    Least& one = least[group[i]];
    one.compares = one.compares || (one.has && one.level != axis.of[i]);
    if (!one.has) one.level = axis.of[i];
    one.has = true;
    one.figure = std::min(one.figure, figure[i]);
  }
  std::vector<AxisValue> values(axis.levels.size());
  std::vector<double> logs(axis.levels.size(), 0);
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!(figure[i] > 0) || !least[group[i]].compares) continue;
    AxisValue& value = values[axis.of[i]];
    const double ratio = figure[i] / least[group[i]].figure;
    value.least = value.points == 0 ? ratio : std::min(value.least, ratio);
    value.most = std::max(value.most, ratio);
    value.best += ratio == 1 ? 1 : 0;
    logs[axis.of[i]] += std::log(ratio);
    ++value.points;
  }
  AxisEffect effect{name, {}};
  for (std::size_t level = 0; level < values.size(); ++level) {
    AxisValue& value = values[level];
    if (value.points == 0) continue;
    value.value = axis.levels[level];
    value.mean = std::exp(logs[level] / static_cast<double>(value.points));
    effect.values.push_back(value);
  }
  return effect;
}

}  // namespace

double AxisEffect::range() const {
  if (values.size() < 2) return 1;
  const auto [best, worst] =
      std::minmax_element(values.begin(), values.end(),
                          [](const AxisValue& a, const AxisValue& b) { return a.mean < b.mean; });
  return worst->mean / best->mean;
}

std::vector<AxisEffect> axisEffects(const std::vector<AxisColumn>& axes,
                                    const std::vector<double>& figure) {
  std::vector<Codes> codes;
  std::vector<std::string> names;
  for (const AxisColumn& axis : axes) {
    Codes one = codesOf(axis.values);
    if (one.levels.size() < 2) continue;
    codes.push_back(std::move(one));
    names.push_back(axis.name);
  }
  std::vector<AxisEffect> effects;
  for (std::size_t i = 0; i < codes.size(); ++i)
    effects.push_back(effectOf(names[i], codes[i], groupsWithout(codes, i), figure));
  std::stable_sort(effects.begin(), effects.end(),
                   [](const AxisEffect& a, const AxisEffect& b) { return a.range() > b.range(); });
  return effects;
}

}  // namespace fermata::platforms
