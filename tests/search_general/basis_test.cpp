// The cheapest basis of a mapping, and the cost of gates.
#include <fermata/models/search/general/basis.h>

#include <fermata/models/search/general/simplify.h>
#include <fermata/models/search/general/split.h>
#include "tests/search_general/brute_force.h"
#include "tests/search_general/mixes.h"

namespace fermata::search::general {
namespace {

using indexing::gf2::Matrix;
using namespace test;

/// Returns a few random sets with words in the given span (empty: all addresses), reduced.
ReducedProblem randomProblem(Random& random, unsigned n, unsigned m, const Rows& span) {
  AccessSets sets;
  for (unsigned i = 0; i < 4; ++i) {
    Rows words;
    for (unsigned lane = 0; lane < 8; ++lane) {
      Word word = span.empty() ? below(random, Word{1} << n) : 0;
      for (const Word vector : span) word ^= below(random, 2) != 0 ? vector : 0;
      words.push_back(word);
    }
    addSet(sets, words);
  }
  return reduce(sets, n, m, {});
}

Rows randomRows(Random& random, const ReducedProblem& problem) {
  Matrix bank{problem.addressBits, {}};
  while (bank.rows.size() < problem.bankBits) {
    bank.rows.push_back(below(random, Word{1} << problem.addressBits));
    if (!independentOnDifferences(problem, bank)) bank.rows.pop_back();
  }
  return bank.rows;
}

/// True if both mappings send the same differences of L to bank 0: their spans then agree on L.
bool sameOnDifferences(const ReducedProblem& problem, const Rows& a, const Rows& b) {
  for (std::uint32_t pick = 1; pick < std::uint32_t{1} << problem.differences.size(); ++pick) {
    std::uint32_t vector = 0;
    for (std::size_t i = 0; i < problem.differences.size(); ++i) {
      vector ^= (pick >> i & 1U) != 0 ? problem.differences[i] : 0;
    }
    if ((bankOf(a, vector) == 0) != (bankOf(b, vector) == 0)) return false;
  }
  return true;
}

/// Returns the fewest gates of any three rows below 2^n that equal `rows` on the differences.
unsigned fewestGatesOfThree(const ReducedProblem& problem, const Rows& rows) {
  std::vector<Word> useful;  // vectors whose zeros include those of the mapping
  const auto keeps = [&](Word row) {
    return sameOnDifferences(problem, rows, {rows[0], rows[1], rows[2], row});
  };
  for (Word row = 1; row < Word{1} << problem.addressBits; ++row) {
    if (keeps(row)) useful.push_back(row);
  }
  unsigned fewest = 1000;
  for (const Word a : useful) {
    for (const Word b : useful) {
      for (const Word c : useful) {
        const unsigned gates = gateCount({problem.addressBits, {a, b, c}});
        if (a < b && b < c && gates < fewest && independent({a, b, c}) &&
            sameOnDifferences(problem, rows, {a, b, c})) {
          fewest = gates;
        }
      }
    }
  }
  return fewest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cheapest_bases)

BOOST_AUTO_TEST_CASE(gates_and_levels) {
  BOOST_TEST(gateCount({8, {1, 2, 4}}) == 0U);
  BOOST_TEST(gateCount({8, {3, 0xe, 0xf0}}) == 1U + 2U + 3U);
  BOOST_TEST(gateDepth({8, {1, 2}}) == 0U);
  BOOST_TEST(gateDepth({8, {1, 3}}) == 1U);
  BOOST_TEST(gateDepth({8, {7}}) == 2U);
  BOOST_TEST(gateDepth({8, {0xf}}) == 2U);
  BOOST_TEST(gateDepth({8, {0x1f}}) == 3U);
  BOOST_TEST(gateCount({8, {}}) == 0U);
}

BOOST_AUTO_TEST_CASE(no_basis_of_the_span_has_fewer_gates) {
  Random random(31);
  for (unsigned round = 0; round < 40; ++round) {
    const ReducedProblem problem = randomProblem(random, 6, 3, {});
    BOOST_REQUIRE_EQUAL(problem.differences.size(), 6U);
    const Rows rows = randomRows(random, problem);
    const Matrix bank = cheapestBasis(problem, rows);
    BOOST_REQUIRE(sameOnDifferences(problem, rows, bank.rows));
    BOOST_REQUIRE_EQUAL(gateCount(bank), fewestGatesOfThree(problem, rows));
  }
}

BOOST_AUTO_TEST_CASE(silent_masks_shorten_rows_and_change_nothing) {
  Random random(32);
  unsigned shortened = 0;
  for (unsigned round = 0; round < 20; ++round) {
    // The words span four of seven dimensions: bits 4 to 6 depend on the lower bits.
    const ReducedProblem problem =
        randomProblem(random, 7, 3, {0x11, 0x32, 0x64, 0x48 | (round % 2) << 5});
    BOOST_REQUIRE_EQUAL(problem.differences.size(), 4U);
    BOOST_REQUIRE_EQUAL(problem.silent.size(), 3U);
    const Rows rows = randomRows(random, problem);
    const Matrix bank = cheapestBasis(problem, rows);
    BOOST_REQUIRE(independent(bank.rows));
    BOOST_REQUIRE(sameOnDifferences(problem, rows, bank.rows));
    BOOST_REQUIRE_EQUAL(gateCount(bank), fewestGatesOfThree(problem, rows));
    shortened += gateCount(bank) < gateCount({7, rows}) ? 1 : 0;
  }
  BOOST_TEST(shortened > 10U);
}

BOOST_AUTO_TEST_CASE(rows_come_by_their_lowest_bit) {
  Random random(33);
  const ReducedProblem problem = randomProblem(random, 6, 3, {});
  BOOST_TEST(cheapestBasis(problem, {7, 6, 4}).rows == (Rows{1, 2, 4}));
  BOOST_TEST(cheapestBasis(problem, {0x24, 0x12, 0x09}).rows == (Rows{0x09, 0x12, 0x24}));
}

BOOST_AUTO_TEST_CASE(simpler_rows_keep_the_conflicts) {
  Random random(34);
  unsigned saved = 0;
  for (unsigned round = 0; round < 30; ++round) {
    const Mix mix = makeMix(7000 + round);
    const ReducedProblem problem = reduce(mix.sets, mix.addressBits, 5, {});
    Effort effort(20000);
    SplitCount split(problem, effort);
    const Matrix bank = cheapestBasis(problem, randomRows(random, problem));
    const std::uint64_t conflicts = conflictsOf(mix.sets, bank.rows);
    const Matrix simple = simplify(problem, split, bank, conflicts, effort);
    BOOST_REQUIRE(independent(simple.rows));
    BOOST_REQUIRE_LE(conflictsOf(mix.sets, simple.rows), conflicts);
    BOOST_REQUIRE_LE(gateCount(simple), gateCount(bank));
    saved += gateCount(bank) - gateCount(simple);
  }
  BOOST_TEST(saved > 30U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search::general
