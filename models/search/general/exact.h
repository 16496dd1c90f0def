// Exact search: the cheapest subspace of a given size, or the proof that none is below a cost.
//
// A mapping is a subspace of functionals (the span of its rows) or, seen from the other side, a
// subspace of words (its null space). Both costs only grow as vectors are added to the subspace, so
// both are searched by one branch and bound:
//   - A vector is alive while the subspace chosen so far, with it, stays below the threshold. All
//     vectors that remain to be chosen, and their sums, are alive (in the quotient by the chosen
//     ones).
//   - In d dimensions every subspace of r dimensions meets every subspace of d - r + 1 in more
//     than zero. So it is enough to branch on the living vectors of one such subspace, built
//     greedily to have few.
//   - A vector branched on is dead from then on: no subspace is seen twice.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/search/general/effort.h>
#include <fermata/models/search/general/problem.h>
#include <fermata/models/search/general/split.h>

namespace fermata::search::general {

/// Least cost of a subspace, given some of its vectors.
class SubspaceCosts {
 public:
  virtual ~SubspaceCosts() = default;
  virtual void push(std::uint32_t vector) = 0;
  virtual void pop() = 0;
  /// Returns the cost with one vector more; exact for the last vector. May return any value above
  /// `limit` once the cost exceeds it.
  virtual std::uint64_t with(std::uint32_t vector, std::uint64_t limit) = 0;
};

class SubspaceSearch {
 public:
  /// Searches subspaces of `size` (1 or more) dimensions of GF(2)^dimension. `single`: the least
  /// cost of each vector as the only one.
  SubspaceSearch(unsigned dimension, unsigned size, std::vector<std::uint64_t> single,
                 SubspaceCosts& costs, Effort& effort);

  /// Looks for the cheapest subspace below the threshold; stops early at one that costs `floor` or
  /// less. Returns false if the effort was spent before the end; what was found until then remains.
  bool run(std::uint64_t threshold, std::uint64_t floor);
  /// Basis found by the last run; empty if nothing was found.
  const std::vector<std::uint32_t>& found() const { return found_; }
  std::uint64_t cost() const { return threshold_; }
  /// Returns a bound below which no subspace costs: a subspace has 2^size - 1 vectors, and the
  /// dearest of them bounds its cost.
  std::uint64_t simpleBound() const;

 private:
  static constexpr std::uint64_t kDead = ~std::uint64_t{0};

  struct Level {
    std::vector<std::uint32_t> alive;  ///< has zeros where the chosen vectors lead
    std::vector<std::uint64_t> cost;   ///< cost of each vector; kDead if not alive
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
  std::uint64_t cost = 0;           ///< cost of rows, or `best`
  std::uint64_t bound = 0;          ///< no mapping costs less
};

/// Raises the bound from the root's bound until it meets the best known cost or the allowed effort
/// is spent. It first asks whether any mapping reaches the root's bound. Preconditions: the problem
/// has more dimensions than bank bits, at least one bank bit, and allFunctionals.
ExactAnswer proveBound(const ReducedProblem& problem, SplitCount& split, std::uint64_t best,
                       std::uint64_t bound, Effort& effort);

}  // namespace fermata::search::general
