// References of kernels that take a row at a time.
#include <algorithm>
#include <cmath>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {

Bytes softmaxRows(const ReferenceInput& input) {
  const std::size_t rows = input.parameter("rows", 1, 1 << 16);
  const std::size_t columns = input.parameter("columns", 1, 1 << 16);
  auto numbers = input.elements<float>("in", rows * columns);
  for (auto row = numbers.begin(); row != numbers.end();) {
    const auto end = row + static_cast<std::ptrdiff_t>(columns);
    const double largest = *std::max_element(row, end);
    double sum = 0;
    for (auto at = row; at != end; ++at) sum += std::exp(*at - largest);
    for (; row != end; ++row) *row = static_cast<float>(std::exp(*row - largest) / sum);
  }
  return bytesOf(numbers);
}

Bytes normalisedRows(const ReferenceInput& input) {
  constexpr double kSmall = 1e-5;  // equals layernorm.cu's
  const std::size_t rows = input.parameter("rows", 1, 1 << 16);
  const std::size_t columns = input.parameter("columns", 1, 1 << 16);
  auto numbers = input.elements<float>("in", rows * columns);
  const auto gamma = input.elements<float>("gamma", columns);
  const auto beta = input.elements<float>("beta", columns);
  for (std::size_t first = 0; first < numbers.size(); first += columns) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += double{numbers[first + i]};
    const double mean = sum / static_cast<double>(columns);
    for (std::size_t i = 0; i < columns; ++i) {
      const double off = double{numbers[first + i]} - mean;
      squares += off * off;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(columns) + kSmall);
    for (std::size_t i = 0; i < columns; ++i) {
      float& number = numbers[first + i];
      number = static_cast<float>((double{number} - mean) / deviation * double{gamma[i]} +
                                  double{beta[i]});
    }
  }
  return bytesOf(numbers);
}

}  // namespace fermata::cuda
