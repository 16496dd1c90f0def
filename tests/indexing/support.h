// Helpers that several of these tests share.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fermata/models/indexing/bank_load.h>
#include <fermata/models/indexing/indexer.h>

namespace fermata::indexing::test {

using Lanes = std::array<std::uint32_t, kWarpLanes>;

inline bool operator==(const Location& a, const Location& b) {
  return a.bank == b.bank && a.row == b.row;
}

/// Returns text such as "word 7: bank 1 row 2".
inline std::string show(std::uint32_t word, const Location& place) {
  return "word " + std::to_string(word) + ": bank " + std::to_string(place.bank) + " row " +
         std::to_string(place.row);
}

/// Returns the first word below `words` at which location() or locate() differs from the oracle;
/// empty if none does. locate() is called for 32 lanes at a time. Inactive lanes of the last call
/// hold rubbish; their results must stay in range.
template <typename Oracle>
std::string firstDifference(const Indexer& indexer, std::uint32_t words, Oracle oracle) {
  for (std::uint32_t first = 0; first < words; first += kWarpLanes) {
    Lanes word;
    LaneMask active = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      word[lane] = first + lane < words ? first + lane : 0xdeadbeefU + lane * 0x1234567U;
      if (first + lane < words) active |= LaneMask{1} << lane;
    }
    Lanes bank;
    Lanes row;
    indexer.locate(word, active, bank, row);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (bank[lane] >= indexer.shape().banks || row[lane] >= indexer.rows()) {
        return "out of range at " + show(word[lane], {bank[lane], row[lane]});
      }
      if ((active >> lane & 1U) == 0) continue;
      const Location expected = oracle(word[lane]);
      if (!(Location{bank[lane], row[lane]} == expected) ||
          !(indexer.location(word[lane]) == expected)) {
        return indexer.text() + ": " + show(word[lane], indexer.location(word[lane])) +
               ", lanes say " + show(word[lane], {bank[lane], row[lane]}) + ", expected " +
               show(word[lane], expected);
      }
    }
  }
  return "";
}

/// Returns how the mapping fails to be an injection into banks x rows() without a spare row; empty
/// if it is one.
inline std::string firstCollision(const Indexer& indexer) {
  const std::uint32_t words = indexer.shape().words;
  std::vector<std::int64_t> owner(std::size_t{indexer.shape().banks} * indexer.rows(), -1);
  std::uint32_t largest = 0;
  for (std::uint32_t word = 0; word < words; ++word) {
    const Location place = indexer.location(word);
    if (place.bank >= indexer.shape().banks || place.row >= indexer.rows()) {
      return indexer.text() + " out of range: " + show(word, place);
    }
    largest = std::max(largest, place.row);
    std::int64_t& cell = owner[std::size_t{place.row} * indexer.shape().banks + place.bank];
    if (cell >= 0) {
      return indexer.text() + " collides with word " + std::to_string(cell) + ": " +
             show(word, place);
    }
    cell = word;
  }
  return largest + 1 == indexer.rows() ? "" : indexer.text() + ": rows() is too large";
}

}  // namespace fermata::indexing::test
