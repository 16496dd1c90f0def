// Helpers that several of these tests share.
#pragma once

#include <bitset>

#include <fermata/models/indexing/bank_load.h>
#include <fermata/models/indexing/indexer.h>

#include "tests/support/test.h"

namespace fermata::indexing::test {

using Lanes = std::array<std::uint32_t, kWarpLanes>;
using Rows = std::vector<std::uint32_t>;

inline bool parity(std::uint32_t bits) {
  return std::bitset<32>(bits).count() % 2 != 0;
}

/// Returns the bank of a word: bit i is the parity of its address bits in rows[i].
inline std::uint32_t bankOf(const Rows& rows, std::uint32_t word) {
  std::uint32_t bank = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bank |= static_cast<std::uint32_t>(parity(rows[i] & word)) << i;
  }
  return bank;
}

inline bool operator==(const Location& a, const Location& b) {
  return a.bank == b.bank && a.row == b.row;
}

/// Returns text such as "word 7: bank 1 row 2".
inline std::string show(std::uint32_t word, const Location& place) {
  return "word " + std::to_string(word) + ": bank " + std::to_string(place.bank) + " row " +
         std::to_string(place.row);
}

/// Fails unless location() and locate() give the oracle's place for each word below `words`.
/// locate() is called for 32 lanes at a time. Inactive lanes of the last call hold rubbish; their
/// results must stay in range.
template <typename Oracle>
void checkPlaces(const Indexer& indexer, std::uint32_t words, Oracle oracle) {
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
      const Location found{bank[lane], row[lane]};
      if (found.bank >= indexer.shape().banks || found.row >= indexer.rows())
        BOOST_FAIL(indexer.text() << ": out of range at " << show(word[lane], found));
      if ((active >> lane & 1U) == 0) continue;
      const Location one = indexer.location(word[lane]);
      const Location expected = oracle(word[lane]);
      if (found == expected && one == expected) continue;
      BOOST_FAIL(indexer.text() << ": " << show(word[lane], one) << ", lanes say "
                                << show(word[lane], found) << ", expected "
                                << show(word[lane], expected));
    }
  }
}

/// Fails unless the mapping is an injection into banks x rows() without a spare row.
inline void checkInjective(const Indexer& indexer) {
  std::vector<std::int64_t> owner(std::size_t{indexer.shape().banks} * indexer.rows(), -1);
  std::uint32_t largest = 0;
  for (std::uint32_t word = 0; word < indexer.shape().words; ++word) {
    const Location place = indexer.location(word);
    if (place.bank >= indexer.shape().banks || place.row >= indexer.rows())
      BOOST_FAIL(indexer.text() << " out of range: " << show(word, place));
    largest = std::max(largest, place.row);
    std::int64_t& cell = owner[std::size_t{place.row} * indexer.shape().banks + place.bank];
    if (cell >= 0)
      BOOST_FAIL(indexer.text() << " collides with word " << cell << ": " << show(word, place));
    cell = word;
  }
  BOOST_REQUIRE_MESSAGE(largest + 1 == indexer.rows(), indexer.text() << ": rows() is too large");
}

/// A text that is refused, with a part of the reason and the column.
struct BadText {
  const char* text;
  const char* reason;
  std::size_t column;
  Shape shape = {};
};

/// Checks that `take(bad)` refuses each text for its reason, at its column.
template <typename Take>
void checkRefusals(const std::vector<BadText>& all, Take take) {
  for (const BadText& bad : all) {
    BOOST_TEST_CONTEXT("'" << bad.text << "'") {
      BOOST_CHECK_EXCEPTION(take(bad), IndexingError, [&](const IndexingError& error) {
        BOOST_TEST(error.column() == bad.column);
        BOOST_TEST(fermata::test::has(error.what(), bad.reason), error.what());
        return true;
      });
    }
  }
}

/// Builds a mapping of 32 banks of 100 words, or fails unless the column of its error is one of the
/// text. Returns true if it was built.
inline bool buildOrRefuse(const std::string& text) {
  try {
    build(text, {32, 100});
    return true;
  } catch (const IndexingError& error) {
    BOOST_REQUIRE_LE(error.column(), text.size() + 1);
    return false;
  }
}

/// Builds the mapping of a bad text.
inline void buildBad(const BadText& bad) {
  build(bad.text, bad.shape);
}

}  // namespace fermata::indexing::test
