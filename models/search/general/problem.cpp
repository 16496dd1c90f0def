#include <fermata/models/search/general/problem.h>

#include <algorithm>
#include <numeric>

#include <fermata/models/search/translation.h>

namespace fermata::search::general {
namespace {

namespace gf2 = indexing::gf2;

/// Most dimensions that preferred rows may take in a part of the functionals.
constexpr std::size_t kMostPreferred = 12;

/// Returns the numbers of the sets, heavy and large ones first.
std::vector<std::uint32_t> heavyFirst(const AccessSets& sets) {
  std::vector<std::uint32_t> order(sets.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto load = [&](std::uint32_t set) { return sets.weight(set) * sets.words(set).size; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return load(a) > load(b); });
  return order;
}

/// Returns coordinates for a part of the functionals on L: `preferred` first, then each bit i of L
/// together with bits i + kMaxDimension, i + 2 * kMaxDimension and so on: every bit has its part.
gf2::Echelon chosenPart(const ReducedProblem& problem,
                        const std::vector<std::uint32_t>& preferred) {
  std::vector<std::uint32_t> basis;
  const unsigned size = static_cast<unsigned>(problem.differences.size());
  const auto add = [&basis](std::uint32_t vector, std::size_t most) {
    if (basis.size() < most) extend(basis, vector);
  };
  for (const std::uint32_t mask : preferred) add(problem.coordinates(mask), kMostPreferred);
  for (unsigned i = 0; i < ReducedProblem::kMaxDimension; ++i) {
    std::uint32_t vector = 0;
    for (unsigned bit = i; bit < size; bit += ReducedProblem::kMaxDimension) {
      vector |= std::uint32_t{1} << bit;
    }
    add(vector, ReducedProblem::kMaxDimension);
  }
  return gf2::echelon({size, basis});
}

void restrictTo(ReducedProblem& problem, const gf2::Echelon& part) {
  std::vector<std::uint32_t> functional;
  std::vector<std::uint32_t> dual;
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    functional.push_back(problem.lift(part.rows[i]));
    dual.push_back(problem.dual[part.pivots[i]]);
  }
  problem.functional = std::move(functional);
  problem.dual = std::move(dual);
  problem.allFunctionals = false;
}

}  // namespace

bool oddBits(std::uint32_t bits) {
  return (__builtin_popcount(bits) & 1) != 0;
}

bool extend(std::vector<std::uint32_t>& basis, std::uint32_t vector) {
  for (const std::uint32_t old : basis) vector = std::min(vector, vector ^ old);
  if (vector == 0) return false;
  basis.push_back(vector);
  std::sort(basis.rbegin(), basis.rend());
  return true;
}

std::uint32_t ReducedProblem::lift(std::uint32_t coordinates) const {
  std::uint32_t mask = 0;
  for (; coordinates != 0; coordinates &= coordinates - 1) {
    mask ^= functional[static_cast<unsigned>(__builtin_ctz(coordinates))];
  }
  return mask;
}

std::uint32_t ReducedProblem::coordinates(std::uint32_t mask) const {
  return gf2::multiply({addressBits, dual}, mask);
}

bool ReducedProblem::representable(std::uint32_t mask) const {
  const std::uint32_t change = lift(coordinates(mask)) ^ mask;
  return std::none_of(differences.begin(), differences.end(),
                      [change](std::uint32_t vector) { return oddBits(change & vector); });
}

std::uint32_t ReducedProblem::project(std::uint32_t word) const {
  return gf2::multiply({addressBits, functional}, word);
}

ReducedProblem reduce(const AccessSets& sets, unsigned addressBits, unsigned bankBits,
                      const std::vector<std::uint32_t>& preferred) {
  ReducedProblem problem;
  problem.addressBits = addressBits;
  problem.bankBits = bankBits;
  const AccessSets merged = mergeTranslates(sets);
  std::vector<std::uint32_t> span;
  for (const std::uint32_t set : heavyFirst(merged)) {
    const Words words = merged.words(set);
    for (const std::uint32_t word : words) extend(span, word);
    const bool taken = problem.sets.size() < ReducedProblem::kMaxSets;
    (taken ? problem.rootBound : problem.droppedBound) +=
        merged.weight(set) * ((words.size - 1) >> bankBits);
    if (taken) problem.sets.push_back({{words.begin(), words.end()}, merged.weight(set)});
  }
  problem.allSets = problem.sets.size() == merged.size();
  const gf2::Echelon form = gf2::echelon({addressBits, span});
  problem.differences = form.rows;
  problem.silent = gf2::nullSpace({addressBits, form.rows});
  // A vector of L is determined by its bits at the pivots: one functional per pivot.
  for (const unsigned pivot : form.pivots) problem.functional.push_back(std::uint32_t{1} << pivot);
  problem.dual = form.rows;
  if (form.rows.size() > ReducedProblem::kMaxDimension) {
    restrictTo(problem, chosenPart(problem, preferred));
  }
  problem.dimension = static_cast<unsigned>(problem.functional.size());
  return problem;
}

}  // namespace fermata::search::general
