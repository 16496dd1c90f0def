// A row of a result table: what stands in its columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fermata/results/columns.h>

namespace fermata::results {

/// std::monostate: an empty cell, for a figure that is not defined in this row.
using Cell = std::variant<std::monostate, std::uint64_t, double, std::string>;

/// As a CSV file shows it; numbers read back to the same value.
std::string text(const Cell& cell);

class Row {
 public:
  /// Throws std::logic_error unless there is one cell a column, each empty or of its type.
  Row(Columns columns, std::vector<Cell> cells);

  const Columns& columns() const { return columns_; }
  const std::vector<Cell>& cells() const { return cells_; }

  /// A cell by the name of its column; throws std::logic_error when there is no such column, so
  /// that a wrong name cannot pass for a figure that is not defined.
  const Cell& cell(std::string_view column) const;
  /// What is in it, nothing where it is empty; throws when the column is of another type, too.
  std::optional<std::uint64_t> integer(std::string_view column) const;
  std::optional<double> real(std::string_view column) const;
  std::optional<std::string> text(std::string_view column) const;

 private:
  template <class T>
  std::optional<T> get(std::string_view column, ColumnType type) const;

  Columns columns_;
  std::vector<Cell> cells_;
};

}  // namespace fermata::results
