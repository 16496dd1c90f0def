// Two tables that Fermata wrote, beside each other: which rows belong together, and how their
// figures differ.
#pragma once

#include <fermata/platforms/program/report/report_table.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A figure of a pair of rows; an empty cell is no value.
struct FigurePair {
  std::optional<double> a;
  std::optional<double> b;

  /// Returns b - a, where a missing one counts as 0.
  double difference() const { return b.value_or(0) - a.value_or(0); }
  /// Returns the difference in percent of a; empty where a is 0 or missing.
  std::optional<double> percent() const;
  bool differs() const { return a != b; }
};

struct RowPair {
  std::vector<std::string> key;     ///< cells of TableDiff::keys
  std::vector<FigurePair> figures;  ///< of TableDiff::figures
};

/// A column with one value in all of A and another in all of B: what was changed between them.
struct ChangedColumn {
  std::string name;
  std::string a;
  std::string b;
};

struct TableDiff {
  std::vector<ChangedColumn> changed;
  std::vector<std::string> keys;     ///< columns that tell the rows of a table apart
  std::vector<std::string> figures;  ///< columns of numbers in both tables
  std::vector<std::string> units;    ///< of the figures; empty: none
  std::vector<RowPair> pairs;        ///< in the order of A
  std::vector<std::vector<std::string>> onlyA;
  std::vector<std::vector<std::string>> onlyB;

  /// Returns the place of a figure; empty: one of the tables lacks it.
  std::optional<std::size_t> figure(const std::string& name) const;
  /// Returns the figure of a pair; no values where the tables lack it.
  FigurePair of(const RowPair& pair, const std::string& figure) const;
  /// Puts the pairs with the greatest differences of the figure, in absolute terms, first.
  void sortBy(const std::string& figure);
};

/// Pairs the rows of `a` and `b` by the columns of `identity` that both have, except those that
/// were changed between them. Rows of one table with equal keys are summed up in `sums` and other
/// numbers of them are dropped; `sums` empty: they pair in their order.
TableDiff diffOf(const ReportTable& a, const ReportTable& b,
                 const std::vector<std::string>& identity,
                 const std::vector<std::string>& sums = {});

}  // namespace fermata::platforms
