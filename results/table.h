// A small table for a person at a terminal: aligned columns, two spaces between them.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace fermata::results {

enum class Align : std::uint8_t { Left, Right };

struct TableColumn {
  std::string heading;
  Align align = Align::Right;
};

/// Collects rows, then prints them as wide as they need. Text is UTF-8; a code point counts as one
/// place.
class Table {
 public:
  explicit Table(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

  /// Adds a row. Throws std::invalid_argument unless it has one cell per column.
  void row(std::vector<std::string> cells);
  /// Prints the table, with a line of dashes under the headings and no spaces at the end of a line.
  void print(std::ostream& out) const;

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Returns 1234567 as "1,234,567".
std::string grouped(std::uint64_t value);
/// Returns the value with `digits` digits after the point.
std::string fixed(double value, int digits);

}  // namespace fermata::results
