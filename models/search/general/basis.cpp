#include <fermata/models/search/general/basis.h>

#include <algorithm>

namespace fermata::search::general {
namespace {

namespace gf2 = indexing::gf2;

/// log2 of the number of sums of silent masks that are tried on a vector.
constexpr std::size_t kSilentBits = 8;

unsigned ones(std::uint32_t bits) {
  return static_cast<unsigned>(__builtin_popcount(bits));
}

bool cheaper(std::uint32_t a, std::uint32_t b) {
  return ones(a) != ones(b) ? ones(a) < ones(b) : a < b;
}

/// Returns the silent masks that can shorten another: not single bits that nothing else uses.
std::vector<std::uint32_t> usefulSilent(const ReducedProblem& problem) {
  const gf2::Echelon form = gf2::echelon({problem.addressBits, problem.silent});
  std::vector<std::uint32_t> result;
  for (const std::uint32_t mask : form.rows) {
    if (ones(mask) > 1 && result.size() < kSilentBits) result.push_back(mask);
  }
  return result;
}

/// Returns the cheapest of mask + span(silent), by Gray code.
std::uint32_t shortest(std::uint32_t mask, const std::vector<std::uint32_t>& silent) {
  std::uint32_t best = mask;
  for (std::uint32_t i = 1; i < std::uint32_t{1} << silent.size(); ++i) {
    mask ^= silent[static_cast<unsigned>(__builtin_ctz(i))];
    if (cheaper(mask, best)) best = mask;
  }
  return best;
}

std::uint32_t onDifferences(const ReducedProblem& problem, std::uint32_t mask) {
  return gf2::multiply({problem.addressBits, problem.differences}, mask);
}

/// Returns greedily chosen rows: vectors of the span by rising cost. Exact, since independent sets
/// form a matroid.
std::vector<std::uint32_t> greedyRows(const ReducedProblem& problem,
                                      const std::vector<std::uint32_t>& rows) {
  const std::vector<std::uint32_t> silent = usefulSilent(problem);
  std::vector<std::uint32_t> vectors;
  std::uint32_t sum = 0;
  for (std::uint32_t i = 1; i < std::uint32_t{1} << rows.size(); ++i) {
    sum ^= rows[static_cast<unsigned>(__builtin_ctz(i))];
    vectors.push_back(shortest(sum, silent));
  }
  std::sort(vectors.begin(), vectors.end(), cheaper);
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> result;
  for (const std::uint32_t vector : vectors) {
    if (result.size() == rows.size()) break;
    if (extend(chosen, onDifferences(problem, vector))) result.push_back(vector);
  }
  return result;
}

/// Returns bits that separate all differences, then the lowest others.
std::vector<std::uint32_t> bitSelection(const ReducedProblem& problem) {
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> result;
  std::vector<std::uint32_t> others;
  for (unsigned bit = 0; bit < problem.addressBits; ++bit) {
    const std::uint32_t mask = std::uint32_t{1} << bit;
    const bool tells = extend(chosen, onDifferences(problem, mask));
    (tells ? result : others).push_back(mask);
  }
  result.insert(result.end(), others.begin(), others.end());
  result.resize(problem.bankBits);
  return result;
}

}  // namespace

unsigned gateCount(const gf2::Matrix& bank) {
  unsigned gates = 0;
  for (const std::uint32_t row : bank.rows) gates += ones(row) - 1;
  return gates;
}

unsigned gateDepth(const gf2::Matrix& bank) {
  unsigned widest = 1;
  for (const std::uint32_t row : bank.rows) widest = std::max(widest, ones(row));
  unsigned depth = 0;
  while (1U << depth < widest) ++depth;
  return depth;
}

bool independentOnDifferences(const ReducedProblem& problem, const gf2::Matrix& bank) {
  std::vector<std::uint32_t> rows;
  return std::all_of(bank.rows.begin(), bank.rows.end(),
                     [&](std::uint32_t row) { return extend(rows, onDifferences(problem, row)); });
}

gf2::Matrix cheapestBasis(const ReducedProblem& problem, const std::vector<std::uint32_t>& rows) {
  gf2::Matrix bank{problem.addressBits, {}};
  bank.rows = problem.differences.size() <= problem.bankBits ? bitSelection(problem)
                                                             : greedyRows(problem, rows);
  std::sort(bank.rows.begin(), bank.rows.end(), [](std::uint32_t a, std::uint32_t b) {
    const int low = __builtin_ctz(a);
    const int other = __builtin_ctz(b);
    return low != other ? low < other : a < b;
  });
  return bank;
}

}  // namespace fermata::search::general
