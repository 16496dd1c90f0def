// The product of two matrices that lie by columns, on the host.
#pragma once

#include <cstddef>
#include <vector>

namespace fermata::cudart {

/// Returns the matrix with rows and columns exchanged.
std::vector<double> transposed(const std::vector<double>& matrix, std::size_t rows,
                               std::size_t columns);
/// Returns the m * n products of the rows of `a` (m * k) and the columns of `b` (k * n). Each is
/// summed in the order of k, in doubles.
std::vector<double> productOf(const std::vector<double>& a, const std::vector<double>& b,
                              std::size_t m, std::size_t n, std::size_t k);

}  // namespace fermata::cudart
