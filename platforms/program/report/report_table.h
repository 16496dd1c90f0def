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
  std::string unit;  ///< from the schema; empty: none
  std::string description;
  std::vector<std::string> cells;
};

class ReportTable {
 public:
  /// Makes an empty table without a file.
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
  /// Returns a column as numbers; an empty cell is NaN. Throws InputError at a cell that is no
  /// number.
  std::vector<double> numbers(const std::string& column) const;
  /// Returns a column of counts: numbers of at least 0 in every row. Throws InputError otherwise.
  std::vector<double> counts(const std::string& column) const;

  /// Takes units and descriptions from the rows of a schema.csv that name `table`.
  void describe(const ReportTable& schema, const std::string& table);

  /// Returns the file's line of the row.
  SourceLocation where(std::size_t row) const;

 private:
  const ReportColumn* find(const std::string& column) const;

  std::string file_;
  std::vector<ReportColumn> columns_;
  std::vector<std::size_t> lines_;  ///< line in the file, per row
};

/// Returns the number if the whole cell is one: finite, and in the form that Fermata writes.
std::optional<double> numberIn(const std::string& cell);

}  // namespace fermata::platforms
