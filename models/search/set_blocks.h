// Access sets laid out for the degree kernels.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/access_sets.h>
#include <fermata/models/search/degree_kernels.h>

namespace fermata::search {

/// The sets of at most 32 words, in blocks; the sets that can cost most come first. Padding words
/// are `noWord`. `order[8 * block + s]` is the number of the set, kNoSet for none.
struct SetBlocks {
  static constexpr std::uint32_t kNoSet = ~std::uint32_t{0};

  kernels::WordBlocks words;
  std::vector<std::uint32_t> order;
};

/// `chosen`: numbers of the sets to take.
SetBlocks blocksOf(const AccessSets& sets, std::vector<std::uint32_t> chosen, std::uint32_t noWord);

/// Returns `words` as groups of four bits, for linear mappings of words of up to 24 bits.
kernels::NibbleBlocks nibblesOf(const kernels::WordBlocks& words, std::uint32_t noWord,
                                unsigned addressBits);

/// Returns the tables of a matrix of at most 7 rows, for words of addressBits bits.
kernels::NibbleTables nibbleTables(const indexing::gf2::Matrix& bank, unsigned addressBits);

}  // namespace fermata::search
