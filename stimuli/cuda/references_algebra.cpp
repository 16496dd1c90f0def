#include <algorithm>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

/// Returns f32 elements as doubles.
std::vector<double> doubles(const ReferenceInput& input, std::string_view name, std::size_t count) {
  const auto values = input.elements<float>(name, count);
  return {values.begin(), values.end()};
}

Bytes floatBytes(const std::vector<double>& values) {
  return bytesOf(std::vector<float>(values.begin(), values.end()));
}

}  // namespace

Bytes walshTransform(const ReferenceInput& input) {
  const std::size_t n = std::size_t{1} << input.parameter("log2n", 1, 20);
  auto data = doubles(input, "in", n * input.parameter("vectors"));
  for (std::size_t base = 0; base < data.size(); base += n) {
    for (std::size_t s = 1; s < n; s *= 2) {
      for (std::size_t i = 0; i < n; ++i) {
        if ((i & s) != 0) continue;
        const double a = data[base + i];
        const double b = data[base + i + s];
        data[base + i] = a + b;
        data[base + i + s] = a - b;
      }
    }
  }
  return floatBytes(data);
}

std::vector<double> squareProduct(const std::vector<double>& a, const std::vector<double>& b,
                                  std::size_t n) {
  std::vector<double> c(n * n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a[row * n + k];
      for (std::size_t column = 0; column < n; ++column)
        c[row * n + column] += factor * b[k * n + column];
    }
  }
  return c;
}

Bytes matrixProduct(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 14);
  const auto a = doubles(input, "a", n * n);
  const auto b = doubles(input, "b", n * n);
  return floatBytes(squareProduct(a, b, n));
}

Bytes scalarProducts(const ReferenceInput& input) {
  const std::size_t vectors = input.parameter("vectors");
  const std::size_t n = input.parameter("n");
  const auto a = doubles(input, "a", vectors * n);
  const auto b = doubles(input, "b", vectors * n);
  std::vector<double> out(vectors);
  for (std::size_t i = 0; i < a.size(); ++i) out[i / n] += a[i] * b[i];
  return floatBytes(out);
}

Bytes luFactors(const ReferenceInput& input) {
  const std::size_t n = input.parameter("n", 1, 1 << 13);
  auto m = doubles(input, "matrix", n * n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = m[row * n + k] /= m[k * n + k];
      for (std::size_t column = k + 1; column < n; ++column)
        m[row * n + column] -= factor * m[k * n + column];
    }
  }
  return floatBytes(m);
}

Bytes alignmentScores(const ReferenceInput& input) {
  const std::size_t columns = input.parameter("n", 1, 1 << 14) + 1;
  const auto penalty = static_cast<std::int32_t>(input.parameter("penalty", 0, 1 << 20));
  const auto similarity = input.elements<std::int32_t>("similarity", columns * columns);
  auto scores = input.elements<std::int32_t>("scores", columns * columns);
  for (std::size_t row = 1; row < columns; ++row) {
    for (std::size_t column = 1; column < columns; ++column) {
      const std::size_t i = row * columns + column;
      const std::int32_t gap = std::max(scores[i - 1], scores[i - columns]) - penalty;
      scores[i] = std::max(scores[i - columns - 1] + similarity[i], gap);
    }
  }
  return bytesOf(scores);
}

}  // namespace fermata::cuda
