// The searches of section 5 of van den Braak et al., IEEE TC 2016, each with the matrix that it
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
  std::string unchecked;  ///< as Found::unchecked
  unsigned uncheckedRank = 0;
};

/// Fewest conflicts; of equals the first by k.
LinearChoice bestPermutation(const LinearProblem& problem);
/// Fewest conflicts; of equals the first by k1, mask, k2. `pruned`: of the candidates that
/// prunedBitVectorXor leaves, which are all when an access is random. Hashes of dependent bank bits
/// are passed over, and such as were looked at under another name.
LinearChoice bestBitVectorXor(const LinearProblem& problem, bool pruned);
/// Choices of m address bits out of n that bestBits looks at.
inline constexpr std::uint64_t kMostBitChoices = 200000;
/// Of all m address bits out of n; of equals the first in lexical order. Throws IndexingError for
/// more than kMostBitChoices of them.
LinearChoice bestBits(const LinearProblem& problem);
/// The choice of a heuristic.
LinearChoice byGivargis(const LinearProblem& problem, bool pairs);
LinearChoice byMinimumImbalance(const LinearProblem& problem, bool pairs);

/// The best results of all the methods above, for a search that starts from them and must not be
/// worse: bit-vector XOR (bit-vector permutations among them), bits where they can all be looked
/// at, both heuristics with bits and with pairs, fixed XOR, word mod banks.
std::vector<indexing::gf2::Matrix> publishedChoices(const LinearProblem& problem);

/// Of a class on a memory of this size, from table 1; ~0 when there are more than 64 bits tell. Not
/// for Ami and Padding.
std::uint64_t spaceOf(MappingClass mappingClass, unsigned addressBits, unsigned bankBits);

}  // namespace fermata::search
