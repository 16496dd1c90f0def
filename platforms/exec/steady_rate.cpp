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

// Difference of the two windows that end with wave `last`.
double SteadyRate::drift(Sampled figure, std::size_t last) const {
  const std::size_t length = window(last), middle = last - length;
  return std::abs(rate(figure, middle, last) - rate(figure, middle - length, middle));
}

bool SteadyRate::agree(std::size_t last) const {
  return drift(Sampled::Cycles, last) <=
         kSteady * rate(Sampled::Cycles, last - 2 * window(last), last);
}

bool SteadyRate::isSteady() const {
  return marks_.size() > kLeastWaves + 1 && agree(last() - 1) && agree(last());
}

Estimate SteadyRate::of(Sampled figure, double instructions) const {
  const std::size_t waves = 2 * window(last()), first = last() - waves;
  Spread rates;
  for (std::size_t wave = first; wave < last(); ++wave) rates.add(rate(figure, wave, wave + 1));
  const auto measured =
      static_cast<double>(marks_[last()].instructions - marks_[first].instructions);
  const double further = std::ceil(instructions / (measured / static_cast<double>(waves)));
  const double mean = rate(figure, first, last());
  const double half = std::max(
      {rates.half(static_cast<std::size_t>(further)), drift(figure, last()), kSlowChange * mean});
  return {mean * instructions, half * instructions};
}

Estimates SteadyRate::of(std::uint64_t instructions) const {
  const auto count = static_cast<double>(instructions);
  return {of(Sampled::Cycles, count), of(Sampled::SharedAccesses, count),
          of(Sampled::ConflictCycles, count)};
}

}  // namespace fermata::exec
