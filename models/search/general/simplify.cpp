#include <fermata/models/search/general/simplify.h>

#include <algorithm>

#include <fermata/models/search/general/basis.h>

namespace fermata::search::general {
namespace {

namespace gf2 = indexing::gf2;

/// Replaces row `out` by the first lighter row that keeps the conflicts.
bool replaceRow(const ReducedProblem& problem, SplitCount& split, gf2::Matrix& bank,
                std::size_t out, std::uint64_t conflicts, const std::vector<std::uint32_t>& rows,
                const Effort& effort) {
  const int width = __builtin_popcount(bank.rows[out]);
  gf2::Matrix changed = bank;
  std::swap(changed.rows[out], changed.rows.back());
  split.clear();
  for (std::size_t i = 0; i + 1 < changed.rows.size(); ++i) split.push(changed.rows[i]);
  for (const std::uint32_t row : rows) {
    if (__builtin_popcount(row) >= width || effort.spent()) return false;
    if (split.with(row, conflicts) > conflicts) continue;
    changed.rows.back() = row;
    if (!independentOnDifferences(problem, changed)) continue;
    bank = cheapestBasis(problem, changed.rows);
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint32_t> lightRows(unsigned addressBits) {
  std::vector<std::uint32_t> rows;
  for (unsigned a = 0; a < addressBits; ++a) {
    const std::uint32_t one = std::uint32_t{1} << a;
    rows.push_back(one);
    for (unsigned b = a + 1; b < addressBits; ++b) {
      const std::uint32_t two = one | std::uint32_t{1} << b;
      rows.push_back(two);
      for (unsigned c = b + 1; c < addressBits; ++c) rows.push_back(two | std::uint32_t{1} << c);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](std::uint32_t a, std::uint32_t b) {
    return __builtin_popcount(a) < __builtin_popcount(b);
  });
  return rows;
}

gf2::Matrix simplify(const ReducedProblem& problem, SplitCount& split, gf2::Matrix bank,
                     std::uint64_t conflicts, const Effort& effort) {
  const std::vector<std::uint32_t> rows = lightRows(problem.addressBits);
  bool changed = true;
  while (changed && !effort.spent()) {
    changed = false;
    for (std::size_t i = 0; i < bank.rows.size() && !changed; ++i) {
      changed = replaceRow(problem, split, bank, i, conflicts, rows, effort);
    }
  }
  return bank;
}

}  // namespace fermata::search::general
