// Matrices over GF(2), the two-element field: addition is XOR, multiplication is AND.
//
// A row is a mask of at most 32 columns; column 0 is the lowest bit. A row picks the address bits
// whose XOR is one output bit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fermata::indexing::gf2 {

struct Matrix {
  unsigned columns = 0;  ///< 0 to 32
  std::vector<std::uint32_t>
      rows;  ///< rows[i]: mask of the columns in row i; bits from `columns` up are 0
};

/// Returns the mask of all columns of an n-column matrix; n is 0 to 32.
std::uint32_t columnMask(unsigned columns);

Matrix identity(unsigned size);

/// Returns the product; its bit i is row i times the vector. At most 32 rows.
std::uint32_t multiply(const Matrix& matrix, std::uint32_t vector);
/// Returns left * right. Throws std::invalid_argument unless left.columns == right.rows.size().
Matrix multiply(const Matrix& left, const Matrix& right);

/// Reduced row-echelon form; columns are eliminated from 0 upwards.
struct Echelon {
  std::vector<std::uint32_t>
      rows;  ///< the independent rows, reduced; rows[i] has its pivot in pivots[i]
  std::vector<unsigned> pivots;  ///< rising
  std::uint32_t pivotMask = 0;
};
Echelon echelon(const Matrix& matrix);

unsigned rank(const Matrix& matrix);
/// Returns the first row that is a sum of rows before it.
std::optional<std::size_t> firstDependentRow(const Matrix& matrix);
/// Returns a basis of the vectors that the matrix takes to zero: one vector per column without a
/// pivot, in rising order.
std::vector<std::uint32_t> nullSpace(const Matrix& matrix);
/// Returns nothing if the matrix is not square or not invertible.
std::optional<Matrix> inverse(const Matrix& matrix);

}  // namespace fermata::indexing::gf2
