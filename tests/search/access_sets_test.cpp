// Access sets: equal sets are merged, nothing is lost, and memory is bounded.
#include <fermata/models/search/conflict_count.h>

#include "tests/search/support.h"

namespace fermata::search {
namespace {

using namespace test;

std::vector<std::uint32_t> listOf(const Words& words) {
  return {words.begin(), words.end()};
}

std::vector<std::uint32_t> randomWords(std::mt19937& random, std::uint32_t limit,
                                       std::uint32_t size) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t i = 0; i < size; ++i) words.push_back(below(random, limit));
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(access_sets)

BOOST_AUTO_TEST_CASE(order_and_repetition_do_not_make_a_set) {
  AccessSets sets;
  addSet(sets, {3, 1, 2});
  addSet(sets, {1, 2, 3}, 4);
  addSet(sets, {2, 2, 1, 3, 3});
  addSet(sets, {1, 2});
  BOOST_REQUIRE_EQUAL(sets.size(), 2U);
  const std::vector<std::uint32_t> three = {1, 2, 3};
  BOOST_TEST(listOf(sets.words(0)) == three, tt::per_element());
  BOOST_TEST(sets.weight(0) == 6U);
  BOOST_TEST(sets.weight(1) == 1U);
  BOOST_TEST(sets.accesses() == 7U);
  BOOST_TEST(sets.largestWord() == 3U);
  BOOST_TEST(sets.sampling() == 1U);
}

// Lanes of an atomic that takes a pass for each lane: the word counts for each of them.
BOOST_AUTO_TEST_CASE(words_may_count_each_time) {
  AccessSets sets;
  const std::uint32_t all = sets.addInstruction({});
  const std::uint32_t words[] = {7, 1, 7, 7};
  sets.add(all, words, 4, 2, true);
  sets.add(all, words, 4, 3);
  BOOST_REQUIRE_EQUAL(sets.size(), 2U);
  BOOST_TEST(listOf(sets.words(0)) == (std::vector<std::uint32_t>{1, 7, 7, 7}), tt::per_element());
  BOOST_TEST(listOf(sets.words(1)) == (std::vector<std::uint32_t>{1, 7}), tt::per_element());
  const auto mod = indexing::build("mod 4", {4, 16});
  BOOST_TEST(ConflictCount(sets, 4).mapped(*mod) == 2U * 2);  // word 7 is asked for three times
  // 32 lanes on one word are one translate, not 2^32.
  const std::vector<std::uint32_t> one(32, 5);
  sets.add(all, one.data(), 32, 1, true);
  BOOST_TEST(ConflictCount(sets, 4).mapped(*mod) == 2U * 2 + 31);
}

BOOST_AUTO_TEST_CASE(a_flat_index_tells_equal_hashes_apart) {
  FlatIndex index;
  const auto find = [&](std::uint64_t hash, std::uint32_t wanted) {
    return index.find(hash, [&](std::uint32_t number) { return number == wanted; });
  };
  BOOST_TEST(find(7, 7) == FlatIndex::kNone);
  for (unsigned round = 0; round < 2; ++round) {
    // Seven hash values, all of them for the last slots of any table: entries wrap around its end.
    for (std::uint32_t number = 0; number < 2000; ++number) {
      index.add(~std::uint64_t{number % 7}, number);
    }
    for (std::uint32_t number = 0; number < 2000; ++number) {
      BOOST_REQUIRE_EQUAL(find(~std::uint64_t{number % 7}, number), number);
      BOOST_REQUIRE_EQUAL(find(~std::uint64_t{(number + 1) % 7}, number), FlatIndex::kNone);
    }
    BOOST_TEST(find(0, 0) == FlatIndex::kNone);
    index.clear();
    BOOST_TEST(find(~std::uint64_t{0}, 0) == FlatIndex::kNone);
  }
}

BOOST_AUTO_TEST_CASE(words_are_sorted_whatever_their_size) {
  std::mt19937 random(24);
  WordSorter sorter;
  for (unsigned round = 0; round < 2000; ++round) {
    const std::uint32_t limit = round % 5 == 0 ? ~0U : 1U << (1 + round % 19);
    const std::vector<std::uint32_t> words =
        randomWords(random, limit, 1 + below(random, AccessSets::kMaxWords));
    const std::set<std::uint32_t> expected(words.begin(), words.end());
    std::vector<std::uint32_t> sorted(words.size());
    sorted.resize(
        sorter.sort(words.data(), static_cast<std::uint32_t>(words.size()), sorted.data()));
    BOOST_REQUIRE_EQUAL_COLLECTIONS(sorted.begin(), sorted.end(), expected.begin(), expected.end());
  }
}

BOOST_AUTO_TEST_CASE(uses_say_who_asked_how_often) {
  AccessSets sets;
  Instruction heavy;
  heavy.pc = 8;
  heavy.weight = 3;
  const std::uint32_t first = sets.addInstruction({});
  const std::uint32_t second = sets.addInstruction(heavy);
  const std::uint32_t a[] = {0, 32};
  const std::uint32_t b[] = {0, 1};
  sets.add(second, a, 2, 5);
  sets.add(first, b, 2, 1);
  sets.add(first, a, 2, 2);
  sets.add(second, a, 2, 1);
  const std::vector<Use> uses = sets.uses();
  BOOST_REQUIRE_EQUAL(uses.size(), 3U);
  BOOST_TEST((uses[0].set == 0 && uses[0].instruction == first && uses[0].count == 2));
  BOOST_TEST((uses[1].set == 0 && uses[1].instruction == second && uses[1].count == 6));
  BOOST_TEST((uses[2].set == 1 && uses[2].instruction == first && uses[2].count == 1));
  BOOST_TEST(sets.weight(0) == 2U + 6 * 3);
  BOOST_TEST(sets.instructions()[second].pc == 8U);
}

BOOST_AUTO_TEST_CASE(everything_offered_is_kept_as_long_as_it_fits) {
  std::mt19937 random(21);
  AccessSets sets;
  sets.addInstruction({});
  std::map<std::set<std::uint32_t>, std::uint64_t> expected;
  for (unsigned i = 0; i < 5000; ++i) {
    const std::vector<std::uint32_t> words = randomWords(random, 12, 1 + below(random, 6));
    sets.add(0, words.data(), static_cast<std::uint32_t>(words.size()));
    ++expected[{words.begin(), words.end()}];
  }
  BOOST_REQUIRE_EQUAL(sets.size(), expected.size());
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const std::set<std::uint32_t> words(sets.words(set).begin(), sets.words(set).end());
    BOOST_REQUIRE_EQUAL(words.size(), sets.words(set).size);
    BOOST_REQUIRE_EQUAL(sets.weight(set), expected.at(words));
  }
  BOOST_TEST(sets.accesses() == 5000U);
}

BOOST_AUTO_TEST_CASE(an_access_without_words_or_count_is_none) {
  AccessSets sets;
  sets.addInstruction({});
  const std::uint32_t word = 5;
  sets.add(0, &word, 0);
  sets.add(0, nullptr, 0);
  sets.add(0, &word, 1, 0);
  BOOST_TEST(sets.size() == 0U);
  BOOST_TEST(sets.accesses() == 0U);
  BOOST_TEST(sets.largestWord() == 0U);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  AccessSets sets;
  const std::vector<std::uint32_t> words(129, 1);
  BOOST_CHECK_THROW(sets.add(0, words.data(), 1), std::invalid_argument);
  sets.addInstruction({});
  BOOST_CHECK_THROW(sets.add(0, words.data(), 129), std::invalid_argument);
  BOOST_CHECK_THROW(sets.add(1, words.data(), 1), std::invalid_argument);
  BOOST_CHECK_THROW(AccessSets(0), std::invalid_argument);
  BOOST_CHECK_NO_THROW(sets.add(0, words.data(), 128));
  BOOST_TEST(sets.size() == 1U);
}

// Sampling by hash: a kept set has all of its counts, wherever they came in the stream, and stands
// for sets that were dropped.
BOOST_AUTO_TEST_CASE(beyond_its_capacity_it_keeps_a_fair_sample) {
  constexpr std::uint32_t kDistinct = 40000;
  constexpr std::size_t kCapacity = 4096;
  std::vector<std::vector<std::uint32_t>> all;
  std::mt19937 random(22);
  for (std::uint32_t i = 0; i < kDistinct; ++i) {
    all.push_back(randomWords(random, 12288, 1 + below(random, 32)));
  }
  AccessSets exact(2 * kDistinct);
  AccessSets sampled(kCapacity);
  exact.addInstruction({});
  sampled.addInstruction({});
  const std::uint32_t other = sampled.addInstruction({});
  std::vector<std::uint64_t> counts(kDistinct, 0);
  for (unsigned pass = 0; pass < 3; ++pass) {
    for (std::uint32_t i = 0; i < kDistinct; ++i) {
      const std::uint64_t count = 1 + i % 5;
      const auto size = static_cast<std::uint32_t>(all[i].size());
      exact.add(0, all[i].data(), size, count);
      sampled.add(pass == 1 ? other : 0, all[i].data(), size, count);
    }
  }
  BOOST_TEST(sampled.sampling() == 16U);
  BOOST_TEST(sampled.size() <= kCapacity);
  BOOST_TEST(sampled.size() > kCapacity / 3);
  BOOST_TEST(sampled.accesses() == exact.accesses());
  BOOST_TEST(sampled.largestWord() == exact.largestWord());
  std::map<std::vector<std::uint32_t>, std::uint64_t> expected;
  for (std::size_t set = 0; set < exact.size(); ++set) {
    expected[listOf(exact.words(set))] = exact.weight(set);
  }
  for (std::size_t set = 0; set < sampled.size(); ++set) {
    BOOST_REQUIRE_EQUAL(sampled.weight(set), expected.at(listOf(sampled.words(set))));
  }
  std::uint64_t used = 0;
  std::uint64_t weight = 0;
  for (const Use& use : sampled.uses()) used += use.count;
  for (std::size_t set = 0; set < sampled.size(); ++set) weight += sampled.weight(set);
  BOOST_TEST(used == weight);
  const auto estimate = [](const AccessSets& sets, const char* mapping) {
    return static_cast<double>(sets.whole(conflictsOf(sets, mapping, {32, 12288})));
  };
  for (const char* const mapping : {"mod 32", "xor k1=0 k2=5 mask=31", "ami 37"}) {
    BOOST_TEST(estimate(sampled, mapping) / estimate(exact, mapping) == 1.0, tt::tolerance(0.08));
  }
}

// A frequent set in the sample must not be scaled by the number of sets left out.
BOOST_AUTO_TEST_CASE(a_sum_is_scaled_as_the_accesses_are) {
  std::mt19937 random(24);
  for (unsigned round = 0; round < 20; ++round) {
    AccessSets sets(100);
    sets.addInstruction({"", "", 0, "", "", 0, 3});
    const std::vector<std::uint32_t> often = randomWords(random, 4096, 8);
    sets.add(0, often.data(), 8, 1000000);
    for (unsigned i = 0; i < 1000; ++i) sets.add(0, randomWords(random, 4096, 8).data(), 8);
    BOOST_REQUIRE(sets.sampled());
    std::uint64_t kept = 0;
    for (std::size_t set = 0; set < sets.size(); ++set) kept += sets.weight(set);
    BOOST_REQUIRE_EQUAL(sets.whole(kept), 3U * 1001000);
    BOOST_REQUIRE_EQUAL(sets.whole(0), 0U);
  }
  AccessSets all;
  addSet(all, {1, 2}, 5);
  BOOST_TEST(!all.sampled());
  BOOST_TEST(all.whole(7) == 7U);
}

// The sample depends on the sets alone, not on their order.
BOOST_AUTO_TEST_CASE(the_sample_is_the_same_in_any_order) {
  std::vector<std::vector<std::uint32_t>> all;
  std::mt19937 random(23);
  for (unsigned i = 0; i < 3000; ++i) all.push_back(randomWords(random, 4096, 8));
  const auto sample = [&all] {
    AccessSets sets(200);
    sets.addInstruction({});
    for (const auto& words : all) sets.add(0, words.data(), 8);
    std::set<std::vector<std::uint32_t>> kept;
    for (std::size_t set = 0; set < sets.size(); ++set) kept.insert(listOf(sets.words(set)));
    return kept;
  };
  const auto first = sample();
  std::shuffle(all.begin(), all.end(), random);
  BOOST_TEST((sample() == first));
  BOOST_TEST(!first.empty());
}

BOOST_AUTO_TEST_CASE(one_place_is_enough_to_go_on) {
  AccessSets sets(1);
  sets.addInstruction({});
  for (std::uint32_t i = 0; i < 1000; ++i) sets.add(0, &i, 1);
  BOOST_TEST(sets.size() <= 1U);
  BOOST_TEST(sets.accesses() == 1000U);
  BOOST_TEST(sets.largestWord() == 999U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
