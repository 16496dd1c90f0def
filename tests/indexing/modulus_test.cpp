// mod, ami and seznec against / and %.
#include <fermata/models/indexing/reciprocal.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

std::unique_ptr<Indexer> make(const std::string& text, std::uint32_t words) {
  return build(text, {32, words});
}

std::uint32_t ceilDivide(std::uint32_t a, std::uint32_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(moduli)

BOOST_AUTO_TEST_CASE(reciprocal_is_exact_at_every_edge_of_every_divisor) {
  std::mt19937 random(7);
  for (std::uint32_t divisor = 1; divisor <= 4096; ++divisor) {
    for (const std::uint32_t limit : {1U, 2U, 12288U, 65536U, 1000003U, 1U << 31, ~0U}) {
      const Reciprocal reciprocal(divisor, limit);
      const std::uint32_t last = limit - 1;
      const std::uint32_t top = last / divisor * divisor;
      std::vector<std::uint32_t> dividends = {0,
                                              last,
                                              top,
                                              top == 0 ? 0 : top - 1,
                                              std::min(last, divisor),
                                              std::min(last, divisor - 1)};
      for (unsigned i = 0; i < 8; ++i) {
        const std::uint32_t x = static_cast<std::uint32_t>(random()) % limit;
        dividends.push_back(x);
        dividends.push_back(x / divisor * divisor);
      }
      for (const std::uint32_t x : dividends) {
        BOOST_REQUIRE_MESSAGE(reciprocal.quotient(x) == x / divisor,
                              x << " / " << divisor << " with limit " << limit);
      }
    }
  }
  BOOST_TEST(Reciprocal(33, 12288).narrow());
  BOOST_TEST(!Reciprocal(33, ~0U).narrow());
  BOOST_CHECK_THROW(Reciprocal(0, 5), std::invalid_argument);
  BOOST_CHECK_THROW(Reciprocal(4097, 5), std::invalid_argument);
  BOOST_CHECK_THROW(Reciprocal(3, 0), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(ami_is_div_and_mod_for_every_modulus) {
  for (std::uint32_t modulus = 1; modulus <= 4096; ++modulus) {
    const std::uint32_t words = modulus <= 128 ? 12288 : 2 * modulus + 7;
    const auto indexer = make("ami " + std::to_string(modulus), words);
    BOOST_REQUIRE_EQUAL(indexer->shape().banks, modulus);
    BOOST_REQUIRE_EQUAL(indexer->rows(), ceilDivide(words, modulus));
    test::checkPlaces(*indexer, words, [modulus](std::uint32_t word) -> Location {
      return {word % modulus, word / modulus};
    });
  }
}

BOOST_AUTO_TEST_CASE(ami_of_the_whole_32_bit_space) {
  std::mt19937 random(33);
  for (const std::uint32_t modulus : {3U, 31U, 33U, 61U, 62U, 641U, 4095U, 4096U}) {
    const auto indexer = make("ami " + std::to_string(modulus), ~0U);
    BOOST_TEST(indexer->rows() == ceilDivide(~0U, modulus));
    for (unsigned round = 0; round < 2000; ++round) {
      test::Lanes word;
      test::Lanes bank;
      test::Lanes row;
      for (std::uint32_t& w : word) w = static_cast<std::uint32_t>(random()) % ~0U;
      word[0] = ~0U - 1;
      indexer->locate(word, kAllLanes, bank, row);
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        BOOST_REQUIRE_EQUAL(bank[lane], word[lane] % modulus);
        BOOST_REQUIRE_EQUAL(row[lane], word[lane] / modulus);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_three_forms_of_ami_agree) {
  for (const std::uint32_t modulus : {1U, 2U, 6U, 31U, 33U, 39U, 48U, 53U, 62U, 64U, 100U}) {
    for (const std::string corner : {" corner=exact", " corner=all-ones"}) {
      const std::uint32_t words = modulus == 33 || modulus == 53 || modulus == 100 ? 4000 : modulus;
      const std::string text = "ami " + std::to_string(modulus) + corner;
      const auto fast = make(text + " form=fast", words);
      for (const std::string form : {" form=array", " form=canonical"}) {
        const auto other = make(text + form, words);
        BOOST_TEST(other->rows() == fast->rows());
        test::checkPlaces(*other, words, [&](std::uint32_t w) { return fast->location(w); });
        test::checkPlaces(*fast, words, [&](std::uint32_t w) { return other->location(w); });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(xor_ami_is_ami_of_a_mixed_word) {
  for (const std::uint32_t banks : {1U, 5U, 33U, 80U, 128U, 160U}) {
    const auto indexer = build("xor-ami", {banks, 50000});
    test::checkInjective(*indexer);
    test::checkPlaces(*indexer, 50000, [&](std::uint32_t w) {
      const std::uint32_t mixed = w ^ w >> 7 ^ w >> 13;
      return Location{mixed % banks, mixed / banks};
    });
  }
  BOOST_CHECK_THROW(build("xor-ami", {32, 0x80000001U}), IndexingError);
}

// Eight words a bank; words that lie at random have twice their share on the fullest bank.
BOOST_AUTO_TEST_CASE(strides_do_not_camp_under_xor_ami) {
  for (const std::uint32_t banks : {24U, 32U, 48U, 64U, 80U, 96U, 160U}) {
    const auto indexer = build("xor-ami", {banks, 1U << 25});
    std::vector<std::uint32_t> strides;
    for (unsigned bit = 0; bit < 15; ++bit) strides.push_back(1U << bit);
    for (unsigned bit = 0; bit < 7; ++bit) strides.push_back(banks << bit);
    for (const std::uint32_t stride : strides) {
      std::vector<unsigned> words(banks);
      for (std::uint32_t i = 0; i < 8 * banks; ++i) ++words[indexer->location(i * stride).bank];
      BOOST_TEST_CONTEXT(banks << " banks, stride " << stride)
      BOOST_TEST(*std::max_element(words.begin(), words.end()) <= 23U);
    }
  }
}

BOOST_AUTO_TEST_CASE(uncorrected_ami_moves_multiples_one_row_down) {
  const auto indexer = make("ami 34 corner=all-ones", 12288);  // 34 = 2 * 17
  BOOST_TEST(indexer->rows() == 512U);                         // DIV is 0 to 361: 9 bits
  test::checkPlaces(*indexer, 12288, [](std::uint32_t word) -> Location {
    const std::uint32_t bank = word % 34;
    return {bank, (word / 34 - (bank < 2 ? 1 : 0)) & 511U};
  });
}

BOOST_AUTO_TEST_CASE(mod_is_low_bits_and_the_rest) {
  for (std::uint32_t banks = 1; banks <= 4096; banks *= 2) {
    for (const std::uint32_t words : {1U, 31U, 12288U}) {
      const auto indexer = make("mod " + std::to_string(banks), words);
      BOOST_TEST(indexer->rows() == ceilDivide(words, banks));
      test::checkPlaces(*indexer, words, [banks](std::uint32_t word) -> Location {
        return {word % banks, word / banks};
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(seznec_is_mod_and_shifted_mod) {
  for (std::uint32_t banks = 1; banks <= 4096; banks += banks < 130 ? 1 : 61) {
    for (const std::uint32_t words : {1U, 97U, 3 * banks, 4 * banks, 12288U}) {
      const auto indexer = make("seznec " + std::to_string(banks), words);
      std::uint32_t low = 1;
      while (banks % (2 * low) == 0) low *= 2;
      std::uint32_t rows = 1;
      while (rows < ceilDivide(words, banks)) rows *= 2;
      test::checkPlaces(*indexer, words, [banks, low, rows](std::uint32_t word) -> Location {
        return {word % banks, word / low % rows};
      });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
