#include <algorithm>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

/// A square of numbers; a number at the edge is its own neighbour.
struct Square {
  std::size_t n;
  std::vector<double> values;

  Square(const ReferenceInput& input, std::string_view name)
      : n(input.parameter("n", 1, 1 << 14)), values(doubles(input, name, n * n)) {}
  Square(std::size_t side, std::vector<double> numbers) : n(side), values(std::move(numbers)) {}

  double at(std::size_t row, std::size_t column) const { return values[row * n + column]; }
  double north(std::size_t row, std::size_t column) const {
    return at(row > 0 ? row - 1 : 0, column);
  }
  double south(std::size_t row, std::size_t column) const {
    return at(std::min(row + 1, n - 1), column);
  }
  double west(std::size_t row, std::size_t column) const {
    return at(row, column > 0 ? column - 1 : 0);
  }
  double east(std::size_t row, std::size_t column) const {
    return at(row, std::min(column + 1, n - 1));
  }
};

/// Returns the temperatures after one step, with the factors of hotspot.toml.
Square warm(const Square& old, const Square& power) {
  Square next = old;
  for (std::size_t row = 0; row < old.n; ++row) {
    for (std::size_t column = 0; column < old.n; ++column) {
      const double t = old.at(row, column);
      const double flow =
          power.at(row, column) + (old.south(row, column) + old.north(row, column) - 2 * t) * 0.15 +
          (old.east(row, column) + old.west(row, column) - 2 * t) * 0.1 + (80 - t) * 0.01;
      next.values[row * old.n + column] = t + 0.5 * flow;
    }
  }
  return next;
}

/// Returns the picture after one step of diffusion, with the speckle and the rate of srad.toml.
Square diffuse(const Square& old) {
  constexpr double kSpeckle = 0.05;
  constexpr double kRate = 0.5;
  Square freedom = old;
  for (std::size_t row = 0; row < old.n; ++row) {
    for (std::size_t column = 0; column < old.n; ++column) {
      const double here = old.at(row, column);
      double sum = 0;
      double squares = 0;
      for (const double other : {old.north(row, column), old.south(row, column),
                                 old.west(row, column), old.east(row, column)}) {
        sum += (other - here) / here;
        squares += (other - here) * (other - here) / (here * here);
      }
      const double scale = 1 + 0.25 * sum;
      const double variation = (0.5 * squares - sum * sum / 16) / (scale * scale);
      const double free = 1 / (1 + (variation - kSpeckle) / (kSpeckle * (1 + kSpeckle)));
      freedom.values[row * old.n + column] = std::clamp(free, 0.0, 1.0);
    }
  }
  Square next = old;
  for (std::size_t row = 0; row < old.n; ++row) {
    for (std::size_t column = 0; column < old.n; ++column) {
      const double here = old.at(row, column);
      const double own = freedom.at(row, column);
      const double divergence = own * (old.north(row, column) - here) +
                                own * (old.west(row, column) - here) +
                                freedom.south(row, column) * (old.south(row, column) - here) +
                                freedom.east(row, column) * (old.east(row, column) - here);
      next.values[row * old.n + column] = here + 0.25 * kRate * divergence;
    }
  }
  return next;
}

}  // namespace

Bytes chipTemperatures(const ReferenceInput& input) {
  const Square power(input, "power");
  const std::size_t steps = input.parameter("steps", 1, 1 << 20);
  const std::size_t pyramid = input.parameter("pyramid", 1, 7);
  const std::size_t cells = power.n * power.n;
  // The buffer has two halves: each launch reads one and fills the other.
  std::vector<double> halves = doubles(input, "temperatures", 2 * cells);
  std::size_t from = 0;
  Square now(power.n, {halves.begin(), halves.begin() + static_cast<std::ptrdiff_t>(cells)});
  for (std::size_t first = 0; first < steps; first += pyramid) {
    for (std::size_t k = first; k < std::min(first + pyramid, steps); ++k) now = warm(now, power);
    from = cells - from;
    std::copy(now.values.begin(), now.values.end(),
              halves.begin() + static_cast<std::ptrdiff_t>(from));
  }
  return floatBytes(halves);
}

Bytes diffusedPicture(const ReferenceInput& input) {
  Square picture(input, "picture");
  const std::size_t iterations = input.parameter("iterations", 1, 1 << 20);
  for (std::size_t k = 0; k < iterations; ++k) picture = diffuse(picture);
  return floatBytes(picture.values);
}

}  // namespace fermata::cuda
