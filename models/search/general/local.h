// Local search: from a mapping to one that shares all but one dimension of its span.
//
// The energy of spectrum.h is a sum over the vectors of the span, so that of all neighbours
// through one hyperplane comes from folding a table; the conflicts are counted for the most
// promising only. Where no neighbour is better, the sets that still conflict are given more scale
// in the energy; after some time the search begins anew from rows built up greedily under a random
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
  /// The problem must have more dimensions than bank bits, one or more of these.
  LocalSearch(const ReducedProblem& problem, SplitCount& split, Effort& effort, std::uint64_t seed);

  /// From each start in turn and then anew, until the effort allowed is spent or `floor` is
  /// reached. `starts` may be empty; there is always an answer.
  Mapping run(const std::vector<Mapping>& starts, std::uint64_t floor);

 private:
  struct Candidate {
    std::int64_t energy = 0;
    std::uint32_t vector = 0;
  };
  /// A span without one dimension, and the vector that was left out.
  struct Hyperplane {
    std::vector<std::uint32_t> rows;
    std::uint32_t left = 0;
  };

  void climb(Mapping current, std::uint64_t floor);
  bool step(Mapping& current);
  Mapping build();
  void keep(const Mapping& mapping);
  Hyperplane randomHyperplane(const Mapping& mapping);
  /// Vectors outside the span of rows (one a coset, not that of `known`) and what each adds to its
  /// energy, lowest first.
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
  std::vector<unsigned> leads_;  ///< of the rows folded, in the numbering that each one found
  Mapping best_;
};

}  // namespace fermata::search::general
