#include <fermata/models/search/linear_search.h>

#include <limits>
#include <set>

#include <fermata/models/search/bit_vector_search.h>
#include <fermata/models/search/givargis.h>
#include <fermata/models/search/minimum_imbalance.h>
#include <fermata/models/search/space.h>

namespace fermata::search {
namespace {

namespace gf2 = indexing::gf2;

/// Keeps the best of the mappings offered; at a tie the first.
class Best {
 public:
  explicit Best(const LinearProblem& problem) : problem_(problem) {}

  /// Returns false if no later mapping can be better.
  template <typename Text>
  bool offer(const gf2::Matrix& bank, Text text) {
    gf2::Echelon form = gf2::echelon(bank);
    if (form.rows.size() != bank.rows.size()) return true;
    // An equal span has an equal null space, hence equal conflicts.
    if (!seen_.insert(std::move(form.rows)).second) return true;
    const std::uint64_t limit = choice_.conflicts - (choice_.text.empty() ? 0 : 1);
    const std::uint64_t conflicts = problem_.count.linear(bank, limit);
    if (choice_.text.empty() || conflicts < choice_.conflicts) {
      choice_.bank = bank;
      choice_.text = text();
      choice_.conflicts = conflicts;
    }
    return choice_.conflicts != 0;
  }
  LinearChoice take() { return std::move(choice_); }

 private:
  const LinearProblem& problem_;
  LinearChoice choice_;
  std::set<std::vector<std::uint32_t>> seen_;
};

template <typename H>
LinearChoice byHeuristic(const LinearProblem& problem, const std::vector<Feature>& features,
                         bool pairs) {
  const H heuristic(problem.sets, problem.addressBits);
  const std::string family = pairs ? "pairs" : "bits";
  const auto choose = [&](bool independent) {
    return featuresOf(heuristicSteps(heuristic, features, problem.bankBits, independent));
  };
  const std::vector<Feature> chosen = choose(true);
  const std::vector<Feature> unchecked = choose(false);
  LinearChoice choice;
  choice.bank = {problem.addressBits, chosen};
  choice.text = featuresText(family, chosen);
  choice.conflicts = problem.count.linear(choice.bank);
  choice.candidates = spaceOf(pairs ? MappingClass::Pairs : MappingClass::Bits, problem.addressBits,
                              problem.bankBits);
  if (unchecked != chosen) {
    choice.unchecked = featuresText(family, unchecked);
    choice.uncheckedRank = rankOf(unchecked);
  }
  return choice;
}

}  // namespace

LinearChoice bestPermutation(const LinearProblem& problem) {
  Best best(problem);
  for (unsigned k = 0; k + problem.bankBits <= problem.addressBits; ++k) {
    const BitVectorXor permutation{k, 0, 0};
    if (!best.offer(permutation.matrix(problem.addressBits, problem.bankBits),
                    [k] { return "perm k=" + std::to_string(k); })) {
      break;
    }
  }
  LinearChoice choice = best.take();
  choice.candidates = problem.addressBits - problem.bankBits + 1;
  return choice;
}

LinearChoice bestBitVectorXor(const LinearProblem& problem, bool pruned) {
  std::vector<BitVectorXor> candidates;
  Strides strides;
  if (pruned) strides = stridesOf(problem.sets);
  candidates = pruned && !strides.random
                   ? prunedBitVectorXor(strides.strides, problem.addressBits, problem.bankBits)
                   : everyBitVectorXor(problem.addressBits, problem.bankBits);
  Best best(problem);
  for (const BitVectorXor& candidate : candidates) {
    if (!best.offer(candidate.matrix(problem.addressBits, problem.bankBits),
                    [&candidate] { return candidate.text(); })) {
      break;
    }
  }
  LinearChoice choice = best.take();
  choice.candidates = candidates.size();
  return choice;
}

LinearChoice bestBits(const LinearProblem& problem) {
  const unsigned n = problem.addressBits;
  const unsigned m = problem.bankBits;
  const std::uint64_t candidates = spaceOf(MappingClass::Bits, n, m);
  if (candidates > kMostBitChoices) {
    throw indexing::IndexingError("an exhaustive search of the " + std::to_string(candidates) +
                                  " choices of " + std::to_string(m) + " of " + std::to_string(n) +
                                  " address bits; expected at most " +
                                  std::to_string(kMostBitChoices) + ", or a heuristic");
  }
  Best best(problem);
  std::vector<unsigned> bit(m);
  for (unsigned i = 0; i < m; ++i) bit[i] = i;
  for (;;) {
    std::vector<Feature> features;
    for (const unsigned one : bit) features.push_back(Feature{1} << one);
    if (!best.offer({n, features}, [&features] { return featuresText("bits", features); })) break;
    unsigned last = m;  // last that can rise
    while (last > 0 && bit[last - 1] == n - m + last - 1) --last;
    if (last == 0) break;
    ++bit[last - 1];
    for (unsigned i = last; i < m; ++i) bit[i] = bit[i - 1] + 1;
  }
  LinearChoice choice = best.take();
  choice.candidates = candidates;
  return choice;
}

LinearChoice byGivargis(const LinearProblem& problem, bool pairs) {
  const unsigned n = problem.addressBits;
  return byHeuristic<Givargis>(problem, pairs ? pairsByRow(n) : singleBits(n), pairs);
}

LinearChoice byMinimumImbalance(const LinearProblem& problem, bool pairs) {
  const unsigned n = problem.addressBits;
  return byHeuristic<MinimumImbalance>(problem, pairs ? singlesThenPairs(n) : singleBits(n), pairs);
}

std::vector<gf2::Matrix> publishedChoices(const LinearProblem& problem) {
  const unsigned n = problem.addressBits;
  const unsigned m = problem.bankBits;
  std::vector<gf2::Matrix> choices;
  choices.push_back(bestBitVectorXor(problem, false).bank);
  if (spaceOf(MappingClass::Bits, n, m) <= kMostBitChoices) {
    choices.push_back(bestBits(problem).bank);
  }
  for (const bool pairs : {false, true}) {
    choices.push_back(byGivargis(problem, pairs).bank);
    choices.push_back(byMinimumImbalance(problem, pairs).bank);
  }
  choices.push_back(BitVectorXor{0, m, m < n ? gf2::columnMask(m) : 0}.matrix(n, m));
  choices.push_back(BitVectorXor{0, 0, 0}.matrix(n, m));
  return choices;
}

std::uint64_t spaceOf(MappingClass mappingClass, unsigned addressBits, unsigned bankBits) {
  // Rows of spaceSizes() for Perm, Xor, Bits, Pairs, Matrix.
  constexpr std::size_t kRows[] = {3, 4, 5, 6, 2};
  const SpaceSize size =
      spaceSizes(addressBits, bankBits).at(kRows[static_cast<unsigned>(mappingClass)]);
  constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();
  if (size.exact.empty() || size.exact.size() > 20 || size.log10 > 19.2) return kMany;
  return std::stoull(size.exact);
}

}  // namespace fermata::search
