// The two sides from which exact.h searches: rows and null space.
#include <algorithm>

#include <fermata/models/search/general/exact.h>
#include <fermata/models/search/general/spectrum.h>

namespace fermata::search::general {
namespace {

namespace gf2 = indexing::gf2;

/// Costs of vectors that are functionals: rows of the mapping.
class RowCosts final : public SubspaceCosts {
 public:
  RowCosts(const ReducedProblem& problem, SplitCount& split) : problem_(problem), split_(split) {
    split.clear();
  }

  void push(std::uint32_t vector) override { split_.push(problem_.lift(vector)); }
  void pop() override { split_.pop(); }
  std::uint64_t with(std::uint32_t vector, std::uint64_t limit) override {
    return split_.with(problem_.lift(vector), limit);
  }

 private:
  const ReducedProblem& problem_;
  SplitCount& split_;
};

/// Costs of vectors that are words the mapping takes to zero: words that differ by one share a
/// bank.
class NullCosts final : public SubspaceCosts {
 public:
  NullCosts(const ReducedProblem& problem, Effort& effort)
      : problem_(problem), effort_(effort), load_(std::size_t{1} << problem.dimension, 0) {
    std::vector<std::uint32_t> words;
    for (const DifferenceSet& set : problem.sets) {
      for (const std::uint32_t word : set.words) words.push_back(problem.project(word));
    }
    levels_.push_back(std::move(words));
  }

  void push(std::uint32_t vector) override {
    std::vector<std::uint32_t> words = levels_.back();
    for (std::uint32_t& word : words) word = std::min(word, word ^ vector);
    levels_.push_back(std::move(words));
  }
  void pop() override { levels_.pop_back(); }
  std::uint64_t with(std::uint32_t vector, std::uint64_t limit) override {
    effort_.addMapping();
    std::uint64_t sum = 0;
    const std::uint32_t* word = levels_.back().data();
    for (const DifferenceSet& set : problem_.sets) {
      const std::size_t size = set.words.size();
      const std::uint64_t root = (size - 1) >> problem_.bankBits;
      sum += set.weight * std::max(largestClass(word, size, vector) - 1, root);
      word += size;
      effort_.addVisits(2);
      if (sum > limit) break;
    }
    return sum;
  }
  /// Returns the cost of each vector alone: it costs where it is a difference within a set.
  std::vector<std::uint64_t> single() const;

 private:
  std::uint64_t largestClass(const std::uint32_t* words, std::size_t size, std::uint32_t vector) {
    std::uint8_t most = 1;
    for (std::size_t i = 0; i < size; ++i) {
      most = std::max(most, ++load_[std::min(words[i], words[i] ^ vector)]);
    }
    for (std::size_t i = 0; i < size; ++i) load_[std::min(words[i], words[i] ^ vector)] = 0;
    return most;
  }

  const ReducedProblem& problem_;
  Effort& effort_;
  std::vector<std::vector<std::uint32_t>> levels_;  ///< words of all sets modulo what was pushed
  std::vector<std::uint8_t> load_;
};

std::vector<std::uint64_t> NullCosts::single() const {
  std::vector<std::uint64_t> cost(load_.size(), problem_.rootBound);
  std::vector<std::uint32_t> differences;
  const std::uint32_t* word = levels_.front().data();
  for (const DifferenceSet& set : problem_.sets) {
    const std::size_t size = set.words.size();
    differences.clear();
    if ((size - 1) >> problem_.bankBits == 0) {
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) differences.push_back(word[i] ^ word[k]);
      }
    }
    std::sort(differences.begin(), differences.end());
    differences.erase(std::unique(differences.begin(), differences.end()), differences.end());
    for (const std::uint32_t vector : differences) cost[vector] += set.weight;
    word += size;
    effort_.addVisits(size * size / 16);
  }
  return cost;
}

/// Searches below rising thresholds. The first is the least at which a mapping could lie; each next
/// step is twice as far.
void raise(SubspaceSearch& search, std::uint64_t step, const Effort& effort, ExactAnswer& answer) {
  answer.bound = std::min(answer.cost, std::max(answer.bound, search.simpleBound()));
  while (answer.bound < answer.cost && !effort.spent()) {
    const std::uint64_t threshold = std::min(answer.cost, answer.bound + step);
    const bool finished = search.run(threshold, answer.bound);
    if (!search.found().empty()) {
      answer.rows = search.found();
      answer.cost = search.cost();
    }
    if (!finished) continue;
    answer.bound = std::min(answer.cost, threshold);
    step *= 2;
  }
}

}  // namespace

ExactAnswer proveBound(const ReducedProblem& problem, SplitCount& split, std::uint64_t best,
                       std::uint64_t bound, Effort& effort) {
  ExactAnswer answer{{}, best, bound};
  std::uint64_t step = best;
  for (const DifferenceSet& set : problem.sets) step = std::min(step, set.weight);
  step = std::max<std::uint64_t>(step, 1);
  const unsigned nullity = problem.dimension - problem.bankBits;
  if (problem.bankBits <= nullity) {
    RowCosts costs(problem, split);
    SubspaceSearch search(problem.dimension, problem.bankBits, functionalBounds(problem, effort),
                          costs, effort);
    raise(search, step, effort, answer);
  } else {
    NullCosts costs(problem, effort);
    SubspaceSearch search(problem.dimension, nullity, costs.single(), costs, effort);
    raise(search, step, effort, answer);
    if (!answer.rows.empty()) answer.rows = gf2::nullSpace({problem.dimension, answer.rows});
  }
  return answer;
}

}  // namespace fermata::search::general
