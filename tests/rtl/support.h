// Helpers that several of these tests share.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/rtl/map_block.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

namespace fermata::rtl::test {

/// Returns the number of addresses to give each block: FERMATA_RTL_ADDRESSES, by default a million.
inline std::uint64_t addresses() {
  const char* const text = std::getenv("FERMATA_RTL_ADDRESSES");
  return text == nullptr ? 1000000 : std::strtoull(text, nullptr, 10);
}

inline constexpr LaneMask kAll = ~LaneMask{0};

inline std::string show(std::uint32_t bank, std::uint32_t row) {
  return "bank " + std::to_string(bank) + " row " + std::to_string(row);
}

/// Returns the first word of a warp that block and model take to different places; empty if none.
inline std::string difference(const indexing::Indexer& model, MapBlock& block, const Lanes& word) {
  Lanes bank;
  Lanes row;
  Lanes modelBank;
  Lanes modelRow;
  block.map(word, kAll, bank, row);
  model.locate(word, kAll, modelBank, modelRow);
  if (bank == modelBank && row == modelRow) return "";
  unsigned lane = 0;
  while (bank[lane] == modelBank[lane] && row[lane] == modelRow[lane]) ++lane;
  return model.text() + " takes word " + std::to_string(word[lane]) + " to " +
         show(modelBank[lane], modelRow[lane]) + ", the block to " + show(bank[lane], row[lane]);
}

/// Returns the first difference over the words 0 to `words` - 1.
inline std::string firstDifference(const indexing::Indexer& model, MapBlock& block,
                                   std::uint64_t words) {
  for (std::uint64_t first = 0; first < words; first += kWarpLanes) {
    Lanes word;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      word[lane] = static_cast<std::uint32_t>(std::min(first + lane, words - 1));
    }
    const std::string found = difference(model, block, word);
    if (!found.empty()) return found;
  }
  return "";
}

/// Returns the first difference over addresses() words that `next` makes.
template <class Next>
std::string firstDifference(const indexing::Indexer& model, MapBlock& block, Next next) {
  for (std::uint64_t done = 0; done < addresses(); done += kWarpLanes) {
    Lanes word;
    std::generate(word.begin(), word.end(), next);
    const std::string found = difference(model, block, word);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace fermata::rtl::test
