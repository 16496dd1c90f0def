#include <fermata/platforms/program/report/report_front.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace fermata::platforms {

namespace {

using Objectives = std::vector<std::vector<double>>;

bool lacksOne(const Objectives& objectives, std::size_t point) {
  return std::any_of(objectives.begin(), objectives.end(),
                     [&](const auto& values) { return std::isnan(values[point]); });
}

/// Returns whether `one` is at least as good in all objectives and better in one.
bool beats(const Objectives& objectives, std::size_t one, std::size_t other) {
  bool better = false;
  for (const auto& values : objectives) {
    if (values[one] > values[other]) return false;
    better = better || values[one] < values[other];
  }
  return better;
}

/// Returns the least figure of each work.
std::vector<double> leastOf(const std::vector<std::size_t>& work, std::size_t works,
                            const std::vector<double>& figure) {
  std::vector<double> least(works, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (figure[i] > 0) least[work[i]] = std::min(least[work[i]], figure[i]);
  }
  return least;
}

}  // namespace

std::vector<std::size_t> paretoFront(const Objectives& objectives) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < objectives.front().size(); ++i) {
    if (!lacksOne(objectives, i)) order.push_back(i);
  }
  // Sorted so that no later point beats an earlier one.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (const auto& values : objectives) {
      if (values[a] != values[b]) return values[a] < values[b];
    }
    return false;
  });
  std::vector<std::size_t> front;
  for (const std::size_t point : order) {
    const bool beaten = std::any_of(front.begin(), front.end(), [&](std::size_t other) {
      return beats(objectives, other, point);
    });
    if (!beaten) front.push_back(point);
  }
  std::sort(front.begin(), front.end());
  return front;
}

Configurations overWorks(const std::vector<std::size_t>& work, std::size_t works,
                         const std::vector<AxisColumn>& rest, const std::vector<double>& cycles,
                         const std::vector<double>& energy) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> byValues;
  for (std::size_t i = 0; i < work.size(); ++i) {
    std::vector<std::string> values;
    for (const AxisColumn& axis : rest) values.push_back(axis.values[i]);
    byValues[std::move(values)].push_back(i);
  }
  std::vector<std::vector<std::size_t>> complete;
  for (auto& [values, points] : byValues) {
    if (points.size() == works) complete.push_back(std::move(points));
  }
  std::sort(complete.begin(), complete.end());  // by first point
  const std::vector<double> leastCycles = leastOf(work, works, cycles);
  const std::vector<double> leastEnergy = leastOf(work, works, energy);
  Configurations all;
  for (const std::vector<std::size_t>& points : complete) {
    double logCycles = 0;
    double logEnergy = 0;
    for (const std::size_t i : points) {
      logCycles += std::log(cycles[i] / leastCycles[work[i]]);
      logEnergy += std::log(energy[i] / leastEnergy[work[i]]);
    }
    const auto count = static_cast<double>(points.size());
    all.rows.push_back(points.front());
    all.cycles.push_back(std::exp(logCycles / count));
    all.energy.push_back(std::exp(logEnergy / count));
  }
  return all;
}

}  // namespace fermata::platforms
