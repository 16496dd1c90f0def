// The searches of section 5 of van den Braak et al., IEEE TC 2016. Each returns the matrix that it
// found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/conflict_count.h>
#include <fermata/models/search/features.h>
#include <fermata/models/search/search.h>

namespace fermata::search {

/// A problem whose banks are a power of two, as the searches see it.
struct LinearProblem {
  const AccessSets& sets;
  const ConflictCount& count;
  unsigned addressBits = 0;
  unsigned bankBits = 0;  ///< 1 or more
};

struct LinearChoice {
  indexing::gf2::Matrix bank;
  std::string text;
  std::uint64_t conflicts = ConflictCount::kNoLimit;
  std::uint64_t candidates = 0;
  std::string unchecked;  ///< see Found::unchecked
  unsigned uncheckedRank = 0;
};

/// Returns the permutation with the fewest conflicts; at a tie the first by k.
LinearChoice bestPermutation(const LinearProblem& problem);
/// Returns the hash with the fewest conflicts; at a tie the first by k1, mask, k2. `pruned` looks
/// only at the candidates of prunedBitVectorXor, or at all if an access is random. Skips hashes of
/// dependent bank bits, and mappings already seen under another name.
LinearChoice bestBitVectorXor(const LinearProblem& problem, bool pruned);
/// Most choices of m address bits out of n that bestBits looks at.
inline constexpr std::uint64_t kMostBitChoices = 200000;
/// Returns the best choice of m address bits out of n; at a tie the first in lexical order. Throws
/// IndexingError for more than kMostBitChoices choices.
LinearChoice bestBits(const LinearProblem& problem);
/// Return the choice of a heuristic.
LinearChoice byGivargis(const LinearProblem& problem, bool pairs);
LinearChoice byMinimumImbalance(const LinearProblem& problem, bool pairs);

/// Returns the best results of all the methods above, for a search that starts from them and must
/// not be worse: bit-vector XOR (bit-vector permutations among them), bits if they can all be
/// looked at, both heuristics with bits and with pairs, fixed XOR, word mod banks.
std::vector<indexing::gf2::Matrix> publishedChoices(const LinearProblem& problem);

/// Returns the size of a class on a memory of this size, from table 1; ~0 if it exceeds 64 bits.
/// For classes up to Matrix.
std::uint64_t spaceOf(MappingClass mappingClass, unsigned addressBits, unsigned bankBits);

}  // namespace fermata::search
