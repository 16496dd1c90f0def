#include <algorithm>
#include <cmath>

#include <fermata/stimuli/cuda/reference_functions.h>

namespace fermata::cuda {
namespace {

constexpr std::size_t kBlock = 16;

/// A square matrix of f32, held in double.
struct Matrix {
  std::size_t n;
  std::vector<double> elements;

  explicit Matrix(const ReferenceInput& input) : n(input.parameter("n", kBlock, 1 << 13)) {
    const auto values = input.elements<float>("matrix", n * n);
    elements.assign(values.begin(), values.end());
  }
  double& at(std::size_t row, std::size_t column) { return elements[row * n + column]; }
  Bytes bytes() const { return bytesOf(std::vector<float>(elements.begin(), elements.end())); }
};

/// Returns the scores of the blocks in one triangle: `upper`, where block row + block column < n /
/// 16, or the other one. The rest is as given.
Bytes triangleScores(const ReferenceInput& input, bool upper) {
  const std::size_t n = input.parameter("n", kBlock, 1 << 14);
  const std::size_t columns = n + 1;
  const auto penalty = static_cast<std::int32_t>(input.parameter("penalty", 0, 1 << 20));
  const auto similarity = input.elements<std::int32_t>("similarity", columns * columns);
  auto scores = input.elements<std::int32_t>("scores", columns * columns);
  for (std::size_t row = 1; row < columns; ++row) {
    for (std::size_t column = 1; column < columns; ++column) {
      const bool isUpper = (row - 1) / kBlock + (column - 1) / kBlock < n / kBlock;
      if (isUpper != upper) continue;
      const std::size_t i = row * columns + column;
      const std::int32_t gap = std::max(scores[i - 1], scores[i - columns]) - penalty;
      scores[i] = std::max(scores[i - columns - 1] + similarity[i], gap);
    }
  }
  return bytesOf(scores);
}

}  // namespace

Bytes alignmentUpper(const ReferenceInput& input) {
  return triangleScores(input, true);
}
Bytes alignmentLower(const ReferenceInput& input) {
  return triangleScores(input, false);
}

Bytes luDiagonalBlocks(const ReferenceInput& input) {
  Matrix m(input);
  for (std::size_t corner = 0; corner + kBlock <= m.n; corner += kBlock) {
    const std::size_t end = corner + kBlock;
    for (std::size_t k = corner; k < end; ++k) {
      for (std::size_t row = k + 1; row < end; ++row) {
        const double factor = m.at(row, k) /= m.at(k, k);
        for (std::size_t column = k + 1; column < end; ++column)
          m.at(row, column) -= factor * m.at(k, column);
      }
    }
  }
  return m.bytes();
}

// Solves L X = A right of the diagonal block L U, and X U = A below it.
Bytes luPerimeter(const ReferenceInput& input) {
  Matrix m(input);
  for (std::size_t line = kBlock; line < m.n; ++line) {
    for (std::size_t k = 0; k < kBlock; ++k) {
      for (std::size_t j = 0; j < k; ++j) {
        m.at(k, line) -= m.at(k, j) * m.at(j, line);
        m.at(line, k) -= m.at(line, j) * m.at(j, k);
      }
      m.at(line, k) /= m.at(k, k);
    }
  }
  return m.bytes();
}

Bytes particleForces(const ReferenceInput& input) {
  constexpr double kAlpha2 = 0.5;
  const std::size_t nx = input.parameter("x", 1, 64);
  const std::size_t ny = input.parameter("y", 1, 64);
  const std::size_t boxes = nx * ny * input.parameter("z", 1, 64);
  const std::size_t count = input.parameter("particles", 1, 1024);
  const auto particles = input.elements<double>("particles", boxes * count * 4);
  const auto charges = input.elements<double>("charges", boxes * count);
  const auto near = [](std::size_t a, std::size_t b) { return a <= b + 1 && b <= a + 1; };
  const auto neighbours = [&](std::size_t a, std::size_t b) {
    return near(a % nx, b % nx) && near(a / nx % ny, b / nx % ny) && near(a / nx / ny, b / nx / ny);
  };
  std::vector<double> sums(particles.size());
  for (std::size_t i = 0; i < boxes * count; ++i) {
    for (std::size_t j = 0; j < boxes * count; ++j) {
      if (!neighbours(i / count, j / count)) continue;
      const double* own = &particles[4 * i];
      const double* other = &particles[4 * j];
      double r2 = own[0] + other[0];
      for (int axis = 1; axis < 4; ++axis) r2 -= own[axis] * other[axis];
      const double potential = charges[j] * std::exp(-kAlpha2 * r2);
      sums[4 * i] += potential;
      for (std::size_t axis = 1; axis < 4; ++axis)
        sums[4 * i + axis] += 2 * potential * (own[axis] - other[axis]);
    }
  }
  return bytesOf(sums);
}

}  // namespace fermata::cuda
