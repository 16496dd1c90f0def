// Local search: from a mapping to one that shares all but one dimension of its span.
//
// The energy of spectrum.h is a sum over the vectors of the span, so folding a table gives the
// energies of all neighbours through one hyperplane. Conflicts are counted only for the most
// promising neighbours. Where no neighbour is better, the sets that still conflict get more scale
// in the energy. After some time the search begins anew from rows built greedily under a random
// scale.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <fermata/models/search/general/effort.h>
#include <fermata/models/search/general/problem.h>
#include <fermata/models/search/general/split.h>

namespace fermata::search::general {

struct Mapping {
  std::vector<std::uint32_t> rows;  ///< coordinates of independent functionals
  std::uint64_t cost = 0;
};

class LocalSearch {
 public:
  /// Precondition: the problem has more dimensions than bank bits, and at least one bank bit.
  LocalSearch(const ReducedProblem& problem, SplitCount& split, Effort& effort, std::uint64_t seed);

  /// Searches from each start in turn and then anew, until the allowed effort is spent or `floor`
  /// is reached. `starts` may be empty; there is always an answer.
  Mapping run(const std::vector<Mapping>& starts, std::uint64_t floor);

 private:
  struct Candidate {
    std::int64_t energy = 0;
    std::uint32_t vector = 0;
  };
  /// A span without one dimension, and the vector left out.
  struct Hyperplane {
    std::vector<std::uint32_t> rows;
    std::uint32_t left = 0;
  };

  void climb(Mapping current, std::uint64_t floor);
  bool step(Mapping& current);
  Mapping build();
  void keep(const Mapping& mapping);
  Hyperplane randomHyperplane(const Mapping& mapping);
  /// Returns vectors outside the span of rows (one per coset, without the coset of `known`) and the
  /// energy that each adds, lowest first.
  std::vector<Candidate> promising(const std::vector<std::uint32_t>& rows, std::uint32_t known,
                                   std::size_t count);
  std::uint32_t fold(std::vector<std::uint32_t> rows, std::uint32_t known);
  void randomScale();
  void raiseScale(const Mapping& mapping);
  void useScale();
  std::uint64_t random(std::uint64_t below) { return random_() % below; }

  const ReducedProblem& problem_;
  SplitCount& split_;
  Effort& effort_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> plainScale_;
  std::vector<std::uint32_t> scale_;
  std::vector<std::int64_t> energy_;
  std::vector<std::int64_t> folded_;
  /// Leading bit of each folded row, in the numbering that this row found.
  std::vector<unsigned> leads_;
  Mapping best_;
};

}  // namespace fermata::search::general
