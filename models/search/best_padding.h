// Finds the padding that leaves the fewest conflicts, as a programmer would do it by hand, to
// compare with the hashes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/search/conflict_count.h>

namespace fermata::search {

struct PaddingOptions {
  std::uint64_t mostLooks = std::uint64_t{1} << 31;  ///< most looks at a word of a set
  /// Rows and padding are multiples of `unit` words, a power of two: aligned vectors of `unit`
  /// words stay whole.
  std::uint32_t unit = 1;
  /// Most words inserted below the largest word of the sets.
  std::uint64_t mostAdded = ~std::uint64_t{0};
  /// Rows to look at, in words: the strides that a layout has; empty: every row.
  std::optional<std::vector<std::uint64_t>> rows = std::nullopt;
};

struct BestPadding {
  std::string text;         ///< "pad row=R words=P"
  std::uint64_t added = 0;  ///< additional words that the memory needs
  std::uint64_t conflicts = 0;
  std::uint64_t candidates = 0;
  std::uint32_t allRows = 0;  ///< every row from 2 to this many words was searched
  bool complete = false;      ///< no padding of any row leaves fewer conflicts
  std::string searched;       ///< rows and padding that were searched, for a person
};

/// Tries no padding, and 1 to banks-1 words behind each row of 2 words or more. Takes the fewest
/// conflicts, then the fewest added words, then the shorter row. The search is complete if rows
/// reach the largest word of the sets: a longer row changes no bank, nor do `banks` words behind a
/// row, and words behind single words separate no two words that shared a bank. Rows end at 4096,
/// and where the work would exceed `options.mostLooks`. Rows of 2, 4, 8, ... words and of 1 to 32
/// times the banks are searched up to 4096 in any case. With `options.rows`, all of these that are
/// multiples of the unit, up to 4096 words, are searched and no others.
BestPadding bestPadding(const ConflictCount& count, const indexing::Shape& shape,
                        const PaddingOptions& options = {});

}  // namespace fermata::search
