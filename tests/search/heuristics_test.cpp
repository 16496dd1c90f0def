// Givargis and Minimum Imbalance: the paper's examples exactly, and plain oracles.
#include <fermata/models/search/givargis.h>
#include <fermata/models/search/minimum_imbalance.h>
#include <fermata/models/search/search.h>
#include "tests/search/support.h"

namespace fermata::search {
namespace {

using namespace test;

constexpr indexing::Shape kFermi{32, 12288};

std::string found(const AccessSets& sets, MappingClass mappingClass, Method method,
                  indexing::Shape shape = kFermi) {
  return search(mappingClass, method, {sets, shape}).mapping;
}

/// Returns the sum of the qualities (Eq. 11) after the correlations (Eq. 12), word by word.
double oracleQuality(const AccessSets& sets, const std::vector<Feature>& prefix, Feature feature) {
  double sum = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const auto ratio = [&](Feature one) {
      double ones = 0;
      double zeros = 0;
      for (const std::uint32_t word : sets.words(set)) {
        (parity(word & one) ? ones : zeros) += 1;
      }
      return std::min(ones, zeros) / std::max(ones, zeros);
    };
    double quality = ratio(feature);
    for (const Feature before : prefix) quality *= ratio(before ^ feature);
    sum += static_cast<double>(sets.weight(set)) * quality;
  }
  return sum;
}

/// Returns the sum of Eq. 14.
double oracleImbalance(const AccessSets& sets, std::vector<Feature> rows, Feature feature) {
  rows.push_back(feature);
  double sum = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const Words words = sets.words(set);
    if (words.size == 1) continue;
    std::vector<double> bins(std::size_t{1} << rows.size(), 0);
    for (const std::uint32_t word : words) bins[bankOf(rows, word)] += 1;
    double imbalance = 0;
    for (const double bin : bins) {
      imbalance += std::fabs(bin - words.size / static_cast<double>(bins.size()));
    }
    sum += static_cast<double>(sets.weight(set)) * imbalance / words.size;
  }
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(heuristics)

// Section 5.2.1: claims xor.gh.8_45 and xor.gh.8_13.
BOOST_AUTO_TEST_CASE(givargis_on_two_strides_is_the_papers) {
  const AccessSets first = setsOf({strided(8), strided(45)});
  BOOST_TEST(found(first, MappingClass::Bits, Method::Givargis) == "bits 3,4,5,6,7");
  const AccessSets second = setsOf({strided(8), strided(13)});
  BOOST_TEST(found(second, MappingClass::Bits, Method::Givargis) == "bits 3,4,6,5,7");
}

// Figure 6: claim xor.mih.fig6, with every imbalance that it prints.
BOOST_AUTO_TEST_CASE(minimum_imbalance_is_figure_6) {
  const AccessSets sets = setsOf({{27, 12, 6, 19, 11, 4, 28, 3}});
  BOOST_TEST(found(sets, MappingClass::Bits, Method::MinimumImbalance, {8, 32}) == "bits 0,3,4");
  const MinimumImbalance heuristic(sets, 5);
  const auto values = [&](const std::vector<Feature>& prefix, const std::vector<Feature>& of) {
    const MinimumImbalance::Scores scores = heuristic.scores(prefix, of);
    std::vector<double> list;
    for (std::size_t i = 0; i < of.size(); ++i) list.push_back(scores.value(i));
    return list;
  };
  const std::vector<double> first = {0, 0.25, 0, 0, 0.25};
  const std::vector<double> second = {0.75, 1, 0, 0.25};
  const std::vector<double> third = {0.75, 1, 0.25};
  BOOST_TEST(values({}, {1, 2, 4, 8, 16}) == first, tt::per_element());
  BOOST_TEST(values({1}, {2, 4, 8, 16}) == second, tt::per_element());
  BOOST_TEST(values({1, 8}, {2, 4, 16}) == third, tt::per_element());
}

// Table 5, row "transpose".
BOOST_AUTO_TEST_CASE(transpose_is_the_row_of_table_5) {
  const AccessSets sets = transpose();
  BOOST_TEST(found(sets, MappingClass::Bits, Method::Givargis) == "bits 0,4,1,2,3");
  BOOST_TEST(found(sets, MappingClass::Bits, Method::MinimumImbalance) == "bits 0,4,1,2,3");
  BOOST_TEST(found(sets, MappingClass::Pairs, Method::Givargis) == "pairs 0,0^4,1^4,1^5,2^6");
  BOOST_TEST(found(sets, MappingClass::Pairs, Method::MinimumImbalance) == "pairs 0,4,1^5,2^6,3^7");
  const Found xorHash = search(MappingClass::Xor, Method::Exhaustive, {sets, kFermi});
  BOOST_TEST(xorHash.mapping == "xor k1=0 k2=4 mask=14");
  BOOST_TEST(xorHash.after == 0U);
  BOOST_TEST(xorHash.before == 8U * 7);  // eight ways: claim xor.pattern.transpose16
}

// Table 5, row "reduction": its bitwise XOR by Givargis is the choice of the unchecked heuristic,
// in which 0^5, 0^4 and 4^5 are dependent.
BOOST_AUTO_TEST_CASE(reduction_by_givargis_is_table_5_and_dependent) {
  const AccessSets sets = reduction();
  const Found pairs = search(MappingClass::Pairs, Method::Givargis, {sets, kFermi});
  BOOST_TEST(pairs.unchecked == "pairs 2^7,1^6,0^5,0^4,4^5");
  BOOST_TEST(pairs.uncheckedRank == 4U);
  BOOST_TEST(pairs.mapping == "pairs 2^7,1^6,0^5,0^4,0^3");
  BOOST_TEST(pairs.rank == 5U);
  // The tree alone needs a mask of two bits. With the linear store before it, the kernel needs the
  // published three bits (mask 7).
  const Found xorHash = search(MappingClass::Xor, Method::Exhaustive, {sets, kFermi});
  BOOST_TEST(xorHash.mapping == "xor k1=1 k2=6 mask=3");
  BOOST_TEST(xorHash.after == 0U);
  const auto published = indexing::build("xor k1=0 k2=5 mask=7", kFermi);
  BOOST_TEST(conflictCount({sets, kFermi}).mapped(*published) == 0U);
}

BOOST_AUTO_TEST_CASE(ties_go_to_the_first_of_the_documented_order) {
  AccessSets sets;  // every feature scores alike
  addSet(sets, {0, 1, 2, 3, 4, 5, 6, 7});
  BOOST_TEST(found(sets, MappingClass::Pairs, Method::Givargis, {4, 8}) == "pairs 0,0^1");
  BOOST_TEST(found(sets, MappingClass::Pairs, Method::MinimumImbalance, {4, 8}) == "pairs 0,1");
  BOOST_TEST(featuresText("t", pairsByRow(4)) == "t 0,0^1,0^2,0^3,1,1^2,1^3,2,2^3,3");
  BOOST_TEST(featuresText("t", singlesThenPairs(4)) == "t 0,1,2,3,0^1,0^2,0^3,1^2,1^3,2^3");
  BOOST_TEST(featuresText("t", singleBits(3)) == "t 0,1,2");
}

BOOST_AUTO_TEST_CASE(scores_are_those_of_the_equations) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 40; ++round) {
    const unsigned n = 4 + round % 11;
    const AccessSets sets = mix(random, 1U << n, 6, round % 3 == 0 ? 128 : 32);
    const Givargis givargis(sets, n);
    const MinimumImbalance imbalance(sets, n);
    const std::vector<Feature> features = pairsByRow(n);
    std::vector<Feature> prefix;
    for (unsigned step = 0; step < 4; ++step) {
      const Givargis::Scores quality = givargis.scores(prefix, features);
      const MinimumImbalance::Scores balance = imbalance.scores(prefix, features);
      for (std::size_t i = 0; i < features.size(); ++i) {
        const double q = oracleQuality(sets, prefix, features[i]);
        const double b = oracleImbalance(sets, prefix, features[i]);
        BOOST_REQUIRE_SMALL(quality.value(i) - q, 1e-9);
        BOOST_REQUIRE_SMALL(balance.value(i) - b, 1e-9);
        for (std::size_t k = 0; k < i; ++k) {
          // better() holds only where the equations give a strictly better score, and never both
          // ways.
          const double gain = q - oracleQuality(sets, prefix, features[k]);
          if (std::fabs(gain) > 1e-9) BOOST_REQUIRE_EQUAL(quality.better(i, k), gain > 0);
          BOOST_REQUIRE(!(quality.better(i, k) && quality.better(k, i)));
          BOOST_REQUIRE(!(balance.better(i, k) && balance.better(k, i)));
        }
      }
      prefix.push_back(features[below(random, static_cast<std::uint32_t>(features.size()))]);
    }
  }
}

// 1/3 + 1/5 = 8/15: equal sums must tie although doubles would differ.
BOOST_AUTO_TEST_CASE(fractions_are_exact) {
  std::mt19937 random(6);
  for (unsigned round = 0; round < 500; ++round) {
    const std::uint32_t a = 1 + below(random, 128);
    const std::uint32_t b = 1 + below(random, 128);
    const std::uint32_t d = 1 + below(random, 128);
    // x/a + y/b, added in two orders and in small pieces.
    const Uint128 x = static_cast<Uint128>(random()) << 40;
    const Uint128 y = random();
    FractionSum once;
    once.add(x * a + y, a);
    once.add(y * 3, b);
    FractionSum pieces;
    for (unsigned i = 0; i < 3; ++i) pieces.add(y, b);
    pieces.add(x, 1);
    pieces.add(y, a);
    BOOST_REQUIRE(!(once < pieces) && !(pieces < once));
    pieces.add(1, d);
    BOOST_REQUIRE(once < pieces && !(pieces < once));
    const double expected =
        static_cast<double>(x) + static_cast<double>(y) / a + static_cast<double>(y) * 3 / b;
    BOOST_REQUIRE_CLOSE(once.value(), expected, 1e-9);
  }
  FractionSum largest;
  largest.add(~Uint128{0}, 1);
  BOOST_TEST(largest.value() == std::ldexp(1.0, 128));
}

// An exact difference decides, even beside 10^12 accesses of another set.
BOOST_AUTO_TEST_CASE(a_single_access_breaks_a_tie_of_givargis) {
  AccessSets sets;
  addSet(sets, {0, 1, 2, 3}, 1000000000000);
  addSet(sets, {0, 2, 4}, 1);  // bit 1 splits it, bit 0 does not
  BOOST_TEST(found(sets, MappingClass::Bits, Method::Givargis, {2, 8}) == "bits 1");
}

// One access decides, even beside 2^60 accesses of another set.
BOOST_AUTO_TEST_CASE(a_single_access_breaks_a_tie_of_many) {
  AccessSets sets;
  addSet(sets, {0, 1, 2, 3}, std::uint64_t{1} << 60);
  addSet(sets, {0, 2, 4}, 1);  // bit 1 splits it, bit 0 does not
  BOOST_TEST(found(sets, MappingClass::Bits, Method::MinimumImbalance, {2, 8}) == "bits 1");
}

BOOST_AUTO_TEST_CASE(dependent_choices_are_refused_and_reported) {
  // If two bits always agree with a third, their pairs are useless but score well.
  std::mt19937 random(7);
  unsigned reported = 0;
  for (unsigned round = 0; round < 200; ++round) {
    const AccessSets sets = mix(random, 256, 3, 16);
    for (const Method method : {Method::Givargis, Method::MinimumImbalance}) {
      const Found result = search(MappingClass::Pairs, method, {sets, {16, 256}});
      BOOST_REQUIRE_EQUAL(result.rank, 4U);
      BOOST_REQUIRE_NO_THROW(indexing::build(result.mapping, {16, 256}));
      if (result.unchecked.empty()) {
        BOOST_REQUIRE_EQUAL(result.uncheckedRank, 0U);
        continue;
      }
      ++reported;
      BOOST_REQUIRE_NE(result.unchecked, result.mapping);
      if (result.uncheckedRank < 4) {
        BOOST_REQUIRE_THROW(indexing::build(result.unchecked, {16, 256}), indexing::IndexingError);
      } else {
        BOOST_REQUIRE_NO_THROW(indexing::build(result.unchecked, {16, 256}));
      }
    }
  }
  BOOST_TEST(reported > 0U);
}

// Givargis' choices for hist64 and MRI-grid-2 in table 5.
BOOST_AUTO_TEST_CASE(published_choices_that_are_no_mapping) {
  const auto pair = [](unsigned a, unsigned b) { return Feature{1} << a | Feature{1} << b; };
  BOOST_TEST(rankOf({pair(6, 6), pair(6, 7), pair(6, 8), pair(7, 7), pair(7, 8)}) == 3U);
  BOOST_TEST(rankOf({pair(1, 6), pair(0, 5), pair(0, 4), pair(4, 5), pair(0, 3)}) == 4U);
}

BOOST_AUTO_TEST_CASE(a_published_choice_is_the_same_a_tie_or_of_other_accesses) {
  using Verdict = PublishedChoice::Verdict;
  const AccessSets sets = transpose();
  const MinimumImbalance imbalance(sets, 14);
  const std::vector<Feature> features = singleBits(14);
  const PublishedChoice same = comparePublished(imbalance, features, {1, 16, 2, 4, 8}, true);
  BOOST_TEST((same.verdict == Verdict::Same));
  BOOST_TEST(same.step == 5U);
  // Bits 0 and 4 tie at the first step.
  const PublishedChoice tie = comparePublished(imbalance, features, {16, 1, 2, 4, 8}, true);
  BOOST_TEST((tie.verdict == Verdict::Tie));
  BOOST_TEST(tie.step == 0U);
  BOOST_TEST(tie.score == tie.best);
  // Bit 9 is 0 in every word: it cannot be second, even by a tie.
  const PublishedChoice other = comparePublished(imbalance, features, {1, 512, 2, 4, 8}, true);
  BOOST_TEST((other.verdict == Verdict::Accesses));
  BOOST_TEST(other.step == 1U);
  BOOST_TEST(other.score > other.best);
}

BOOST_AUTO_TEST_CASE(no_access_at_all_still_gives_a_mapping) {
  const AccessSets sets;
  BOOST_TEST(found(sets, MappingClass::Bits, Method::Givargis) == "bits 0,1,2,3,4");
  BOOST_TEST(found(sets, MappingClass::Pairs, Method::MinimumImbalance) == "pairs 0,1,2,3,4");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
