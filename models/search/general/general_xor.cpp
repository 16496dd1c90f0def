#include <fermata/models/search/general/general_xor.h>

#include <algorithm>
#include <stdexcept>

#include <fermata/models/search/general/basis.h>
#include <fermata/models/search/general/exact.h>
#include <fermata/models/search/general/local.h>
#include <fermata/models/search/general/simplify.h>

namespace fermata::search {
namespace {

namespace gf2 = indexing::gf2;
using general::Effort;
using general::Mapping;
using general::ReducedProblem;
using general::SplitCount;

/// Cumulative percentages of the effort: for the proof that nothing reaches the root's bound (or
/// the mapping that does), for the local search, for raising the bound, for saving gates.
constexpr unsigned kFirstProof = 25;
constexpr unsigned kLocal = 75;
constexpr unsigned kSecondProof = 95;
constexpr unsigned kSimplify = 100;

void checkArguments(unsigned addressBits, unsigned bankBits,
                    const std::vector<gf2::Matrix>& starts) {
  if (bankBits > addressBits || bankBits > 12) {
    throw std::invalid_argument("generalXor: " + std::to_string(bankBits) + " bank bits of " +
                                std::to_string(addressBits) +
                                " address bits; expected at most as many, and at most 12");
  }
  for (const gf2::Matrix& start : starts) {
    if (start.rows.size() == bankBits && start.columns == addressBits &&
        gf2::rank(start) == bankBits) {
      continue;
    }
    throw std::invalid_argument("generalXor: a start of " + std::to_string(start.rows.size()) +
                                " x " + std::to_string(start.columns) + " and rank " +
                                std::to_string(gf2::rank(start)) + "; expected " +
                                std::to_string(bankBits) + " x " + std::to_string(addressBits) +
                                " and independent rows");
  }
}

struct Start {
  gf2::Matrix bank;
  std::uint64_t conflicts = 0;
};

/// Returns the starts by rising conflicts and gates; word mod banks if there is none.
std::vector<Start> judged(const ConflictCount& count, unsigned bankBits,
                          const std::vector<gf2::Matrix>& starts) {
  std::vector<Start> result;
  for (const gf2::Matrix& start : starts) result.push_back({start, count.linear(start)});
  if (result.empty()) {
    gf2::Matrix plain = gf2::identity(bankBits);
    plain.columns = count.addressBits();
    result.push_back({plain, count.linear(plain)});
  }
  std::stable_sort(result.begin(), result.end(), [](const Start& a, const Start& b) {
    return a.conflicts != b.conflicts ? a.conflicts < b.conflicts
                                      : general::gateCount(a.bank) < general::gateCount(b.bank);
  });
  return result;
}

/// Returns the matrix's rows in coordinates. Rows that say nothing new about the sets are replaced
/// by further rows, which can only lower the conflicts. Returns nothing if the coordinates do not
/// reach all its rows.
std::vector<Mapping> asMapping(const ReducedProblem& problem, SplitCount& split,
                               const gf2::Matrix& bank) {
  gf2::Matrix rows{problem.dimension, {}};
  for (const std::uint32_t row : bank.rows) {
    if (!problem.representable(row)) return {};
    rows.rows.push_back(problem.coordinates(row));
  }
  const gf2::Echelon form = gf2::echelon(rows);
  Mapping mapping{form.rows, 0};
  for (unsigned i = 0; mapping.rows.size() < problem.bankBits; ++i) {
    if ((form.pivotMask >> i & 1U) == 0) mapping.rows.push_back(std::uint32_t{1} << i);
  }
  std::vector<std::uint32_t> masks;
  for (const std::uint32_t row : mapping.rows) masks.push_back(problem.lift(row));
  mapping.cost = split.of(masks);
  return {mapping};
}

/// Searches exactly, then locally, then exactly again. `bound` is raised to the proved bound.
Mapping searchAll(const ReducedProblem& problem, SplitCount& split,
                  const std::vector<Mapping>& starts, std::uint64_t seed, Effort& effort,
                  std::uint64_t& bound) {
  Mapping best{{}, SplitCount::kNoLimit};
  for (const Mapping& start : starts) {
    if (start.cost < best.cost) best = start;
  }
  const auto prove = [&] {
    if (!problem.allFunctionals || best.cost <= bound) return;
    const general::ExactAnswer answer =
        general::proveBound(problem, split, best.cost, bound, effort);
    bound = answer.bound;
    if (!answer.rows.empty()) best = {answer.rows, answer.cost};
  };
  effort.allow(kFirstProof);
  prove();
  if (best.cost <= bound) return best;
  effort.allow(kLocal);
  std::vector<Mapping> from = starts;
  if (!best.rows.empty()) from.insert(from.begin(), best);
  general::LocalSearch local(problem, split, effort, seed);
  best = local.run(from, bound);
  effort.allow(kSecondProof);
  prove();
  return best;
}

Proof proofOf(std::uint64_t conflicts, std::uint64_t bound) {
  if (conflicts == 0) return Proof::ConflictFree;
  if (conflicts <= bound) return Proof::Optimal;
  return bound > 0 ? Proof::Bound : Proof::Heuristic;
}

std::vector<std::uint32_t> rowsOf(const std::vector<Start>& starts) {
  std::vector<std::uint32_t> rows;
  for (const Start& start : starts) {
    rows.insert(rows.end(), start.bank.rows.begin(), start.bank.rows.end());
  }
  return rows;
}

/// Returns the best start, or a mapping with no more conflicts.
gf2::Matrix searchedBank(const ReducedProblem& problem, const ConflictCount& count,
                         const std::vector<Start>& starts, const SearchOptions& options,
                         Effort& effort, std::uint64_t& bound) {
  if (problem.differences.size() <= problem.bankBits) return general::cheapestBasis(problem, {});
  const Start& best = starts.front();
  SplitCount split(problem, effort);
  std::vector<Mapping> mappings;
  for (const Start& start : starts) {
    for (const Mapping& mapping : asMapping(problem, split, start.bank)) {
      mappings.push_back(mapping);
    }
  }
  const Mapping found = searchAll(problem, split, mappings, options.seed, effort, bound);
  std::vector<std::uint32_t> masks;
  for (const std::uint32_t row : found.rows) masks.push_back(problem.lift(row));
  effort.allow(kSimplify);
  const gf2::Matrix bank =
      general::simplify(problem, split, general::cheapestBasis(problem, masks), found.cost, effort);
  // Sets or functionals that the search left out may judge otherwise.
  return count.linear(bank) <= best.conflicts ? bank : best.bank;
}

}  // namespace

GeneralResult generalXor(const AccessSets& sets, const ConflictCount& count, unsigned bankBits,
                         const std::vector<gf2::Matrix>& starts, const SearchOptions& options) {
  checkArguments(count.addressBits(), bankBits, starts);
  const std::vector<Start> judgedStarts = judged(count, bankBits, starts);
  const ReducedProblem problem =
      general::reduce(sets, count.addressBits(), bankBits,
                      starts.empty() ? std::vector<std::uint32_t>{} : rowsOf(judgedStarts));
  Effort effort(options.effort);
  std::uint64_t bound = problem.rootBound;
  GeneralResult result;
  result.bank = bankBits == 0 ? judgedStarts.front().bank
                              : searchedBank(problem, count, judgedStarts, options, effort, bound);
  result.conflicts = count.linear(result.bank);
  result.bound = bound + problem.droppedBound;
  result.proof = proofOf(result.conflicts, result.bound);
  result.evaluated = effort.evaluated() + judgedStarts.size();
  return result;
}

}  // namespace fermata::search
