// The product of two matrices that lie by columns, on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata::cudart {

/// Returns the matrix with rows and columns exchanged.
std::vector<double> transposed(const std::vector<double>& matrix, std::size_t rows,
                               std::size_t columns);
/// How products are summed: in the order of k, in doubles, which are rounded after each `steps`
/// products. A tensor unit rounds after an instruction, arithmetic of floats after each product.
struct ProductSums {
  enum class Rounded : std::uint8_t { Never, ToFloat, ToHalf };
  Rounded rounded = Rounded::Never;
  std::size_t steps = 1;
};

/// Returns the m * n products of the rows of `a` (m * k) and the columns of `b` (k * n).
std::vector<double> productOf(const std::vector<double>& a, const std::vector<double>& b,
                              std::size_t m, std::size_t n, std::size_t k, ProductSums sums = {});

}  // namespace fermata::cudart
