// Property: every mapping that is built is an injection into banks x rows(); every refusal names
// two words that really collide.
#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/linear.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

std::string number(std::uint32_t value) {
  return std::to_string(value);
}

/// Returns a random text of any family, often legal; deterministic for a seed.
std::string randomText(std::mt19937& random, unsigned m) {
  const auto below = [&random](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random()) % limit;
  };
  switch (below(11)) {
    case 0:
      return "ami " + number(1 + below(200)) + (below(3) == 0 ? " corner=all-ones" : "");
    case 1:
      return "seznec " + number(1 + below(200));
    case 2:
      return "perm k=" + number(below(12));
    case 3:
      return "xor k1=" + number(below(9)) + " k2=" + number(below(13)) +
             " mask=" + number(below(1U << m));
    case 4:
      return "fixed-xor";
    case 5:
      return "add";
    case 6:
      return "mod " + number(1U << below(8));
    case 7:
      return "pad row=" + number(1 + below(300)) + " words=" + number(below(40));
    case 8:
      return below(2) == 0
                 ? "xor-ami"
                 : "xor-ami shifts=" + number(1 + below(31)) + "," + number(1 + below(31));
    default:
      break;
  }
  std::string text;
  const bool pairs = below(2) == 0;
  for (unsigned i = 0; i < m; ++i) {
    text += (i == 0 ? (pairs ? "pairs " : "bits ") : ",") + number(below(14));
    if (pairs && below(2) == 0) text += "^" + number(below(14));
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(injectivity)

BOOST_AUTO_TEST_CASE(whatever_is_built_is_injective_and_parses_back) {
  std::mt19937 random(99);
  unsigned built = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    const unsigned m = 1 + static_cast<unsigned>(random()) % 6;
    const Shape shape{1U << m, 1 + static_cast<std::uint32_t>(random()) % 16384};
    const std::string text = randomText(random, m);
    std::unique_ptr<Indexer> indexer;
    try {
      indexer = build(text, shape);
    } catch (const IndexingError&) {
      continue;
    }
    ++built;
    test::checkInjective(*indexer);
    const auto again = build(indexer->text(), shape);
    BOOST_REQUIRE_EQUAL(again->text(), indexer->text());
    BOOST_REQUIRE_EQUAL(again->rows(), indexer->rows());
    test::checkPlaces(*again, shape.words,
                      [&](std::uint32_t word) { return indexer->location(word); });
  }
  BOOST_TEST(built > 1200U);
}

BOOST_AUTO_TEST_CASE(examples_of_every_family_are_injective_and_parse_back) {
  for (const Family& family : families()) {
    const auto indexer = build(family.example, {32, 12288});
    BOOST_TEST(indexer->text().rfind(family.name, 0) == 0U, indexer->text());
    test::checkInjective(*indexer);
    const auto again = build(indexer->text(), {32, 12288});
    test::checkPlaces(*again, 12288, [&](std::uint32_t word) { return indexer->location(word); });
  }
}

BOOST_AUTO_TEST_CASE(refused_matrices_name_two_words_that_collide) {
  std::mt19937 random(4);
  const std::string before = "words 0 and ";
  const std::string after = " collide in bank 0, row 0";
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned m = 2 + round % 5;
    std::vector<std::uint32_t> rows;
    for (unsigned i = 0; i < m; ++i) rows.push_back(static_cast<std::uint32_t>(random()) & 0x3fffU);
    rows[m - 1] = round % 2 == 0 ? rows[0] ^ rows[m - 2] : rows[0];
    std::string text = "matrix ";
    for (unsigned i = 0; i < m; ++i) text += (i == 0 ? "" : ",") + number(rows[i]);
    std::string message;
    try {
      build(text, {1U << m, 12288});
    } catch (const IndexingError& error) {
      message = error.what();
    }
    const std::size_t start = message.find(before);
    const std::size_t stop = message.find(after);
    BOOST_REQUIRE_MESSAGE(start < stop && stop != std::string::npos, text << ": " << message);
    const std::size_t digits = start + before.size();
    const auto other =
        static_cast<std::uint32_t>(std::stoul(message.substr(digits, stop - digits)));
    BOOST_REQUIRE_NE(other, 0U);
    BOOST_REQUIRE_EQUAL(other >> m, 0U);  // the row: address bits from m upwards
    BOOST_REQUIRE_EQUAL(gf2::multiply({14, rows}, other), 0U);
  }
}

BOOST_AUTO_TEST_CASE(uncorrected_ami_is_refused_exactly_when_it_collides) {
  for (std::uint32_t modulus = 2; modulus <= 130; ++modulus) {
    const AmiArithmetic ami(modulus);
    for (const std::uint32_t words : {modulus, modulus + 1, 40 * modulus}) {
      // A bank output of M or more selects bank - M. Rows are as wide as the largest DIV.
      std::uint32_t mask = 0;
      while (mask < (words - 1) / modulus) mask = mask << 1 | 1U;
      std::vector<bool> taken(std::size_t{modulus} * (mask + 1U));
      bool collides = false;
      for (std::uint32_t word = 0; word < words; ++word) {
        const AmiResult raw = ami.array(word, AmiCorner::AllOnes);
        const std::size_t cell = std::size_t{raw.div & mask} * modulus +
                                 (raw.mod >= modulus ? raw.mod - modulus : raw.mod);
        collides = collides || taken[cell];
        taken[cell] = true;
      }
      const std::string text = "ami " + number(modulus) + " corner=all-ones";
      if (collides) {
        BOOST_REQUIRE_THROW(build(text, {32, words}), IndexingError);
      } else {
        BOOST_REQUIRE_NO_THROW(build(text, {32, words}));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
