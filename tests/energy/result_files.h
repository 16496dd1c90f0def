// Reads the files of `fermata run`.
#pragma once

#include "tests/results/support.h"
#include "tests/support/program.h"

namespace fermata::test {

/// A CSV file with access by column.
class ResultTable {
 public:
  explicit ResultTable(const fs::path& file) : rows_(results::test::parseCsv(readFile(file))) {}

  std::size_t size() const { return rows_.size() - 1; }
  bool has(const std::string& column) const { return find(column) != names().size(); }
  const std::string& cell(std::size_t row, const std::string& column) const {
    const std::size_t at = find(column);
    if (at == names().size()) throw std::runtime_error("no column " + column);
    return rows_.at(row + 1).at(at);
  }
  std::uint64_t integer(std::size_t row, const std::string& column) const {
    const std::string& text = cell(row, column);
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
      throw std::runtime_error(column + " is '" + text + "'");
    return std::stoull(text);
  }
  double real(std::size_t row, const std::string& column) const {
    return std::stod(cell(row, column));
  }
  /// Returns the run that the row belongs to.
  std::string run(std::size_t row) const {
    return cell(row, "workload") + " " + cell(row, "parameters");
  }
  const std::vector<std::string>& names() const { return rows_.at(0); }
  const std::vector<std::string>& row(std::size_t row) const { return rows_.at(row + 1); }

 private:
  std::size_t find(const std::string& column) const {
    return static_cast<std::size_t>(std::find(names().begin(), names().end(), column) -
                                    names().begin());
  }

  results::test::CsvRows rows_;
};

/// Energy in fJ: low, nominal, high.
using Femtojoules = std::array<std::uint64_t, 3>;

inline Femtojoules energyOf(const ResultTable& table, std::size_t row) {
  return {table.integer(row, "energy_low_fj"), table.integer(row, "energy_nominal_fj"),
          table.integer(row, "energy_high_fj")};
}

inline void add(Femtojoules& sum, const Femtojoules& more) {
  for (unsigned i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace fermata::test
