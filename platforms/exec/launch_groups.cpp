#include <fermata/platforms/exec/launch_groups.h>

#include <fermata/platforms/exec/steady_rate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace fermata::exec {
namespace {

/// Slack of a count, as a share of the warp instructions: a handful of accesses are no difference.
constexpr double kFewOfAll = 0.001;

double distance(std::uint64_t a, std::uint64_t b) {
  return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

bool areEqual(const ExecutedLaunch& a, const ExecutedLaunch& b) {
  const double few = kFewOfAll * static_cast<double>(a.instructions);
  for (std::size_t i = 0; i < a.counts.size(); ++i) {
    const auto larger = static_cast<double>(std::max(a.counts[i], b.counts[i]));
    if (distance(a.counts[i], b.counts[i]) > std::max(kEqualCounts * larger, few)) return false;
  }
  return true;
}

double distance(const ExecutedLaunch& a, const ExecutedLaunch& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.counts.size(); ++i) sum += distance(a.counts[i], b.counts[i]);
  return sum;
}

constexpr std::uint64_t kStrideGrowth = 4;
/// Timed launches that count further after one that does not agree.
constexpr std::ptrdiff_t kKept = 3;

}  // namespace

Spread LaunchGroups::Group::spread(unsigned figure) const {
  Spread spread;
  for (const double rate : figures[figure].rates) spread.add(rate);
  return spread;
}

// The spread between launches, and that within them.
double LaunchGroups::Group::half(unsigned figure, std::uint64_t further) const {
  return std::hypot(spread(figure).half(further), figures[figure].own / static_cast<double>(timed));
}

Estimates LaunchGroups::Group::of(double instructions) const {
  Estimates all;
  for (unsigned i = 0; i < kSampled; ++i)
    all[i] = {spread(i).mean() * instructions, half(i, 1) * instructions};
  return all;
}

bool LaunchGroups::Group::agrees(double cyclesPerInstruction) const {
  const auto& rates = figures[0].rates;
  const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
  return cyclesPerInstruction >= *least * (1 - kSteady) &&
         cyclesPerInstruction <= *most * (1 + kSteady);
}

// Launches since the last timed one may have been like any of them.
void LaunchGroups::Group::disagree(const std::array<double, kSampled>& now) {
  stride = 1;
  for (unsigned i = 0; i < kSampled; ++i) {
    std::vector<double>& rates = figures[i].rates;
    figures[i].linear += std::abs(now[i] - spread(i).mean()) * sinceInstructions;
    if (static_cast<std::ptrdiff_t>(rates.size()) > kKept)
      rates.erase(rates.begin(), rates.end() - kKept);
  }
}

bool LaunchGroups::times(const LaunchShape& shape) const {
  const auto known = ofShape_.find(shape.text);
  if (known == ofShape_.end()) return true;
  const Group& expected = groups_[known->second.front()];
  return expected.timed == 0 || expected.since + 1 >= expected.stride;
}

LaunchGroups::Group& LaunchGroups::groupOf(const ExecutedLaunch& launch) {
  std::vector<unsigned>& known = ofShape_[launch.shape.text];
  auto found = std::find_if(known.begin(), known.end(),
                            [&](unsigned group) { return areEqual(groups_[group].first, launch); });
  if (found == known.end()) {
    found = known.insert(known.begin(), static_cast<unsigned>(groups_.size()));
    groups_.emplace_back().first = launch;
  }
  std::rotate(known.begin(), found, found + 1);
  return groups_[known.front()];
}

unsigned LaunchGroups::addTimed(const ExecutedLaunch& launch, const Estimates& figures) {
  Group& group = groupOf(launch);
  const auto instructions = static_cast<double>(std::max<std::uint64_t>(launch.instructions, 1));
  std::array<double, kSampled> rates{};
  for (unsigned i = 0; i < kSampled; ++i) rates[i] = figures[i].value / instructions;
  if (group.timed > 0) {
    if (group.agrees(rates[0]))
      group.stride *= kStrideGrowth;
    else
      group.disagree(rates);
  }
  ++group.timed;
  group.since = 0;
  group.sinceInstructions = 0;
  for (unsigned i = 0; i < kSampled; ++i) {
    Known& known = group.figures[i];
    known.rates.push_back(rates[i]);
    known.own += figures[i].half / instructions;
    known.squares += figures[i].half * figures[i].half;
  }
  return static_cast<unsigned>(&group - groups_.data());
}

LaunchGroups::Group* LaunchGroups::nearest(const std::vector<unsigned>& shape,
                                           const ExecutedLaunch& launch, const Group* without) {
  Group* found = nullptr;
  double least = std::numeric_limits<double>::max();
  for (const unsigned number : shape) {
    Group& group = groups_[number];
    if (group.timed == 0 || &group == without || distance(group.first, launch) >= least) continue;
    found = &group;
    least = distance(group.first, launch);
  }
  return found;
}

// Returns by which share the groups of a shape miss their nearest ones: twice the root of the mean
// square; kUnknownHalf, if they are few.
double LaunchGroups::missOfNearest(const std::vector<unsigned>& shape, unsigned figure) {
  constexpr unsigned kFew = 3;
  double squares = 0;
  unsigned count = 0;
  for (const unsigned number : shape) {
    const Group& group = groups_[number];
    const double rate = group.spread(figure).mean();
    const Group* const other = nearest(shape, group.first, &group);
    if (group.timed == 0 || other == nullptr || rate == 0) continue;
    const double miss = (other->spread(figure).mean() - rate) / rate;
    squares += miss * miss;
    ++count;
  }
  return count < kFew ? kUnknownHalf : std::max(2 * std::sqrt(squares / count), kLeastHalf);
}

Estimates LaunchGroups::ofNearest(const ExecutedLaunch& launch) {
  const std::vector<unsigned>& shape = ofShape_.at(launch.shape.text);
  Group* const group = nearest(shape, launch, nullptr);
  if (group == nullptr) throw std::logic_error("no launch of this shape was timed");
  Estimates figures = group->of(static_cast<double>(launch.instructions));
  for (unsigned i = 0; i < kSampled; ++i) {
    figures[i].half = missOfNearest(shape, i) * figures[i].value;
    group->figures[i].linear += figures[i].half;
  }
  return figures;
}

LaunchGroups::Placed LaunchGroups::addExecuted(const ExecutedLaunch& launch) {
  Group& group = groupOf(launch);
  const auto number = static_cast<unsigned>(&group - groups_.data());
  if (group.timed == 0) return {number, ofNearest(launch)};
  const auto instructions = static_cast<double>(launch.instructions);
  ++group.since;
  ++group.estimated;
  group.sinceInstructions += instructions;
  group.estimatedInstructions += instructions;
  return {number, group.of(instructions)};
}

std::array<double, kSampled> LaunchGroups::halves(const std::string& kernel) const {
  std::array<double, kSampled> halves{};
  for (unsigned i = 0; i < kSampled; ++i) {
    double squares = 0;
    for (const Group& group : groups_) {
      if (group.first.shape.kernel != kernel) continue;
      double together = group.figures[i].linear;
      if (group.estimated > 0)
        together += group.half(i, group.estimated) * group.estimatedInstructions;
      squares += group.figures[i].squares + together * together;
    }
    halves[i] = std::sqrt(squares);
  }
  return halves;
}

}  // namespace fermata::exec
