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

  Matrix(const ReferenceInput& input, std::int64_t least)
      : n(input.parameter("n", least, 1 << 13)), elements(doubles(input, "matrix", n * n)) {}
  double& at(std::size_t row, std::size_t column) { return elements[row * n + column]; }

  /// Factors the square from `corner` to `end` in place.
  void factor(std::size_t corner, std::size_t end) {
    for (std::size_t k = corner; k < end; ++k) {
      for (std::size_t row = k + 1; row < end; ++row) {
        const double factor = at(row, k) /= at(k, k);
        for (std::size_t column = k + 1; column < end; ++column)
          at(row, column) -= factor * at(k, column);
      }
    }
  }
};

/// Returns the scores of the cells that `chosen(row, column)` accepts; both count from 0, beside
/// the border. The rest is as given.
template <class Chosen>
Bytes scores(const ReferenceInput& input, std::int64_t least, Chosen chosen) {
  const std::size_t columns = input.parameter("n", least, 1 << 14) + 1;
  const auto penalty = static_cast<std::int32_t>(input.parameter("penalty", 0, 1 << 20));
  const auto similarity = input.elements<std::int32_t>("similarity", columns * columns);
  auto all = input.elements<std::int32_t>("scores", columns * columns);
  for (std::size_t row = 1; row < columns; ++row) {
    for (std::size_t column = 1; column < columns; ++column) {
      if (!chosen(row - 1, column - 1)) continue;
      const std::size_t i = row * columns + column;
      const std::int32_t gap = std::max(all[i - 1], all[i - columns]) - penalty;
      all[i] = std::max(all[i - columns - 1] + similarity[i], gap);
    }
  }
  return bytesOf(all);
}

/// Returns the scores of the blocks in one triangle: `upper`, where block row + block column < n /
/// 16, or the other one.
Bytes triangleScores(const ReferenceInput& input, bool upper) {
  const std::size_t blocks = input.parameter("n", kBlock, 1 << 14) / kBlock;
  return scores(input, kBlock, [&](std::size_t row, std::size_t column) {
    return (row / kBlock + column / kBlock < blocks) == upper;
  });
}

}  // namespace

Bytes alignmentScores(const ReferenceInput& input) {
  return scores(input, 1, [](std::size_t, std::size_t) { return true; });
}
Bytes alignmentUpper(const ReferenceInput& input) { return triangleScores(input, true); }
Bytes alignmentLower(const ReferenceInput& input) { return triangleScores(input, false); }

Bytes luFactors(const ReferenceInput& input) {
  Matrix m(input, 1);
  m.factor(0, m.n);
  return floatBytes(m.elements);
}

Bytes luDiagonalBlocks(const ReferenceInput& input) {
  Matrix m(input, kBlock);
  for (std::size_t corner = 0; corner + kBlock <= m.n; corner += kBlock)
    m.factor(corner, corner + kBlock);
  return floatBytes(m.elements);
}

// Solves L X = A right of the diagonal block L U, and X U = A below it.
Bytes luPerimeter(const ReferenceInput& input) {
  Matrix m(input, kBlock);
  for (std::size_t line = kBlock; line < m.n; ++line) {
    for (std::size_t k = 0; k < kBlock; ++k) {
      for (std::size_t j = 0; j < k; ++j) {
        m.at(k, line) -= m.at(k, j) * m.at(j, line);
        m.at(line, k) -= m.at(line, j) * m.at(j, k);
      }
      m.at(line, k) /= m.at(k, k);
    }
  }
  return floatBytes(m.elements);
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
