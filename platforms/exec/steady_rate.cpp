#include <fermata/platforms/exec/steady_rate.h>

#include <algorithm>
#include <cmath>

namespace fermata::exec {

// Figures per warp instruction from the end of wave `from` to the end of wave `to`, counted from 0.
double SteadyRate::rate(Sampled figure, std::size_t from, std::size_t to) const {
  const auto at = static_cast<unsigned>(figure);
  const WorkMark &first = marks_[from], &last = marks_[to];
  const std::uint64_t instructions = last.instructions - first.instructions;
  if (instructions == 0) return 0;
  return static_cast<double>(last.figures[at] - first.figures[at]) /
         static_cast<double>(instructions);
}

double SteadyRate::drift(Sampled figure) const {
  const std::size_t middle = last() - window();
  return std::abs(rate(figure, middle, last()) - rate(figure, middle - window(), middle));
}

bool SteadyRate::isSteady() const {
  if (marks_.size() < kLeastWaves) return false;
  return drift(Sampled::Cycles) <= kSteady * rate(Sampled::Cycles, last() - 2 * window(), last());
}

Estimate SteadyRate::of(Sampled figure, double instructions) const {
  const std::size_t first = last() - 2 * window();
  Spread waves;
  for (std::size_t wave = first; wave < last(); ++wave) waves.add(rate(figure, wave, wave + 1));
  const auto measured =
      static_cast<double>(marks_[last()].instructions - marks_[first].instructions);
  const double perWave = measured / static_cast<double>(2 * window());
  const auto further = static_cast<std::size_t>(std::ceil(instructions / perWave));
  return {rate(figure, first, last()) * instructions,
          std::max(waves.half(further), drift(figure)) * instructions};
}

Estimates SteadyRate::of(std::uint64_t instructions) const {
  const auto count = static_cast<double>(instructions);
  return {of(Sampled::Cycles, count), of(Sampled::SharedAccesses, count),
          of(Sampled::ConflictCycles, count)};
}

}  // namespace fermata::exec
