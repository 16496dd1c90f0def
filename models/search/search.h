// Finds the mapping that suits given accesses. One call per class of mappings and method.
//
// van den Braak et al.: Configurable XOR Hash Functions for Banked Scratchpad Memories in GPUs,
// IEEE TC 2016, sections 4 and 5, for Perm to Pairs; the general XOR search, the best modulus,
// padding and swizzle are ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/search/access_sets.h>
#include <fermata/models/search/conflict_count.h>

namespace fermata::search {

enum class MappingClass : std::uint8_t {
  Perm,     ///< bit-vector permutation: perm k=K
  Xor,      ///< bit-vector XOR: xor k1=A k2=B mask=C
  Bits,     ///< bitwise permutation
  Pairs,    ///< bitwise XOR of at most two address bits
  Matrix,   ///< any XOR of address bits
  Ami,      ///< arbitrary modulus
  Padding,  ///< words inserted after each row of the data
  Swizzle,  ///< swizzle b=B m=M s=S: chunks of a row XOR bits of its number
  Tma,      ///< the swizzles of the tensor memory accelerator
};

enum class Method : std::uint8_t { Exhaustive, Pruned, Givargis, MinimumImbalance, General };

/// Returns whether a kernel makes the change in its own index: Padding, Swizzle, Tma.
bool ofKernel(MappingClass mappingClass);

const char* name(MappingClass mappingClass);  ///< text form: "perm", "xor", ...
const char* name(Method method);              ///< text form: "exhaustive", "minimum-imbalance", ...

struct Problem {
  const AccessSets& sets;
  indexing::Shape shape;  ///< every word of the sets is below shape.words
};

/// How much is known about the result.
enum class Proof : std::uint8_t {
  ConflictFree,  ///< it leaves no conflict: nothing can be better
  Optimal,       ///< no mapping of the class leaves fewer (Ami: none of the candidates)
  Bound,         ///< no mapping of the class leaves fewer than `bound`
  Heuristic,     ///< nothing is known
};
const char* name(Proof proof);  ///< "conflict-free", "optimal", "bound", "heuristic"

struct Found {
  MappingClass mappingClass{};
  Method method{};
  std::string mapping;       ///< text that indexing::build takes for the problem's shape
  std::uint64_t before = 0;  ///< conflicts of word mod banks
  std::uint64_t after = 0;
  unsigned rank = 0;  ///< independent bank bits; 0: the class is not linear over GF(2)
  Proof proof = Proof::Heuristic;
  std::uint64_t bound = 0;  ///< for Proof::Bound
  /// Mappings in the space that was searched (4480 for all of Xor); the largest number if 64 bits
  /// do not hold it.
  std::uint64_t candidates = 0;
  /// Ami and Padding have unlimited classes: the part that was searched, for a person.
  std::string searched;
  /// Choice of the heuristic without the check of its bits for independence; empty if equal.
  std::string unchecked;
  unsigned uncheckedRank = 0;
};

struct SearchOptions {
  std::uint64_t seed = 1;  ///< for the general search
  /// Most mappings that the general search may evaluate; no wall clock.
  std::uint64_t effort = 200000;
  std::uint32_t maxBanks = 0;  ///< largest modulus of Ami; 0: twice the banks
  /// Aligned vectors of `vectorBytes` stay whole: a power of two, a word of the banks or more; 0: a
  /// word. Swizzle, Tma and Padding can keep more than a word whole, the others refuse it.
  std::uint32_t vectorBytes = 0;
  /// Most words that a padding may insert below the largest word of the sets.
  std::uint64_t mostPadding = ~std::uint64_t{0};
  /// Rows in words behind which a padding is looked for: the strides of a layout; empty: every row.
  std::optional<std::vector<std::uint64_t>> paddingRows;
  /// Most regions of the memory with a mapping each, for classes that are linear over GF(2); the
  /// other classes ignore it (split_search.h).
  std::uint32_t regions = 1;
  /// Address bits below this one may choose a region. CTAs' windows that start at multiples of 2^b
  /// words have the regions that the search sees only if it is b or less.
  unsigned regionBits = 32;
};

/// Returns whether the method suits the class. Perm and Xor are searched exhaustively, Xor also
/// pruned; Bits exhaustively and by both heuristics; Pairs by both heuristics; Matrix by the
/// general search; Ami, Padding, Swizzle and Tma exhaustively.
bool applies(MappingClass mappingClass, Method method);

/// Throws std::invalid_argument if the pair does not apply. Throws IndexingError if the shape does
/// not suit the class (banks that are no power of two) or the class keeps no vectors whole.
///
/// Ties: Perm takes the smallest k, Xor the least mask, then k1, then k2 (a permutation is k2=0
/// mask=0), Bits the first in lexical order, Ami the fewest banks, Padding the fewest added words,
/// Swizzle the fewest bits, then the shortest shift, Tma the narrowest mode. Heuristics break ties
/// as heuristic.h says. A pruned search that meets a random access looks at all.
///
/// With any effort, General leaves no more conflicts than any other method finds for a class that
/// is linear over GF(2) (Perm, Xor, Bits, Pairs): each of their mappings is a matrix. General does
/// not start from a swizzle, which may leave fewer. Ami and Padding may also leave fewer: they are
/// no matrices.
Found search(MappingClass mappingClass, Method method, const Problem& problem,
             const SearchOptions& options = {});

/// Returns the work that several searches of one problem share, for the overload below.
ConflictCount conflictCount(const Problem& problem);
Found search(MappingClass mappingClass, Method method, const Problem& problem,
             const ConflictCount& count, const SearchOptions& options = {});

}  // namespace fermata::search
