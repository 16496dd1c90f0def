// The padding that leaves the fewest conflicts: what a programmer would do by hand, beside the
// hashes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/search/conflict_count.h>

namespace fermata::search {

struct Padding {
  std::uint32_t row = 1;    ///< words of data in a row
  std::uint32_t words = 0;  ///< words behind each row
};

/// No padding first; then 1 to banks-1 words behind rows of 2, 4, 8, ... words and of 1, 2, 3, ...
/// 32 times the banks, all shorter than the memory and at most 4096 words; rows rising.
std::vector<Padding> paddings(const indexing::Shape& shape);

struct BestPadding {
  std::string text;         ///< "pad row=R words=P"
  std::uint64_t added = 0;  ///< words that the memory needs more
  std::uint64_t conflicts = 0;
  std::uint64_t candidates = 0;
};

/// Fewest conflicts, then fewest added words, then the shorter row.
BestPadding bestPadding(const ConflictCount& count, const indexing::Shape& shape);

}  // namespace fermata::search
