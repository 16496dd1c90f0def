// generalXor: its promises, edge cases and refusals.
#include <fermata/models/search/general/general_xor.h>

#include <fermata/models/search/general/basis.h>
#include "tests/search_general/brute_force.h"
#include "tests/search_general/mixes.h"

namespace fermata::search {
namespace {

using indexing::gf2::Matrix;
using namespace test;

GeneralResult find(const AccessSets& sets, unsigned n, unsigned m,
                   const std::vector<Matrix>& starts = {}, std::uint64_t effort = 20000,
                   std::uint64_t seed = 1) {
  SearchOptions options;
  options.effort = effort;
  options.seed = seed;
  const GeneralResult result = generalXor(sets, ConflictCount(sets, n), m, starts, options);
  BOOST_REQUIRE_EQUAL(result.bank.columns, n);
  BOOST_REQUIRE_EQUAL(result.bank.rows.size(), m);
  BOOST_REQUIRE(independent(result.bank.rows));
  BOOST_REQUIRE_EQUAL(result.conflicts, conflictsOf(sets, result.bank.rows));
  return result;
}

/// Adds a set of `lanes` words lane * stride, `count` times, from an instruction of this weight.
void addLine(AccessSets& sets, Word lanes, Word stride, std::uint64_t weight = 1,
             std::uint64_t count = 1) {
  Instruction instruction;
  instruction.weight = weight;
  const std::uint32_t number = sets.addInstruction(instruction);
  std::vector<Word> words;
  for (Word lane = 0; lane < lanes; ++lane) words.push_back(lane * stride);
  sets.add(number, words.data(), lanes, count);
}

AccessSets powersOfTwo(unsigned addressBits) {
  AccessSets sets;
  for (unsigned shift = 0; shift + 5 <= addressBits; ++shift) addLine(sets, 32, Word{1} << shift);
  return sets;
}

AccessSets randomSets(std::uint64_t seed, Word count, Word lanes, unsigned addressBits) {
  Random random(seed);
  AccessSets sets;
  for (Word i = 0; i < count; ++i) {
    Rows words;
    for (Word lane = 0; lane < lanes; ++lane) {
      words.push_back(below(random, std::uint64_t{1} << addressBits));
    }
    addSet(sets, words);
  }
  return sets;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(general_search)

BOOST_AUTO_TEST_CASE(all_powers_of_two_at_once_have_a_conflict_free_mapping) {
  for (const unsigned n : {7U, 10U, 14U}) {
    const GeneralResult result = find(powersOfTwo(n), n, 5);
    BOOST_TEST(result.conflicts == 0U);
    BOOST_TEST((result.proof == Proof::ConflictFree));
    BOOST_TEST(result.bound == 0U);
  }
}

/// The pairs have all seven non-zero differences of three bits. Two bank bits map at least one of
/// them to 0, and that pair shares a bank.
BOOST_AUTO_TEST_CASE(that_no_conflict_free_mapping_exists_is_proved) {
  const AccessSets sets = setsOf({{0, 1}, {0, 2}, {0, 4}, {0, 3}, {0, 5}, {0, 6}, {0, 7}});
  const GeneralResult result = find(sets, 3, 2);
  BOOST_TEST(result.conflicts == 1U);
  BOOST_TEST(result.bound == 1U);
  BOOST_TEST((result.proof == Proof::Optimal));
}

BOOST_AUTO_TEST_CASE(the_weight_of_an_instruction_decides_whom_the_mapping_serves) {
  // Two banks and differences 1, 2 and 3: one of the three pairs must share a bank.
  for (unsigned favourite = 0; favourite < 3; ++favourite) {
    for (const bool byCount : {false, true}) {
      AccessSets sets;
      for (unsigned pair = 0; pair < 3; ++pair) {
        const std::uint64_t much = pair == favourite ? 1 : 10;
        addLine(sets, 2, pair + 1, byCount ? 1 : much, byCount ? much : 1);
      }
      const GeneralResult result = find(sets, 2, 1);
      BOOST_TEST(result.conflicts == 1U);
      BOOST_TEST((result.proof == Proof::Optimal));
      BOOST_TEST(bankOf(result.bank.rows, favourite + 1) == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_access_of_weight_zero_is_not_looked_at) {
  AccessSets sets;
  addLine(sets, 32, 32, 0);
  addLine(sets, 32, 1);
  const GeneralResult result = find(sets, 10, 5);
  BOOST_TEST(result.conflicts == 0U);
  BOOST_TEST(general::gateCount(result.bank) == 0U);
}

BOOST_AUTO_TEST_CASE(never_worse_than_a_start_whatever_the_effort) {
  Random random(5);
  for (unsigned round = 0; round < 60; ++round) {
    const Mix mix = makeMix(5000 + round);
    const ConflictCount count(mix.sets, mix.addressBits);
    std::vector<Matrix> starts;
    std::uint64_t best = ~std::uint64_t{0};
    while (starts.size() < round % 4) {
      Matrix start{mix.addressBits, {}};
      while (start.rows.size() < 5) {
        start.rows.push_back(1 + below(random, (Word{1} << mix.addressBits) - 1));
        if (!independent(start.rows)) start.rows.pop_back();
      }
      best = std::min(best, count.linear(start));
      starts.push_back(start);
    }
    BOOST_TEST(find(mix.sets, mix.addressBits, 5, starts, round % 7 * 20).conflicts <= best);
  }
}

BOOST_AUTO_TEST_CASE(one_seed_one_answer) {
  const AccessSets sets = randomSets(3, 12, 32, 12);
  const GeneralResult first = find(sets, 12, 5, {}, 5000, 7);
  const GeneralResult again = find(sets, 12, 5, {}, 5000, 7);
  BOOST_TEST(first.bank.rows == again.bank.rows);
  BOOST_TEST(first.evaluated == again.evaluated);
  BOOST_TEST(first.bound == again.bound);
}

BOOST_AUTO_TEST_CASE(the_effort_is_kept_to) {
  const AccessSets sets = randomSets(3, 12, 32, 13);
  for (const std::uint64_t effort : {0U, 1U, 100U, 3000U}) {
    const GeneralResult result = find(sets, 13, 5, {}, effort);
    // The search finishes a neighbourhood, and the rows of its first mapping, beyond its effort.
    BOOST_TEST(result.evaluated <= effort + 50);
  }
}

BOOST_AUTO_TEST_CASE(nothing_to_keep_apart_gives_a_selection_of_the_lowest_bits) {
  for (const AccessSets& sets : {AccessSets(), setsOf({{9, 9, 9}})}) {
    const GeneralResult result = find(sets, 8, 3);
    BOOST_TEST((result.proof == Proof::ConflictFree));
    BOOST_TEST(result.bank.rows == (std::vector<Word>{1, 2, 4}));
  }
}

BOOST_AUTO_TEST_CASE(bits_that_differ_within_sets_are_chosen_before_lower_ones) {
  AccessSets sets;
  addLine(sets, 4, 64);
  const GeneralResult result = find(sets, 10, 3);
  BOOST_TEST(result.bank.rows == (std::vector<Word>{1, 64, 128}));
}

BOOST_AUTO_TEST_CASE(one_bank_and_as_many_banks_as_words) {
  AccessSets sets;
  addLine(sets, 32, 1);
  const GeneralResult one = find(sets, 6, 0);
  BOOST_TEST(one.conflicts == 31U);
  BOOST_TEST((one.proof == Proof::Optimal));
  const GeneralResult all = find(sets, 6, 6);
  BOOST_TEST((all.proof == Proof::ConflictFree));
  BOOST_TEST(all.bank.rows == indexing::gf2::identity(6).rows);
}

BOOST_AUTO_TEST_CASE(sets_of_more_words_than_banks_are_optimal_at_the_root_bound) {
  AccessSets sets;
  addLine(sets, 128, 1, 3);  // 128 words on 32 banks: degree 4 or more
  addLine(sets, 32, 32);
  const GeneralResult result = find(sets, 12, 5);
  BOOST_TEST(result.conflicts == 9U);
  BOOST_TEST(result.bound == 9U);
  BOOST_TEST((result.proof == Proof::Optimal));
}

BOOST_AUTO_TEST_CASE(sets_of_65_to_128_words_that_are_not_regular) {
  const AccessSets sets = randomSets(21, 6, 128, 9);
  const GeneralResult result = find(sets, 9, 4, {}, 5000);
  BOOST_TEST(result.bound >= 6U * 7U);  // some set has 113 words or more: ceil(113 / 16) - 1
  BOOST_TEST(result.conflicts >= result.bound);
}

BOOST_AUTO_TEST_CASE(memories_of_2_to_the_24_words) {
  AccessSets sets = powersOfTwo(24);
  const GeneralResult regular = find(sets, 24, 5);
  BOOST_TEST(regular.conflicts == 0U);
  const AccessSets random = randomSets(4, 12, 32, 24);
  const GeneralResult result = find(random, 24, 5, {}, 3000);
  const Matrix plain{24, indexing::gf2::identity(5).rows};
  BOOST_TEST(result.conflicts < ConflictCount(random, 24).linear(plain));
}

/// The search uses only half of the pairs, the heavier ones. On all pairs together its start is
/// better, and must be the result.
BOOST_AUTO_TEST_CASE(more_sets_than_are_searched_with_still_judge_the_result) {
  constexpr Word kTop = Word{1} << 16;
  AccessSets sets;
  const auto addPair = [&sets](std::uint32_t number, Word difference) {
    const Word words[] = {0, difference};
    sets.add(number, words, 2);
  };
  Instruction heavy;
  heavy.weight = 101;
  Instruction light;
  light.weight = 100;
  const std::uint32_t first = sets.addInstruction(heavy);
  const std::uint32_t second = sets.addInstruction(light);
  for (Word i = 1; i <= 40000; ++i) addPair(first, i);
  for (Word i = 0; i < 65536; ++i) addPair(i < 25536 ? first : second, kTop + i);
  const Matrix start{17, {kTop}};
  const GeneralResult result = find(sets, 17, 1, {start}, 15000);
  BOOST_TEST(result.bank.rows == start.rows);
  BOOST_TEST(result.conflicts == 101U * 40000U);
  BOOST_TEST(result.bound <= result.conflicts);
}

BOOST_AUTO_TEST_CASE(twelve_bank_bits_of_fourteen) {
  const GeneralResult result = find(randomSets(8, 20, 32, 14), 14, 12);
  BOOST_TEST((result.proof == Proof::ConflictFree));
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_refused) {
  const AccessSets sets = powersOfTwo(7);
  const ConflictCount count(sets, 7);
  const auto with = [&](unsigned m, const std::vector<Matrix>& starts) {
    return generalXor(sets, count, m, starts, {});
  };
  BOOST_CHECK_THROW(with(8, {}), std::invalid_argument);
  BOOST_CHECK_THROW(with(2, {Matrix{7, {1}}}), std::invalid_argument);
  BOOST_CHECK_THROW(with(2, {Matrix{7, {3, 3}}}), std::invalid_argument);
  BOOST_CHECK_THROW(with(2, {Matrix{6, {1, 2}}}), std::invalid_argument);
  BOOST_CHECK_NO_THROW(with(2, {Matrix{7, {1, 2}}}));
  const AccessSets wide = powersOfTwo(16);
  BOOST_CHECK_THROW(generalXor(wide, ConflictCount(wide, 16), 13, {}, {}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
