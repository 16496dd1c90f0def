// The mappings that are linear over GF(2), against their formulas.
#include <bitset>

#include <fermata/models/indexing/linear.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

/// Returns the row by hand: the bits of `word` under the ones of `mask`, moved together.
std::uint32_t gather(std::uint32_t word, std::uint32_t mask) {
  std::uint32_t result = 0;
  unsigned at = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((mask >> bit & 1U) != 0) result |= (word >> bit & 1U) << at++;
  }
  return result;
}

std::uint32_t rowBits(const Indexer& indexer) {
  std::uint32_t mask = 0;
  for (const std::uint32_t row : dynamic_cast<const LinearIndexer&>(indexer).rowMatrix().rows) {
    mask |= row;
  }
  return mask;
}

std::string number(std::uint32_t value) {
  return std::to_string(value);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linear_mappings)

BOOST_AUTO_TEST_CASE(all_bit_vector_permutations) {
  for (std::uint32_t k = 0; k <= 9; ++k) {
    const auto indexer = build("perm k=" + number(k), {32, 12288});
    test::checkPlaces(*indexer, 12288, [k](std::uint32_t word) -> Location {
      const std::uint32_t below = word & ((1U << k) - 1);
      return {word >> k & 31U, word >> (k + 5) << k | below};
    });
  }
}

BOOST_AUTO_TEST_CASE(all_4480_bit_vector_xor_functions_are_built_or_refused) {
  unsigned built = 0;
  unsigned refused = 0;
  for (std::uint32_t k1 = 0; k1 <= 9; ++k1) {
    for (std::uint32_t k2 = 0; k2 <= 13; ++k2) {
      for (std::uint32_t mask = 0; mask <= 31; ++mask) {
        const auto bank = [=](std::uint32_t word) {
          return (word >> k1 ^ (word >> k2 & mask)) & 31U;
        };
        // Independent bank bits reach every bank: counts the banks of all 2^14 words.
        std::bitset<32> reached;
        for (std::uint32_t word = 0; word < 1U << 14; word += 1) reached.set(bank(word));
        const std::string text =
            "xor k1=" + number(k1) + " k2=" + number(k2) + " mask=" + number(mask);
        try {
          const auto indexer = build(text, {32, 12288});
          ++built;
          BOOST_REQUIRE_MESSAGE(reached.all(), text);
          for (std::uint32_t word = 0; word < 12288; word += 37) {
            BOOST_REQUIRE_MESSAGE(indexer->location(word).bank == bank(word), text);
          }
        } catch (const IndexingError&) {
          ++refused;
          BOOST_REQUIRE_MESSAGE(!reached.all(), text);
        }
      }
    }
  }
  BOOST_TEST(built + refused == 4480U);  // table I: (n-m+1) * n * 2^m
  BOOST_TEST(refused >= 310U);           // at least k1 = k2 with any mask but 0
}

BOOST_AUTO_TEST_CASE(xor_is_its_formula_on_every_word) {
  struct Case {
    std::uint32_t k1, k2, mask;
  };
  for (const Case c :
       {Case{0, 5, 7}, Case{2, 8, 7}, Case{9, 0, 31}, Case{3, 13, 1}, Case{0, 1, 16}}) {
    const auto indexer = build(
        "xor k1=" + number(c.k1) + " k2=" + number(c.k2) + " mask=" + number(c.mask), {32, 12288});
    const std::uint32_t rows = rowBits(*indexer);
    test::checkPlaces(*indexer, 12288, [c, rows](std::uint32_t word) -> Location {
      return {(word >> c.k1 ^ (word >> c.k2 & c.mask)) & 31U, gather(word, rows)};
    });
  }
}

BOOST_AUTO_TEST_CASE(bits_and_pairs_are_their_formulas) {
  const auto bits = build("bits 3,4,0,1,2", {32, 12288});
  test::checkPlaces(*bits, 12288, [](std::uint32_t w) -> Location {
    return {(w >> 3 & 3U) | (w & 7U) << 2, w >> 5};
  });
  const auto pairs = build("pairs 3,4,0^5,1^6,2^7", {32, 12288});
  test::checkPlaces(*pairs, 12288, [](std::uint32_t w) -> Location {
    return {(w >> 3 & 3U) | ((w ^ w >> 5) & 7U) << 2, w >> 5};
  });
}

BOOST_AUTO_TEST_CASE(fixed_xor_and_add_for_every_bank_count) {
  for (unsigned m = 0; m <= 12; ++m) {
    const std::uint32_t banks = 1U << m;
    for (const std::uint32_t words : {1U, 40U, 12288U, 70000U}) {
      const auto hash = build("fixed-xor", {banks, words});
      test::checkPlaces(*hash, words, [m, banks](std::uint32_t w) -> Location {
        return {(w ^ w >> m) & (banks - 1), w >> m};
      });
      const auto sum = build("add", {banks, words});
      test::checkPlaces(*sum, words, [m, banks](std::uint32_t w) -> Location {
        return {((w & (banks - 1)) + (w >> m & (banks - 1))) % banks, w >> m};
      });
      BOOST_TEST(sum->rows() == (words + banks - 1) / banks);
      BOOST_TEST(hash->rows() == (words + banks - 1) / banks);
    }
  }
}

BOOST_AUTO_TEST_CASE(seeded_matrices_are_parities_and_invertible) {
  std::mt19937 random(5);
  unsigned built = 0;
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned m = 1 + round % 7;
    const std::uint32_t words = 1 + static_cast<std::uint32_t>(random()) % 20000;
    const unsigned n = addressBits({1U << m, words}, m);
    std::vector<std::uint32_t> rows;
    std::string text = "matrix ";
    for (unsigned i = 0; i < m; ++i) {
      rows.push_back(static_cast<std::uint32_t>(random()) & gf2::columnMask(n));
      text += (i == 0 ? "" : ",") + number(rows.back());
    }
    if (gf2::rank({n, rows}) < m) {
      BOOST_REQUIRE_THROW(build(text, {1U << m, words}), IndexingError);
      continue;
    }
    ++built;
    const auto indexer = build(text, {1U << m, words});
    const std::uint32_t mask = rowBits(*indexer);
    test::checkPlaces(*indexer, words, [&rows, mask](std::uint32_t word) -> Location {
      return {test::bankOf(rows, word), gather(word, mask)};
    });
    test::checkInjective(*indexer);
  }
  BOOST_TEST(built > 150U);
}

BOOST_AUTO_TEST_CASE(rows_are_no_more_than_needed_when_low_bits_suffice) {
  for (const char* text : {"xor k1=0 k2=5 mask=7", "perm k=2", "bits 4,3,2,1,0",
                           "pairs 3,4,0^13,1^6,2^7", "fixed-xor"}) {
    BOOST_TEST(build(text, {32, 12288})->rows() == 384U, text);
  }
  // Bank bit 4 is address bit 13: half of its banks have only half as many words.
  BOOST_TEST(build("bits 0,1,2,3,13", {32, 12288})->rows() == 512U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
