// The padding that leaves the fewest conflicts: what a programmer would do by hand, beside the
// hashes.
#pragma once

#include <cstdint>
#include <string>

#include <fermata/models/search/conflict_count.h>

namespace fermata::search {

struct PaddingOptions {
  std::uint64_t mostLooks = std::uint64_t{1} << 31;  ///< at a word of a set
  /// Rows and words are multiples of so many, a power of two: aligned vectors of them stay whole.
  std::uint32_t unit = 1;
  /// Words inserted below the largest word of the sets, at most.
  std::uint64_t mostAdded = ~std::uint64_t{0};
};

struct BestPadding {
  std::string text;         ///< "pad row=R words=P"
  std::uint64_t added = 0;  ///< words that the memory needs more
  std::uint64_t conflicts = 0;
  std::uint64_t candidates = 0;
  std::uint32_t allRows = 0;  ///< every row from 2 to this many words was searched
  bool complete = false;      ///< no padding of any row leaves fewer conflicts
  std::string searched;       ///< which rows and words, for a person
};

/// 1 to banks-1 words behind each row of 2 words or more, and no padding: fewest conflicts, then
/// fewest added words, then the shorter row. That is complete where rows reach the largest word of
/// the sets: a longer row changes no bank, nor do banks words behind one, and words behind single
/// words tell no two banks apart that were one. Rows end at 4096, and where the work would exceed
/// `options.mostLooks`; rows of 2, 4, 8, ... words and of 1 to 32 times the banks are searched up
/// to 4096 in any case.
BestPadding bestPadding(const ConflictCount& count, const indexing::Shape& shape,
                        const PaddingOptions& options = {});

}  // namespace fermata::search
