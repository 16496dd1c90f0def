// Beyond the papers: searches for the best of all m x n XOR mappings.
//
// A linear mapping h: GF(2)^n -> GF(2)^m keeps two words apart exactly if their difference is not
// in its null space. Its conflicts depend on the null space alone, that is on the span of its rows.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/conflict_count.h>
#include <fermata/models/search/search.h>

namespace fermata::search {

struct GeneralResult {
  indexing::gf2::Matrix
      bank;  ///< m rows, full rank; of all bases of its span one with fewest gates
  std::uint64_t conflicts = 0;
  Proof proof = Proof::Heuristic;
  std::uint64_t bound = 0;      ///< no m x n matrix leaves fewer
  std::uint64_t evaluated = 0;  ///< mappings and partial mappings looked at
};

/// Three steps. First: is there a mapping that reaches the trivial bound (for sets of no more words
/// than banks: a conflict-free one)? If that stays open, a local search follows; then the bound is
/// raised as far as it goes. options.effort bounds the mappings and partial mappings looked at;
/// effort * 512 bounds the looks at a set and other work of that size, so that many sets cost fewer
/// mappings, not more time.
///
/// Never worse than any of `starts` (each m rows, full rank; may be empty). Deterministic for one
/// seed. bankBits is 0 to 12 and at most count.addressBits(). Throws std::invalid_argument for
/// other bankBits or another form of start.
GeneralResult generalXor(const AccessSets& sets, const ConflictCount& count, unsigned bankBits,
                         const std::vector<indexing::gf2::Matrix>& starts,
                         const SearchOptions& options);

/// One compromise: no other mapping found has both fewer conflicts and a lower cost.
struct ParetoPoint {
  indexing::gf2::Matrix bank;
  std::uint64_t conflicts = 0;
  unsigned gates = 0;  ///< two-input XOR gates: sum over the rows of (bits - 1)
  unsigned depth = 0;  ///< levels of two-input XOR gates of the widest row
};

/// Returns points with rising gates and falling conflicts. The first is a plain selection of bits;
/// the last has no more conflicts than generalXor's answer. Costs twice generalXor's effort.
std::vector<ParetoPoint> paretoFront(const AccessSets& sets, const ConflictCount& count,
                                     unsigned bankBits,
                                     const std::vector<indexing::gf2::Matrix>& starts,
                                     const SearchOptions& options);

}  // namespace fermata::search
