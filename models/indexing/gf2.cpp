#include <fermata/models/indexing/gf2.h>

#include <stdexcept>

namespace fermata::indexing::gf2 {
namespace {

bool odd(std::uint32_t bits) {
  bits ^= bits >> 16;
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  return (0x6996U >> (bits & 15U) & 1U) != 0;
}

}  // namespace

std::uint32_t columnMask(unsigned columns) {
  return columns >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << columns) - 1;
}

Matrix identity(unsigned size) {
  Matrix result{size, {}};
  for (unsigned i = 0; i < size; ++i) result.rows.push_back(std::uint32_t{1} << i);
  return result;
}

std::uint32_t multiply(const Matrix& matrix, std::uint32_t vector) {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i)
    result |= static_cast<std::uint32_t>(odd(matrix.rows[i] & vector)) << i;
  return result;
}

Matrix multiply(const Matrix& left, const Matrix& right) {
  if (left.columns != right.rows.size())
    throw std::invalid_argument(
        "gf2: the columns of the left matrix are not the rows of the right");
  Matrix result{right.columns, {}};
  for (const std::uint32_t row : left.rows) {
    std::uint32_t sum = 0;
    for (std::size_t j = 0; j < right.rows.size(); ++j) {
      if ((row >> j & 1U) != 0) sum ^= right.rows[j];
    }
    result.rows.push_back(sum);
  }
  return result;
}

Echelon echelon(const Matrix& matrix) {
  std::vector<std::uint32_t> rows = matrix.rows;
  Echelon result;
  std::size_t done = 0;
  for (unsigned column = 0; column < matrix.columns && done < rows.size(); ++column) {
    const std::uint32_t bit = std::uint32_t{1} << column;
    std::size_t pivot = done;
    while (pivot < rows.size() && (rows[pivot] & bit) == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[pivot], rows[done]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i != done && (rows[i] & bit) != 0) rows[i] ^= rows[done];
    }
    result.pivots.push_back(column);
    result.pivotMask |= bit;
    ++done;
  }
  rows.resize(done);
  result.rows = std::move(rows);
  return result;
}

unsigned rank(const Matrix& matrix) {
  return static_cast<unsigned>(echelon(matrix).pivots.size());
}

std::optional<std::size_t> firstDependentRow(const Matrix& matrix) {
  Matrix prefix{matrix.columns, {}};
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    prefix.rows.push_back(matrix.rows[i]);
    if (rank(prefix) != i + 1) return i;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> nullSpace(const Matrix& matrix) {
  const Echelon form = echelon(matrix);
  std::vector<std::uint32_t> basis;
  for (unsigned column = 0; column < matrix.columns; ++column) {
    const std::uint32_t bit = std::uint32_t{1} << column;
    if ((form.pivotMask & bit) != 0) continue;
    std::uint32_t vector = bit;
    for (std::size_t i = 0; i < form.rows.size(); ++i) {
      if ((form.rows[i] & bit) != 0) vector |= std::uint32_t{1} << form.pivots[i];
    }
    basis.push_back(vector);
  }
  return basis;
}

std::optional<Matrix> inverse(const Matrix& matrix) {
  const unsigned size = matrix.columns;
  if (matrix.rows.size() != size) return std::nullopt;
  std::vector<std::uint32_t> rows = matrix.rows;
  Matrix result = identity(size);
  for (unsigned column = 0; column < size; ++column) {
    const std::uint32_t bit = std::uint32_t{1} << column;
    unsigned pivot = column;
    while (pivot < size && (rows[pivot] & bit) == 0) ++pivot;
    if (pivot == size) return std::nullopt;
    std::swap(rows[pivot], rows[column]);
    std::swap(result.rows[pivot], result.rows[column]);
    for (unsigned i = 0; i < size; ++i) {
      if (i == column || (rows[i] & bit) == 0) continue;
      rows[i] ^= rows[column];
      result.rows[i] ^= result.rows[column];
    }
  }
  return result;
}

}  // namespace fermata::indexing::gf2
