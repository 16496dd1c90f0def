// Conflicts counted by the fast code, against a plain count.
#include <fermata/models/search/conflict_count.h>
#include <fermata/models/search/translation.h>
#include "tests/search/support.h"

namespace fermata::search {
namespace {

using namespace test;

std::vector<std::uint32_t> randomRows(std::mt19937& random, unsigned n, unsigned m) {
  std::vector<std::uint32_t> rows;
  for (unsigned i = 0; i < m; ++i) rows.push_back(below(random, 1U << n));
  return rows;
}

/// A random memory with sets for it; some sets have more words than the fast code takes in a block.
struct Case {
  unsigned n;
  AccessSets sets;
};
Case randomCase(std::mt19937& random) {
  const unsigned n = 1 + below(random, 16);
  return {n, mix(random, 1U << n, 1 + below(random, 40), below(random, 4) == 0 ? 128 : 32)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conflict_count)

BOOST_AUTO_TEST_CASE(linear_mappings_of_any_rank_count_as_they_should) {
  std::mt19937 random(11);
  for (unsigned round = 0; round < 400; ++round) {
    const Case test = randomCase(random);
    const ConflictCount count(test.sets, test.n);
    const std::vector<std::uint32_t> rows = randomRows(random, test.n, round % 13);
    const std::uint64_t expected = conflictsOf(test.sets, rows);
    BOOST_REQUIRE_EQUAL(count.linear({test.n, rows}), expected);
    BOOST_REQUIRE_EQUAL(count.linear({test.n, rows}, expected), expected);
    if (expected != 0) BOOST_REQUIRE_GE(count.linear({test.n, rows}, expected - 1), expected);
  }
}

/// A large memory must not cost more: a table of all 2^24 words per mapping would take minutes.
BOOST_AUTO_TEST_CASE(few_words_of_a_large_memory_cost_no_more_than_those_of_a_small_one) {
  std::mt19937 random(15);
  const indexing::Shape shape{64, 1U << 24};
  AccessSets sets = mix(random, shape.words, 20, 128);
  addSet(sets, {0, shape.words - 1});
  const ConflictCount count(sets, 24);
  for (std::uint32_t banks = 1; banks <= 4096; banks += 1 + banks / 64) {
    const auto indexer = indexing::build("ami " + std::to_string(banks), shape);
    const auto bank = [banks](std::uint32_t word) { return word % banks; };
    BOOST_REQUIRE_EQUAL(count.mapped(*indexer), conflictsOf(sets, bank));
  }
  for (unsigned rows = 0; rows <= 12; ++rows) {
    const std::vector<std::uint32_t> bank = randomRows(random, 24, rows);
    BOOST_REQUIRE_EQUAL(count.linear({24, bank}), conflictsOf(sets, bank));
  }
}

BOOST_AUTO_TEST_CASE(any_mapping_counts_as_it_should) {
  std::mt19937 random(12);
  const char* const texts[] = {
      "mod 16",  "ami 5",     "ami 37",  "ami 100",           "ami 200", "seznec 48", "add",
      "ami 128", "fixed-xor", "xor-ami", "pad row=8 words=3", "ami 1",   "ami 4096"};
  for (unsigned round = 0; round < 400; ++round) {
    const Case test = randomCase(random);
    const ConflictCount count(test.sets, test.n);
    const auto indexer = indexing::build(texts[round % 12], {1U << below(random, 8), 1U << test.n});
    const auto bank = [&](std::uint32_t word) { return indexer->location(word).bank; };
    const std::uint64_t expected = conflictsOf(test.sets, bank);
    BOOST_REQUIRE_EQUAL(count.mapped(*indexer), expected);
    BOOST_REQUIRE_EQUAL(count.mapped(*indexer, expected), expected);
    if (expected != 0) BOOST_REQUIRE_GE(count.mapped(*indexer, expected - 1), expected);
    const std::vector<std::uint32_t> degrees = count.degrees(*indexer);
    BOOST_REQUIRE_EQUAL(degrees.size(), test.sets.size());
    for (std::size_t set = 0; set < degrees.size(); ++set) {
      BOOST_REQUIRE_EQUAL(degrees[set], degreeOf(test.sets.words(set), bank));
    }
  }
}

/// Runs both forms of the kernels on each block, whichever this processor would choose.
BOOST_AUTO_TEST_CASE(both_forms_of_the_kernels_agree) {
  std::mt19937 random(13);
  for (unsigned round = 0; round < 200; ++round) {
    const unsigned n = 4 + below(random, 13);
    const AccessSets sets = mix(random, 1U << n, 1 + below(random, 30));
    std::vector<std::uint32_t> all(sets.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    const SetBlocks blocks = blocksOf(sets, all, 1U << n);
    const unsigned m = round % 8;
    const indexing::gf2::Matrix bank{n, randomRows(random, n, m)};
    const std::uint64_t expected = conflictsOf(sets, bank.rows);
    const kernels::NibbleBlocks nibbles = nibblesOf(blocks.words, 1U << n, n);
    std::vector<std::uint8_t> table;
    for (std::uint32_t word = 0; word < 1U << n; ++word) {
      table.push_back(static_cast<std::uint8_t>(bankOf(bank.rows, word)));
    }
    table.push_back(kernels::kNoBank);
    for (const kernels::Form form : {kernels::Form::Portable, kernels::bestForm()}) {
      BOOST_REQUIRE_EQUAL(kernels::linearSum(form, nibbles, nibbleTables(bank, n), 1U << m,
                                             ConflictCount::kNoLimit),
                          expected);
      BOOST_REQUIRE_EQUAL(
          kernels::tableSum(form, blocks.words, table.data(), 1U << m, ConflictCount::kNoLimit),
          expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(full_sets_in_one_bank_have_the_largest_degree) {
  AccessSets sets;
  addSet(sets, strided(32), 10);
  addSet(sets, strided(32, 128), 1);
  const ConflictCount count(sets, 14);
  BOOST_TEST(count.linear({14, {1, 2, 4, 8, 16}}) == 10U * 31 + 127);
  BOOST_TEST(count.linear({14, {}}) == 10U * 31 + 127);
  BOOST_TEST(count.mapped(*indexing::build("ami 1", {32, 12288})) == 10U * 31 + 127);
  BOOST_TEST(count.mapped(*indexing::build("ami 33", {32, 12288})) == 3U);
}

BOOST_AUTO_TEST_CASE(counts_beyond_32_bits_are_kept) {
  AccessSets sets;
  Instruction heavy;
  heavy.weight = 1U << 20;
  sets.addInstruction(heavy);
  const std::vector<std::uint32_t> words = strided(32);
  sets.add(0, words.data(), 32, std::uint64_t{1} << 30);
  const ConflictCount count(sets, 14);
  BOOST_TEST(count.linear({14, {1, 2, 4, 8, 16}}) == std::uint64_t{31} << 50);
  BOOST_TEST(count.mapped(*indexing::build("mod 32", {32, 12288})) == std::uint64_t{31} << 50);
}

BOOST_AUTO_TEST_CASE(the_sets_may_go) {
  std::mt19937 random(14);
  auto sets = std::make_unique<AccessSets>(mix(random, 4096, 20, 64));
  const std::uint64_t expected = conflictsOf(*sets, "add", {32, 4096});
  const ConflictCount count(*sets, 12);
  sets.reset();
  BOOST_TEST(count.mapped(*indexing::build("add", {32, 4096})) == expected);
}

BOOST_AUTO_TEST_CASE(translates_have_one_canonical_form) {
  std::mt19937 random(15);
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned n = 3 + below(random, 12);
    const AccessSets sets = mix(random, 1U << n, 1, round % 5 == 0 ? 100 : 32);
    const Words words = sets.words(0);
    std::vector<std::uint32_t> first(words.begin(), words.end());
    canonicalTranslate(first.data(), words.size);
    BOOST_REQUIRE(std::is_sorted(first.begin(), first.end()));
    BOOST_REQUIRE_EQUAL(first[0], 0U);
    // The result is a translate of the words.
    bool translate = false;
    for (const std::uint32_t by : words) {
      std::vector<std::uint32_t> moved;
      for (const std::uint32_t word : words) moved.push_back(word ^ by);
      std::sort(moved.begin(), moved.end());
      translate = translate || moved == first;
    }
    BOOST_REQUIRE(translate);
    // Every translate has the same result.
    for (unsigned move = 0; move < 5; ++move) {
      const std::uint32_t by = below(random, 1U << n);
      std::vector<std::uint32_t> moved;
      for (const std::uint32_t word : words) moved.push_back(word ^ by);
      std::sort(moved.begin(), moved.end());
      canonicalTranslate(moved.data(), words.size);
      BOOST_REQUIRE_EQUAL_COLLECTIONS(moved.begin(), moved.end(), first.begin(), first.end());
    }
  }
}

BOOST_AUTO_TEST_CASE(merging_keeps_weights_and_drops_what_cannot_conflict) {
  AccessSets sets;
  addSet(sets, strided(32, 32), 5);
  addSet(sets, strided(32, 32, 7), 6);     // a translate: 7 ^ 32 i
  addSet(sets, strided(32, 32, 1024), 7);  // another translate
  addSet(sets, {9}, 100);
  addSet(sets, {0, 3}, 1);
  const AccessSets merged = mergeTranslates(sets);
  BOOST_REQUIRE_EQUAL(merged.size(), 2U);
  BOOST_TEST(merged.weight(0) == 18U);
  BOOST_TEST(merged.weight(1) == 1U);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const AccessSets sets = setsOf({{1, 2, 64}});
  BOOST_CHECK_THROW(ConflictCount(sets, 6), std::invalid_argument);
  BOOST_CHECK_THROW(ConflictCount(sets, 25), std::invalid_argument);
  const ConflictCount count(sets, 7);
  BOOST_CHECK_THROW(count.linear({8, {1, 2}}), std::invalid_argument);
  BOOST_CHECK_THROW(count.linear({7, std::vector<std::uint32_t>(13, 1)}), std::invalid_argument);
  const auto small = indexing::build("mod 32", {32, 64});
  BOOST_CHECK_THROW(count.mapped(*small), std::invalid_argument);
  BOOST_CHECK_THROW(count.degrees(*small), std::invalid_argument);
  BOOST_TEST(count.mapped(*indexing::build("mod 32", {32, 65})) == 0U);
}

BOOST_AUTO_TEST_CASE(no_sets_have_no_conflicts) {
  const AccessSets sets;
  const ConflictCount count(sets, 14);
  BOOST_TEST(count.linear({14, {1, 2}}) == 0U);
  BOOST_TEST(count.mapped(*indexing::build("ami 33", {32, 12288})) == 0U);
  BOOST_TEST(count.degrees(*indexing::build("ami 33", {32, 12288})).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
