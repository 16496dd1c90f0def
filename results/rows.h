// A row of a result table: one cell per column.
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

/// Returns a cell as a CSV file shows it; numbers read back to the same value.
std::string text(const Cell& cell);

class Row {
 public:
  /// Throws std::logic_error unless there is one cell per column, each empty or of the column's
  /// type.
  Row(Columns columns, std::vector<Cell> cells);

  const Columns& columns() const { return columns_; }
  const std::vector<Cell>& cells() const { return cells_; }

  /// Returns the cell of a column. Throws std::logic_error if there is no such column, so that a
  /// wrong name cannot pass for a figure that is not defined.
  const Cell& cell(std::string_view column) const;
  /// Return the value of a cell, nothing if it is empty. Throw also if the column has another type.
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
