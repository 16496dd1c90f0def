// Exact: the cheapest subspace of a given size, or the proof that none is below a cost.
//
// A mapping is a subspace of functionals (the span of its rows) or, seen from the other side, a
// subspace of words (its null space). Both costs only grow as vectors are added to the subspace, so
// both are searched alike, by branch and bound:
//   - A vector is alive while the subspace chosen so far, with it, stays below the threshold. All
//   of the
//     vectors that remain to be chosen, and their sums, are alive (in the quotient by what was
//     chosen).
//   - In d dimensions every subspace of r dimensions meets every one of d - r + 1 in more than
//   zero. So
//     it is enough to branch on the living vectors of one such subspace, built greedily to have
//     few.
//   - A vector branched on is dead from then on: no subspace is seen twice.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/search/general/effort.h>
#include <fermata/models/search/general/problem.h>
#include <fermata/models/search/general/split.h>

namespace fermata::search::general {

/// What a subspace costs at least, given some of its vectors.
class SubspaceCosts {
 public:
  virtual ~SubspaceCosts() = default;
  virtual void push(std::uint32_t vector) = 0;
  virtual void pop() = 0;
  /// With one vector more; exact for the last. May return any value above `limit` beyond it.
  virtual std::uint64_t with(std::uint32_t vector, std::uint64_t limit) = 0;
};

class SubspaceSearch {
 public:
  /// Subspaces of `size` (1 or more) dimensions of GF(2)^dimension. `single`: what each vector
  /// costs at least as the only one.
  SubspaceSearch(unsigned dimension, unsigned size, std::vector<std::uint64_t> single,
                 SubspaceCosts& costs, Effort& effort);

  /// Looks for the cheapest below the threshold; stops early at one that costs `floor` or less.
  /// False when the effort was spent before the end; what was found until then remains.
  bool run(std::uint64_t threshold, std::uint64_t floor);
  /// Of the last run: a basis; empty when nothing was found.
  const std::vector<std::uint32_t>& found() const { return found_; }
  std::uint64_t cost() const { return threshold_; }
  /// No subspace costs less: it has 2^size - 1 vectors, the dearest of which bounds it.
  std::uint64_t simpleBound() const;

 private:
  static constexpr std::uint64_t kDead = ~std::uint64_t{0};

  struct Level {
    std::vector<std::uint32_t> alive;  ///< with zeros where the chosen vectors lead
    std::vector<std::uint64_t> cost;   ///< of each vector; kDead when not alive
  };

  bool node(unsigned depth);
  bool lastVector(const Level& level, bool fromSingle);
  bool branch(unsigned depth, std::uint32_t vector);
  void fill(const Level& from, Level& to, std::uint32_t vector);
  std::vector<std::uint32_t> branches(const Level& level, unsigned remaining);
  std::vector<std::uint32_t> meet(const std::vector<std::uint32_t>& alive, unsigned dimensions,
                                  std::uint32_t start);
  std::uint32_t rarestLabel(const std::vector<std::uint32_t>& labels, std::uint32_t freeBits,
                            std::uint32_t start);

  unsigned dimension_;
  unsigned size_;
  std::vector<std::uint64_t> single_;
  SubspaceCosts& costs_;
  Effort& effort_;
  std::uint64_t threshold_ = 0;
  std::uint64_t floor_ = 0;
  std::uint32_t freeBits_ = 0;  ///< coordinates at which no chosen vector leads
  std::vector<std::uint32_t> chosen_;
  std::vector<std::uint32_t> found_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> histogram_;
};

struct ExactAnswer {
  std::vector<std::uint32_t> rows;  ///< coordinates of functionals; empty: none below `best`
  std::uint64_t cost = 0;           ///< of rows, or `best`
  std::uint64_t bound = 0;          ///< no mapping costs less
};

/// Raises the bound from the root's (first of all: does any mapping reach the root's?) until it
/// meets the best cost known or the effort allowed is spent. The problem must have more dimensions
/// than bank bits, one or more of these, and allFunctionals.
ExactAnswer proveBound(const ReducedProblem& problem, SplitCount& split, std::uint64_t best,
                       std::uint64_t bound, Effort& effort);

}  // namespace fermata::search::general
