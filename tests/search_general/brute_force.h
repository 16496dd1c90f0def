// All mappings of a small memory, enumerated and evaluated independently of models/search.
#pragma once

#include "tests/search/support.h"

namespace fermata::search::test {

/// True if the rows are linearly independent: no sum of some of them is zero.
inline bool independent(const Rows& rows) {
  for (std::uint32_t pick = 1; pick < std::uint32_t{1} << rows.size(); ++pick) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum ^= (pick >> i & 1U) != 0 ? rows[i] : 0;
    if (sum == 0) return false;
  }
  return true;
}

/// Calls visit(rows) once for every m-dimensional span of GF(2)^n, with reduced echelon rows: the
/// leading column of each row is above that of the row before and zero in all other rows.
template <typename Visit>
void forEachSpan(unsigned n, unsigned m, const Visit& visit) {
  std::vector<unsigned> lead;
  Rows rows;
  const std::function<void(std::size_t)> fillRow = [&](std::size_t row) {
    if (row == m) return visit(rows);
    std::vector<unsigned> free;
    for (unsigned column = 0; column < lead[row]; ++column) {
      if (std::find(lead.begin(), lead.end(), column) == lead.end()) free.push_back(column);
    }
    for (std::uint32_t value = 0; value < std::uint32_t{1} << free.size(); ++value) {
      rows[row] = std::uint32_t{1} << lead[row];
      for (std::size_t i = 0; i < free.size(); ++i) rows[row] |= (value >> i & 1U) << free[i];
      fillRow(row + 1);
    }
  };
  const std::function<void(unsigned)> chooseLeads = [&](unsigned first) {
    if (lead.size() == m) {
      rows.assign(m, 0);
      return fillRow(0);
    }
    for (unsigned column = first; column < n; ++column) {
      lead.push_back(column);
      chooseLeads(column + 1);
      lead.pop_back();
    }
  };
  chooseLeads(0);
}

/// Returns the fewest conflicts that any full-rank m x n matrix leaves.
inline std::uint64_t fewestConflicts(const AccessSets& sets, unsigned n, unsigned m) {
  std::uint64_t best = ~std::uint64_t{0};
  std::vector<std::uint8_t> bank(std::size_t{1} << n);
  std::vector<std::uint32_t> load(std::size_t{1} << m);
  forEachSpan(n, m, [&](const Rows& rows) {
    for (std::uint32_t word = 0; word < bank.size(); ++word) {
      bank[word] = static_cast<std::uint8_t>(
          word == 0 ? 0 : bank[word & (word - 1)] ^ bankOf(rows, word & ~(word - 1)));
    }
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < sets.size() && sum < best; ++i) {
      std::fill(load.begin(), load.end(), 0);
      std::uint32_t most = 1;
      for (const std::uint32_t word : sets.words(i)) most = std::max(most, ++load[bank[word]]);
      sum += sets.weight(i) * (most - 1);
    }
    best = std::min(best, sum);
  });
  return best;
}

}  // namespace fermata::search::test
