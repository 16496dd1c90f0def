// A CSV table that Fermata wrote, in memory, by columns.
#pragma once

#include <fermata/stimuli/input_error.h>

#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

struct ReportColumn {
  std::string name;
  std::string unit;  ///< of the schema; empty: none
  std::string description;
  std::vector<std::string> cells;
};

class ReportTable {
 public:
  /// An empty one, of no file.
  ReportTable() = default;
  /// Throws InputError: "file:line: what; expected ...".
  static ReportTable read(const std::string& file);
  static ReportTable read(std::unique_ptr<std::istream> in, const std::string& file);

  const std::string& file() const { return file_; }
  std::size_t rows() const { return lines_.size(); }
  const std::vector<ReportColumn>& columns() const { return columns_; }
  bool has(const std::string& column) const { return find(column) != nullptr; }
  /// Throws InputError where there is no such column.
  const std::vector<std::string>& texts(const std::string& column) const;
  /// The same as numbers; an empty cell is NaN. Throws InputError at a cell that is no number.
  std::vector<double> numbers(const std::string& column) const;
  /// Numbers that are 0 or more, in every row: counts.
  std::vector<double> counts(const std::string& column) const;

  /// Takes units and descriptions from a schema.csv: those of the rows that name `table`.
  void describe(const ReportTable& schema, const std::string& table);

  /// Throws InputError at the row.
  [[noreturn]] void fail(std::size_t row, const std::string& what) const;

 private:
  const ReportColumn* find(const std::string& column) const;

  std::string file_;
  std::vector<ReportColumn> columns_;
  std::vector<std::size_t> lines_;  ///< of the file, by row
};

/// A number as a whole cell: finite, in the form that Fermata writes.
std::optional<double> numberIn(const std::string& cell);

}  // namespace fermata::platforms
