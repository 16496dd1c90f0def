// Rows for other programs on standard output: --csv and --json of the commands that print a table.
#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

#include <fermata/results/table.h>

namespace fermata::platforms {

struct RowOutput {
  bool csv = false;
  bool json = false;

  /// Returns whether rows are printed in the place of what a person reads.
  bool isAsked() const { return csv || json; }
  /// Prints rows that were asked for. `rows` is CSV with a header.
  void print(const std::string& rows, std::ostream& out) const;
  /// Prints a table: as rows if they were asked for, otherwise for a person.
  void print(const results::Table& table, std::ostream& out) const;
};

/// Adds the options. `columns` says what is printed.
void addRowOutput(CLI::App& command, RowOutput& output, const std::string& columns = "the table");

/// Returns CSV as JSON: an array with one object per row, in the order of the columns. A column
/// whose cells are all numbers has numbers; an empty cell of it is null.
/// Text without a header gives an empty array.
///   name,cycles
///   nw,12         ->  [{"name": "nw", "cycles": 12}]
std::string jsonOfCsv(const std::string& csv);

}  // namespace fermata::platforms
