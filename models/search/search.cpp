#include <fermata/models/search/search.h>

#include <algorithm>
#include <stdexcept>

#include <fermata/models/indexing/linear.h>
#include <fermata/models/search/best_modulus.h>
#include <fermata/models/search/best_padding.h>
#include <fermata/models/search/best_swizzle.h>
#include <fermata/models/search/general/general_xor.h>
#include <fermata/models/search/linear_search.h>
#include <fermata/models/search/split_search.h>

namespace fermata::search {
namespace {

using indexing::IndexingError;

constexpr unsigned kMostAddressBits = ConflictCount::kMostAddressBits;

bool isPowerOfTwo(std::uint32_t value) {
  return (value & (value - 1)) == 0;
}

/// Returns the bits of a word address, at least as many as number the banks.
unsigned addressBitsOf(const indexing::Shape& shape) {
  unsigned bits = 0;
  while (bits < 32 && (((shape.words - 1) >> bits) != 0 || ((shape.banks - 1) >> bits) != 0)) {
    ++bits;
  }
  return bits;
}

void check(const Problem& problem) {
  const indexing::Shape& shape = problem.shape;
  if (shape.banks < 1 || shape.banks > 4096 || shape.words < 1) {
    throw IndexingError("a memory of " + std::to_string(shape.banks) + " banks and " +
                        std::to_string(shape.words) +
                        " words; expected 1 to 4096 banks and 1 word or more");
  }
  if (addressBitsOf(shape) > kMostAddressBits) {
    throw IndexingError("a memory of " + std::to_string(shape.words) +
                        " words; a search takes at most " +
                        std::to_string(std::uint32_t{1} << kMostAddressBits));
  }
  if (problem.sets.size() != 0 && problem.sets.largestWord() >= shape.words) {
    throw IndexingError("the accesses ask for word " + std::to_string(problem.sets.largestWord()) +
                        "; expected words below " + std::to_string(shape.words));
  }
}

std::uint64_t conflictsOfModulo(const Problem& problem, const ConflictCount& count) {
  if (isPowerOfTwo(problem.shape.banks)) {
    const unsigned m = indexing::bankBits(problem.shape, "mod");
    indexing::gf2::Matrix low{count.addressBits(), {}};
    for (unsigned i = 0; i < m; ++i) low.rows.push_back(std::uint32_t{1} << i);
    return count.linear(low);
  }
  return count.mapped(
      *indexing::build("ami " + std::to_string(problem.shape.banks), problem.shape));
}

/// Returns a bound for any mapping onto this number of banks: a set of more words than banks always
/// conflicts.
std::uint64_t leastConflicts(const Problem& problem) {
  std::uint64_t least = 0;
  for (std::size_t set = 0; set < problem.sets.size(); ++set) {
    least += problem.sets.weight(set) * ((problem.sets.words(set).size - 1) / problem.shape.banks);
  }
  return least;
}

/// Takes the best mapping of a search over; `exhaustive`: nothing in its class is better.
template <class Best>
void take(const Best& best, const Problem& problem, bool exhaustive, Found& found) {
  found.mapping = best.text;
  found.after = best.conflicts;
  found.candidates = best.candidates;
  const std::uint64_t least = found.after == 0 || exhaustive ? 0 : leastConflicts(problem);
  if (found.after == 0) {
    found.proof = Proof::ConflictFree;
  } else if (exhaustive || found.after == least) {
    found.proof = Proof::Optimal;
  } else if (least != 0) {
    found.proof = Proof::Bound;
    found.bound = least;
  }
}

void searchLinear(const Problem& problem, const ConflictCount& count, const SearchOptions& options,
                  Found& found) {
  const std::string family = name(found.mappingClass);
  const unsigned m = indexing::bankBits(problem.shape, family);
  if (m == 0) {
    throw IndexingError(family +
                        " on 1 bank: there is nothing to choose; expected 2 banks or more");
  }
  const LinearProblem linear{problem.sets, count, count.addressBits(), m};
  found.rank = m;
  if (found.mappingClass == MappingClass::Matrix) {
    const GeneralResult best =
        generalXor(problem.sets, count, m, publishedChoices(linear), options);
    for (const std::uint32_t row : best.bank.rows) {
      found.mapping += (found.mapping.empty() ? "matrix " : ",") + std::to_string(row);
    }
    found.mapping = indexing::build(found.mapping, problem.shape)->text();
    found.after = best.conflicts;
    found.proof = best.proof;
    found.bound = best.proof == Proof::Bound ? best.bound : 0;
    found.candidates = spaceOf(found.mappingClass, linear.addressBits, m);
    return;
  }
  const bool pairs = found.mappingClass == MappingClass::Pairs;
  const bool exhaustive = found.method == Method::Exhaustive;
  LinearChoice choice;
  if (found.mappingClass == MappingClass::Perm) {
    choice = bestPermutation(linear);
  } else if (found.mappingClass == MappingClass::Xor) {
    choice = bestBitVectorXor(linear, !exhaustive);
  } else if (exhaustive) {
    choice = bestBits(linear);
  } else if (found.method == Method::Givargis) {
    choice = byGivargis(linear, pairs);
  } else {
    choice = byMinimumImbalance(linear, pairs);
  }
  found.unchecked = choice.unchecked;
  found.uncheckedRank = choice.uncheckedRank;
  take(choice, problem, exhaustive, found);
}

}  // namespace

bool ofKernel(MappingClass mappingClass) {
  return mappingClass == MappingClass::Swizzle || mappingClass == MappingClass::Tma ||
         mappingClass == MappingClass::Padding;
}

const char* name(MappingClass mappingClass) {
  static constexpr const char* kNames[] = {"perm", "xor",     "bits",    "pairs", "matrix",
                                           "ami",  "padding", "swizzle", "tma"};
  return kNames[static_cast<unsigned>(mappingClass)];
}

const char* name(Method method) {
  static constexpr const char* kNames[] = {"exhaustive", "pruned", "givargis", "minimum-imbalance",
                                           "general"};
  return kNames[static_cast<unsigned>(method)];
}

const char* name(Proof proof) {
  static constexpr const char* kNames[] = {"conflict-free", "optimal", "bound", "heuristic"};
  return kNames[static_cast<unsigned>(proof)];
}

bool applies(MappingClass mappingClass, Method method) {
  const bool heuristic = method == Method::Givargis || method == Method::MinimumImbalance;
  switch (mappingClass) {
    case MappingClass::Xor:
      return method == Method::Exhaustive || method == Method::Pruned;
    case MappingClass::Bits:
      return method == Method::Exhaustive || heuristic;
    case MappingClass::Pairs:
      return heuristic;
    case MappingClass::Matrix:
      return method == Method::General;
    default:
      return method == Method::Exhaustive;
  }
}

ConflictCount conflictCount(const Problem& problem) {
  check(problem);
  return ConflictCount(problem.sets, addressBitsOf(problem.shape));
}

namespace {

std::uint32_t vectorBytes(const indexing::Shape& shape, const SearchOptions& options) {
  return std::max(options.vectorBytes, shape.wordBytes);
}

void checkVector(MappingClass mappingClass, const indexing::Shape& shape,
                 const SearchOptions& options) {
  const std::uint32_t bytes = vectorBytes(shape, options);
  if (!isPowerOfTwo(bytes)) {
    throw IndexingError("vectors of " + std::to_string(bytes) + " bytes; expected a power of two");
  }
  if (bytes > shape.wordBytes && !ofKernel(mappingClass)) {
    throw IndexingError(std::string(name(mappingClass)) + " does not keep vectors of " +
                        std::to_string(bytes) + " bytes whole; expected swizzle, tma or padding");
  }
  if (mappingClass == MappingClass::Tma && bytes > 16) {
    throw IndexingError("tma moves chunks of 16 bytes, which would split vectors of " +
                        std::to_string(bytes));
  }
}

void searchModulus(const Problem& problem, const ConflictCount& count, const SearchOptions& options,
                   Found& found) {
  constexpr std::uint32_t kMostBanks = 4096;
  const std::uint32_t most =
      options.maxBanks != 0 ? options.maxBanks : std::min(2 * problem.shape.banks, kMostBanks);
  found.searched = "moduli of 1 to " + std::to_string(most);
  take(bestModulus(count, problem.shape, most), problem, true, found);
}

void searchPadding(const Problem& problem, const ConflictCount& count, const SearchOptions& options,
                   Found& found) {
  PaddingOptions padding;
  padding.unit = vectorBytes(problem.shape, options) / problem.shape.wordBytes;
  padding.mostAdded = options.mostPadding;
  padding.rows = options.paddingRows;
  const BestPadding best = bestPadding(count, problem.shape, padding);
  found.searched = best.searched;
  take(best, problem, best.complete, found);
}

void searchSwizzle(const Problem& problem, const ConflictCount& count, const SearchOptions& options,
                   Found& found) {
  const BestSwizzle best =
      found.mappingClass == MappingClass::Tma
          ? bestTma(count, problem.shape)
          : bestSwizzle(count, problem.shape, vectorBytes(problem.shape, options));
  found.rank = indexing::bankBits(problem.shape, "swizzle");
  take(best, problem, true, found);
}

}  // namespace

Found search(MappingClass mappingClass, Method method, const Problem& problem,
             const SearchOptions& options) {
  return search(mappingClass, method, problem, conflictCount(problem), options);
}

Found search(MappingClass mappingClass, Method method, const Problem& problem,
             const ConflictCount& count, const SearchOptions& options) {
  if (!applies(mappingClass, method)) {
    throw std::invalid_argument(std::string("the class ") + name(mappingClass) +
                                " is not searched by the method " + name(method));
  }
  check(problem);
  checkVector(mappingClass, problem.shape, options);
  if (count.addressBits() != addressBitsOf(problem.shape)) {
    throw std::invalid_argument("the conflict count is one of " +
                                std::to_string(count.addressBits()) + " address bits; expected " +
                                std::to_string(addressBitsOf(problem.shape)));
  }
  Found found;
  found.mappingClass = mappingClass;
  found.method = method;
  found.before = conflictsOfModulo(problem, count);
  switch (mappingClass) {
    case MappingClass::Ami:
      searchModulus(problem, count, options, found);
      break;
    case MappingClass::Padding:
      searchPadding(problem, count, options, found);
      break;
    case MappingClass::Swizzle:
    case MappingClass::Tma:
      searchSwizzle(problem, count, options, found);
      break;
    default:
      if (options.regions > 1) return searchRegions(mappingClass, method, problem, count, options);
      searchLinear(problem, count, options, found);
  }
  return found;
}

}  // namespace fermata::search
