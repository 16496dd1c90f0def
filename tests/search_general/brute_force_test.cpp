// Results and proofs of the general search, against all matrices of small memories.
#include "tests/search_general/brute_force.h"

#include <fermata/models/search/general/general_xor.h>
#include "tests/search_general/mixes.h"

namespace fermata::search {
namespace {

using indexing::gf2::Matrix;
using namespace test;

/// Returns random sets of 1 to mostWords words, or of words at a stride, with random weights.
AccessSets randomSets(Random& random, unsigned addressBits, Word mostWords, Word weights) {
  AccessSets sets;
  const Word words = Word{1} << addressBits;
  const Word count = 1 + below(random, 7);
  for (Word i = 0; i < count; ++i) {
    Instruction instruction;
    instruction.weight = 1 + below(random, weights);
    const std::uint32_t number = sets.addInstruction(instruction);
    const Word base = below(random, words);
    const Word stride = below(random, 3) == 0 ? 1 + below(random, words - 1) : 0;
    Rows set;
    const Word size = 1 + below(random, mostWords);
    for (Word lane = 0; lane < size; ++lane) {
      set.push_back(stride != 0 ? (base + lane * stride) % words : below(random, words));
    }
    sets.add(number, set.data(), static_cast<Word>(set.size()), 1 + below(random, 3));
  }
  return sets;
}

struct Tally {
  unsigned proved = 0;
  unsigned bounded = 0;
};

void compare(const AccessSets& sets, unsigned n, unsigned m, std::uint64_t effort, Tally& tally) {
  SearchOptions options;
  options.effort = effort;
  const ConflictCount count(sets, n);
  const GeneralResult result = generalXor(sets, count, m, {}, options);
  const std::uint64_t fewest = fewestConflicts(sets, n, m);
  BOOST_REQUIRE_EQUAL(result.bank.rows.size(), m);
  BOOST_REQUIRE(independent(result.bank.rows));
  BOOST_REQUIRE_EQUAL(result.conflicts, conflictsOf(sets, result.bank.rows));
  BOOST_REQUIRE_GE(result.conflicts, fewest);
  BOOST_REQUIRE_LE(result.bound, fewest);
  const bool proved = result.proof == Proof::ConflictFree || result.proof == Proof::Optimal;
  BOOST_REQUIRE_EQUAL(result.proof == Proof::ConflictFree, result.conflicts == 0);
  if (proved) BOOST_REQUIRE_EQUAL(result.conflicts, fewest);
  if (!proved) BOOST_REQUIRE_EQUAL(result.proof == Proof::Bound, result.bound > 0);
  tally.proved += proved ? 1 : 0;
  tally.bounded += !proved && result.bound > 0 ? 1 : 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(against_all_matrices)

BOOST_AUTO_TEST_CASE(there_are_as_many_spans_as_the_gaussian_binomials_say) {
  const auto spans = [](unsigned n, unsigned m) {
    std::set<Rows> seen;
    unsigned count = 0;
    forEachSpan(n, m, [&](const Rows& rows) {
      BOOST_REQUIRE(independent(rows));
      seen.insert(rows);
      ++count;
    });
    BOOST_TEST(seen.size() == count);
    return count;
  };
  BOOST_TEST(spans(4, 2) == 35U);
  BOOST_TEST(spans(5, 2) == 155U);
  BOOST_TEST(spans(6, 3) == 1395U);
  BOOST_TEST(spans(7, 1) == 127U);
  BOOST_TEST(spans(5, 5) == 1U);
}

BOOST_AUTO_TEST_CASE(every_small_shape_is_solved_and_every_claim_is_true) {
  Random random(11);
  Tally tally;
  unsigned problems = 0;
  for (unsigned n = 1; n <= 6; ++n) {
    for (unsigned m = 1; m <= std::min(n, 3U); ++m) {
      for (unsigned round = 0; round < 20; ++round, ++problems) {
        compare(randomSets(random, n, 1 + (1U << m) + round % 4, 1), n, m, 20000, tally);
      }
    }
  }
  BOOST_TEST(tally.proved == problems);
}

BOOST_AUTO_TEST_CASE(seven_bits) {
  Random random(12);
  Tally tally;
  for (unsigned round = 0; round < 60; ++round) {
    compare(randomSets(random, 7, 8 + round % 3, 4), 7, 2 + round % 2, 20000, tally);
  }
  BOOST_TEST(tally.proved == 60U);
}

BOOST_AUTO_TEST_CASE(eight_bits) {
  Random random(13);
  Tally tally;
  for (unsigned round = 0; round < 6; ++round) {
    compare(randomSets(random, 8, 8, 3), 8, 3, 100000, tally);
  }
  BOOST_TEST(tally.proved == 6U);
}

BOOST_AUTO_TEST_CASE(large_and_dense_sets) {
  Random random(14);
  Tally tally;
  for (unsigned round = 0; round < 60; ++round) {
    compare(randomSets(random, 6, 64, 5), 6, 1 + round % 3, 20000, tally);
  }
  BOOST_TEST(tally.proved == 60U);
}

BOOST_AUTO_TEST_CASE(more_bank_bits_than_others_are_solved_from_the_null_space) {
  Random random(15);
  Tally tally;
  for (unsigned round = 0; round < 60; ++round) {
    const unsigned n = 6 + round % 2;
    compare(randomSets(random, n, 20, 3), n, n - 1 - round % 3, 20000, tally);
  }
  BOOST_TEST(tally.proved == 60U);
}

BOOST_AUTO_TEST_CASE(a_search_cut_short_claims_nothing_false) {
  Random random(16);
  Tally tally;
  for (unsigned round = 0; round < 120; ++round) {
    compare(randomSets(random, 7, 10, 3), 7, 2 + round % 2, round, tally);
  }
  BOOST_TEST(tally.proved > 40U);
  BOOST_TEST(tally.bounded > 4U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
