// Cells of the program's tables; no cell has a comma.
#pragma once

#include "tests/support/program.h"

namespace fermata::test {

inline std::vector<std::string> cellsOf(const std::string& line, char separator = ',') {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == separator)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// Returns the values of a column, in the order of the rows.
inline std::vector<std::string> column(const std::string& csv, const std::string& name) {
  const std::vector<std::string> lines = linesOf(csv);
  BOOST_TEST_REQUIRE(!lines.empty());
  const auto names = cellsOf(lines[0]);
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  BOOST_TEST_REQUIRE(at < static_cast<std::ptrdiff_t>(names.size()), name << " is no column");
  std::vector<std::string> values;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    values.push_back(cellsOf(lines[i]).at(static_cast<std::size_t>(at)));
  }
  return values;
}

}  // namespace fermata::test
