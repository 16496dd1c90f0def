// The Pareto front of conflicts against gates.
#include <fermata/models/search/general/basis.h>
#include <fermata/models/search/general/general_xor.h>
#include "tests/search_general/brute_force.h"
#include "tests/search_general/mixes.h"

namespace fermata::search {
namespace {

using indexing::gf2::Matrix;
using namespace test;

/// Returns the fewest conflicts of all selections of m out of n bits.
std::uint64_t bestSelection(const AccessSets& sets, unsigned n, unsigned m) {
  std::uint64_t best = ~std::uint64_t{0};
  for (Word bits = 0; bits < Word{1} << n; ++bits) {
    Rows rows;
    for (unsigned bit = 0; bit < n; ++bit) {
      if ((bits >> bit & 1U) != 0) rows.push_back(Word{1} << bit);
    }
    if (rows.size() == m) best = std::min(best, conflictsOf(sets, rows));
  }
  return best;
}

void check(const std::vector<ParetoPoint>& front, const AccessSets& sets, unsigned m) {
  BOOST_REQUIRE(!front.empty());
  BOOST_REQUIRE_EQUAL(front.front().gates, 0U);
  BOOST_REQUIRE_EQUAL(front.front().depth, 0U);
  for (std::size_t i = 0; i < front.size(); ++i) {
    const ParetoPoint& point = front[i];
    BOOST_REQUIRE_EQUAL(point.bank.rows.size(), m);
    BOOST_REQUIRE(independent(point.bank.rows));
    BOOST_REQUIRE_EQUAL(point.conflicts, conflictsOf(sets, point.bank.rows));
    BOOST_REQUIRE_EQUAL(point.gates, general::gateCount(point.bank));
    BOOST_REQUIRE_EQUAL(point.depth, general::gateDepth(point.bank));
    if (i == 0) continue;
    BOOST_REQUIRE_GT(point.gates, front[i - 1].gates);
    BOOST_REQUIRE_LT(point.conflicts, front[i - 1].conflicts);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pareto_front)

BOOST_AUTO_TEST_CASE(begins_with_the_best_bits_and_ends_with_the_best_mapping) {
  SearchOptions options;
  options.effort = 10000;
  std::size_t points = 0;
  for (std::uint64_t seed = 9000; seed < 9012; ++seed) {
    const Mix mix = makeMix(seed);
    if (mix.addressBits > 12) continue;
    const ConflictCount count(mix.sets, mix.addressBits);
    const std::vector<ParetoPoint> front = paretoFront(mix.sets, count, 5, {}, options);
    check(front, mix.sets, 5);
    BOOST_TEST(front.front().conflicts == bestSelection(mix.sets, mix.addressBits, 5));
    const GeneralResult best = generalXor(mix.sets, count, 5, {}, options);
    BOOST_TEST(front.back().conflicts <= best.conflicts);
    points += front.size();
  }
  BOOST_TEST(points > 20U);
}

BOOST_AUTO_TEST_CASE(no_start_beats_it) {
  SearchOptions options;
  options.effort = 500;
  for (std::uint64_t seed = 9100; seed < 9110; ++seed) {
    const Mix mix = makeMix(seed);
    const ConflictCount count(mix.sets, mix.addressBits);
    const Matrix start{mix.addressBits, {0x21, 0x42, 0x84, 0x108, 0x210}};
    const std::vector<ParetoPoint> front = paretoFront(mix.sets, count, 5, {start}, options);
    check(front, mix.sets, 5);
    std::uint64_t best = ~std::uint64_t{0};
    for (const ParetoPoint& point : front) {
      if (point.gates <= 5) best = std::min(best, point.conflicts);
    }
    BOOST_TEST(best <= count.linear(start));
  }
}

BOOST_AUTO_TEST_CASE(each_gate_of_two_strides_that_share_no_bits_saves_a_conflict) {
  const AccessSets sets = setsOf({strided(1, 4), strided(4, 4)});
  const std::vector<ParetoPoint> front = paretoFront(sets, ConflictCount(sets, 4), 2, {}, {});
  check(front, sets, 2);
  BOOST_REQUIRE_EQUAL(front.size(), 3U);
  for (unsigned gates = 0; gates < 3; ++gates) {
    BOOST_TEST(front[gates].gates == gates);
    BOOST_TEST(front[gates].conflicts == 2 - gates);
  }
  BOOST_TEST(front[2].depth == 1U);
}

BOOST_AUTO_TEST_CASE(nothing_to_choose_is_one_point) {
  AccessSets none;
  const std::vector<ParetoPoint> front = paretoFront(none, ConflictCount(none, 6), 3, {}, {});
  check(front, none, 3);
  BOOST_TEST(front.size() == 1U);
  const std::vector<ParetoPoint> single = paretoFront(none, ConflictCount(none, 6), 0, {}, {});
  check(single, none, 0);
  BOOST_TEST(single.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
