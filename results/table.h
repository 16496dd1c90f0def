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
  /// On standard output, where that is a terminal, it fits the terminal.
  void print(std::ostream& out) const;
  /// Prints the table with lines of at most `width` places (0: any). Long texts are cut first, then
  /// the last columns are left out, which a line below says.
  void print(std::ostream& out, std::size_t width) const;
  /// Returns the table as CSV. A column is named by its heading, in small letters with _ for what
  /// is neither letter nor digit; numbers have no commas between their thousands, and none is an
  /// empty cell.
  std::string csv() const;

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Returns 1234567 as "1,234,567".
std::string grouped(std::uint64_t value);
/// Returns the value with `digits` digits after the point.
std::string fixed(double value, int digits);

}  // namespace fermata::results
