// The searches as users call them: each mapping found has the properties that are reported.
#include <fermata/models/search/best_modulus.h>
#include <fermata/models/search/best_padding.h>
#include <fermata/models/search/linear_search.h>
#include <fermata/models/search/search.h>
#include "tests/search/support.h"

namespace fermata::search {
namespace {

using namespace test;

using indexing::IndexingError;

constexpr MappingClass kClasses[] = {MappingClass::Perm,   MappingClass::Xor,    MappingClass::Bits,
                                     MappingClass::Pairs,  MappingClass::Matrix, MappingClass::Ami,
                                     MappingClass::Padding};
constexpr Method kMethods[] = {Method::Exhaustive, Method::Pruned, Method::Givargis,
                               Method::MinimumImbalance, Method::General};

/// Calls visit(class, method) for each search that there is.
template <class Visit>
void eachSearch(Visit visit) {
  for (const MappingClass mappingClass : kClasses) {
    for (const Method method : kMethods) {
      if (applies(mappingClass, method)) visit(mappingClass, method);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(searches)

BOOST_AUTO_TEST_CASE(what_applies_is_the_documented_list) {
  std::string list;
  eachSearch([&](MappingClass mappingClass, Method method) {
    list += std::string(name(mappingClass)) + "/" + name(method) + " ";
  });
  BOOST_TEST(list ==
             "perm/exhaustive xor/exhaustive xor/pruned bits/exhaustive bits/givargis "
             "bits/minimum-imbalance pairs/givargis pairs/minimum-imbalance matrix/general "
             "ami/exhaustive padding/exhaustive ");
}

BOOST_AUTO_TEST_CASE(every_result_is_a_mapping_with_the_conflicts_it_claims) {
  std::mt19937 random(41);
  SearchOptions options;
  options.effort = 200;
  for (unsigned round = 0; round < 25; ++round) {
    const indexing::Shape shape{1U << (1 + round % 5), 200 + below(random, 3000)};
    const AccessSets sets = mix(random, shape.words, 6, round % 4 == 0 ? 64 : 32);
    const Problem problem{sets, shape};
    const ConflictCount count = conflictCount(problem);
    const std::uint64_t before = conflictsOf(sets, "mod " + std::to_string(shape.banks), shape);
    eachSearch([&](MappingClass mappingClass, Method method) {
      const Found found = search(mappingClass, method, problem, count, options);
      BOOST_REQUIRE((found.mappingClass == mappingClass && found.method == method));
      BOOST_REQUIRE_EQUAL(found.before, before);
      BOOST_REQUIRE_EQUAL(found.after, conflictsOf(sets, found.mapping, shape));
      BOOST_REQUIRE_GT(found.candidates, 0U);
      BOOST_REQUIRE_EQUAL(found.after == 0, found.proof == Proof::ConflictFree);
      if (found.proof == Proof::Bound) BOOST_REQUIRE_LT(found.bound, found.after);
      const bool isLinear =
          mappingClass != MappingClass::Ami && mappingClass != MappingClass::Padding;
      BOOST_REQUIRE_EQUAL(found.rank, isLinear ? 1 + round % 5 : 0);
      BOOST_REQUIRE_EQUAL(indexing::build(found.mapping, shape)->text(), found.mapping);
      if (method == Method::Exhaustive) BOOST_REQUIRE_LE(found.after, before);
    });
  }
}

BOOST_AUTO_TEST_CASE(the_same_search_finds_the_same) {
  std::mt19937 random(42);
  const AccessSets sets = mix(random, 2048, 8);
  SearchOptions options;
  options.effort = 500;
  const Found first = search(MappingClass::Matrix, Method::General, {sets, {32, 2048}}, options);
  const Found second = search(MappingClass::Matrix, Method::General, {sets, {32, 2048}}, options);
  BOOST_TEST(first.mapping == second.mapping);
  BOOST_TEST(first.after == second.after);
}

BOOST_AUTO_TEST_CASE(the_general_search_is_never_worse_than_a_linear_method_beside_it) {
  std::mt19937 random(43);
  for (unsigned round = 0; round < 60; ++round) {
    const indexing::Shape shape{4U << round % 3, 128U << below(random, 4)};
    const AccessSets sets = mix(random, shape.words, 2 + round % 5);
    const Problem problem{sets, shape};
    const ConflictCount count = conflictCount(problem);
    std::uint64_t best = conflictsOf(sets, "fixed-xor", shape);
    for (const MappingClass mappingClass :
         {MappingClass::Perm, MappingClass::Xor, MappingClass::Bits, MappingClass::Pairs}) {
      for (const Method method : kMethods) {
        if (!applies(mappingClass, method)) continue;
        best = std::min(best, search(mappingClass, method, problem, count).after);
      }
    }
    for (const std::uint64_t effort : {1U, 2U, 10U, 300U}) {
      SearchOptions options;
      options.effort = effort;
      const Found general = search(MappingClass::Matrix, Method::General, problem, count, options);
      BOOST_REQUIRE_LE(general.after, best);
      BOOST_REQUIRE_LE(general.after, general.before);
      BOOST_REQUIRE_EQUAL(general.after, conflictsOf(sets, general.mapping, shape));
    }
  }
}

BOOST_AUTO_TEST_CASE(exhaustive_bits_are_the_first_best_of_all) {
  std::mt19937 random(44);
  for (unsigned round = 0; round < 30; ++round) {
    const indexing::Shape shape{8, 256};
    const AccessSets sets = mix(random, shape.words, 4, 16);
    std::string best;
    std::uint64_t least = 0;
    for (unsigned a = 0; a < 8; ++a) {
      for (unsigned b = a + 1; b < 8; ++b) {
        for (unsigned c = b + 1; c < 8; ++c) {
          const std::string text =
              "bits " + std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(c);
          const std::uint64_t conflicts = conflictsOf(sets, text, shape);
          if (best.empty() || conflicts < least) {
            best = text;
            least = conflicts;
          }
        }
      }
    }
    const Found found = search(MappingClass::Bits, Method::Exhaustive, {sets, shape});
    BOOST_REQUIRE_EQUAL(found.mapping, best);
    BOOST_REQUIRE_EQUAL(found.candidates, 56U);
  }
}

BOOST_AUTO_TEST_CASE(the_best_modulus_is_the_first_best_of_all) {
  std::mt19937 random(45);
  for (unsigned round = 0; round < 20; ++round) {
    const indexing::Shape shape{8, 500};
    const AccessSets sets = mix(random, shape.words, 4, 16);
    const std::uint32_t most = 1 + below(random, 40);
    std::uint32_t best = 0;
    std::uint64_t least = ConflictCount::kNoLimit;
    for (std::uint32_t banks = 1; banks <= most; ++banks) {
      const std::uint64_t conflicts =
          conflictsOf(sets, [banks](std::uint32_t word) { return word % banks; });
      if (conflicts < least) {
        least = conflicts;
        best = banks;
      }
    }
    SearchOptions options;
    options.maxBanks = most;
    const Found found = search(MappingClass::Ami, Method::Exhaustive, {sets, shape}, options);
    BOOST_REQUIRE_EQUAL(found.mapping, "ami " + std::to_string(best));
    BOOST_REQUIRE_EQUAL(found.after, least);
    BOOST_REQUIRE_EQUAL(found.candidates, most);
  }
  const AccessSets column = setsOf({strided(32)});
  const Found found = search(MappingClass::Ami, Method::Exhaustive, {column, {32, 12288}});
  BOOST_TEST(found.mapping == "ami 33");
  BOOST_TEST(found.candidates == 64U);
  BOOST_TEST(found.before == 31U);
  BOOST_TEST((found.proof == Proof::ConflictFree));
}

namespace {

/// Returns the fewest conflicts, and for these the fewest added words, over all paddings: rows from
/// 1 word to the memory's end, and up to twice the banks of added words.
std::pair<std::uint64_t, std::uint64_t> bestOfAllPaddings(const AccessSets& sets,
                                                          const indexing::Shape& shape) {
  std::pair<std::uint64_t, std::uint64_t> best{ConflictCount::kNoLimit, 0};
  for (std::uint32_t row = 1; row < shape.words + 2; ++row) {
    for (std::uint32_t words = 0; words <= 2 * shape.banks; ++words) {
      const std::uint64_t conflicts = conflictsOf(
          sets, [&](std::uint32_t word) { return (word + word / row * words) % shape.banks; });
      best = std::min(best, {conflicts, (shape.words - 1) / row * std::uint64_t{words}});
    }
  }
  return best;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_padding_is_better_than_the_one_found) {
  std::mt19937 random(46);
  for (unsigned round = 0; round < 40; ++round) {
    const indexing::Shape shape{round % 2 == 0 ? 4U : 5U, 60 + below(random, 60)};
    const AccessSets sets = mix(random, shape.words, 3, 16);
    const auto [least, fewest] = bestOfAllPaddings(sets, shape);
    const Problem problem{sets, shape};
    const BestPadding best = bestPadding(conflictCount(problem), shape);
    BOOST_REQUIRE(best.complete);
    BOOST_REQUIRE_EQUAL(best.conflicts, least);
    BOOST_REQUIRE_EQUAL(best.added, fewest);
    BOOST_REQUIRE_EQUAL(conflictsOf(sets, best.text, shape), least);
    const Found found = search(MappingClass::Padding, Method::Exhaustive, problem);
    BOOST_REQUIRE_EQUAL(found.mapping, best.text);
    BOOST_REQUIRE((found.proof == (least == 0 ? Proof::ConflictFree : Proof::Optimal)));
  }
  // One word after each row of 32: the textbook cure of a column read.
  const AccessSets column = setsOf({strided(32)});
  const Found found = search(MappingClass::Padding, Method::Exhaustive, {column, {32, 1024}});
  BOOST_TEST(found.mapping == "pad row=32 words=1");
  BOOST_TEST(found.after == 0U);
}

BOOST_AUTO_TEST_CASE(a_padding_adds_no_more_than_it_may) {
  std::mt19937 random(47);
  for (unsigned round = 0; round < 40; ++round) {
    const indexing::Shape shape{8, 60 + below(random, 60)};
    const AccessSets sets = mix(random, shape.words, 3, 16);
    const ConflictCount count = conflictCount({sets, shape});
    PaddingOptions options;
    options.mostAdded = below(random, 40);
    const BestPadding best = bestPadding(count, shape, options);
    std::uint64_t least = conflictsOf(sets, "mod 8", shape);
    for (std::uint32_t row = 2; row <= sets.largestWord(); ++row) {
      for (std::uint32_t words = 1; words < 8; ++words) {
        if (std::uint64_t{sets.largestWord() / row} * words > options.mostAdded) continue;
        least = std::min(least, conflictsOf(sets, [&](std::uint32_t word) {
                           return (word + word / row * words) % 8;
                         }));
      }
    }
    BOOST_REQUIRE_EQUAL(best.conflicts, least);
    BOOST_REQUIRE(best.complete);
  }
}

BOOST_AUTO_TEST_CASE(a_padding_says_which_rows_were_searched) {
  AccessSets sets = setsOf({strided(40, 8), strided(36, 8)});
  const indexing::Shape shape{8, 12288};
  const ConflictCount count = conflictCount({sets, shape});
  const BestPadding all = bestPadding(count, shape);
  BOOST_TEST(all.allRows == 280U);  // the largest word
  BOOST_TEST(all.complete);
  BOOST_TEST(all.candidates == 1U + 279 * 7);
  BOOST_TEST(all.searched ==
             "1 to 7 words behind rows of 2 to 280 words (of longer ones none has an effect)");
  BOOST_TEST(search(MappingClass::Padding, Method::Exhaustive, {sets, shape}).searched ==
             all.searched);

  const BestPadding some = bestPadding(count, shape, {8 * (count.looks() + 2 * 15 + 8 + 64) * 40});
  BOOST_TEST(some.allRows == 40U);
  BOOST_TEST(!some.complete);
  // Rows of 2 to 40 words; 64, 128 and 256; and multiples of 8 from 48 to 256 that are no power of
  // 2.
  BOOST_TEST(some.candidates == 1U + (39 + 3 + 24) * 7);
  BOOST_TEST(some.searched ==
             "1 to 7 words behind rows of 2 to 40 words, of 2, 4, 8, ... and of 1 to 32 times 8 up "
             "to 280");

  addSet(sets, {5000});
  const BestPadding far = bestPadding(conflictCount({sets, shape}), shape);
  BOOST_TEST(far.allRows == 4096U);
  BOOST_TEST(!far.complete);
  BOOST_TEST(far.searched == "1 to 7 words behind rows of 2 to 4096 words");
}

BOOST_AUTO_TEST_CASE(accesses_wider_than_the_memory_are_bounded_not_blamed) {
  AccessSets sets;
  addSet(sets, strided(1, 32), 10);
  const Found found = search(MappingClass::Bits, Method::Givargis, {sets, {16, 512}});
  BOOST_TEST(found.after == 10U);
  BOOST_TEST((found.proof == Proof::Optimal));
  addSet(sets, {0, 16, 32, 48, 64, 1, 2, 4, 8});
  const Found mixed = search(MappingClass::Perm, Method::Exhaustive, {sets, {16, 512}});
  BOOST_TEST(mixed.after >= 10U);
}

BOOST_AUTO_TEST_CASE(the_space_of_a_class_is_its_row_of_table_1) {
  BOOST_TEST(spaceOf(MappingClass::Perm, 14, 5) == 10U);
  BOOST_TEST(spaceOf(MappingClass::Xor, 14, 5) == 4480U);
  BOOST_TEST(spaceOf(MappingClass::Bits, 14, 5) == 2002U);
  BOOST_TEST(spaceOf(MappingClass::Pairs, 14, 5) == 96560646U);
  BOOST_TEST(spaceOf(MappingClass::Matrix, 24, 12) == ~std::uint64_t{0});
}

BOOST_AUTO_TEST_CASE(banks_that_are_no_power_of_two_suit_modulus_and_padding_only) {
  const AccessSets sets = setsOf({strided(33)});
  const Problem problem{sets, {33, 2000}};
  eachSearch([&](MappingClass mappingClass, Method method) {
    if (mappingClass == MappingClass::Ami || mappingClass == MappingClass::Padding) {
      const Found found = search(mappingClass, method, problem);
      BOOST_TEST(found.before == 31U);
      BOOST_TEST(found.after == 0U);
    } else {
      BOOST_CHECK_THROW(search(mappingClass, method, problem), IndexingError);
    }
  });
}

BOOST_AUTO_TEST_CASE(what_cannot_be_searched_is_refused) {
  const AccessSets sets = setsOf({{0, 40}});
  const auto tryOn = [&](indexing::Shape shape, SearchOptions options = {}) {
    search(MappingClass::Ami, Method::Exhaustive, {sets, shape}, options);
  };
  BOOST_CHECK_THROW(search(MappingClass::Perm, Method::Givargis, {sets, {32, 64}}),
                    std::invalid_argument);
  BOOST_CHECK_THROW(tryOn({32, 40}), IndexingError);
  BOOST_CHECK_NO_THROW(tryOn({32, 41}));
  BOOST_CHECK_THROW(tryOn({0, 64}), IndexingError);
  BOOST_CHECK_THROW(tryOn({32, 0}), IndexingError);
  BOOST_CHECK_THROW(tryOn({5000, 64}), IndexingError);
  BOOST_CHECK_THROW(tryOn({32, 1U << 25}), IndexingError);
  SearchOptions many;
  many.maxBanks = 4097;
  BOOST_CHECK_THROW(tryOn({32, 64}, many), IndexingError);
  BOOST_CHECK_THROW(search(MappingClass::Bits, Method::Givargis, {sets, {1, 64}}), IndexingError);
  BOOST_CHECK_THROW(search(MappingClass::Bits, Method::Exhaustive, {sets, {1024, 1U << 24}}),
                    IndexingError);
  const Problem small{sets, {32, 64}};
  const ConflictCount other = conflictCount({sets, {32, 128}});
  BOOST_CHECK_THROW(search(MappingClass::Perm, Method::Exhaustive, small, other),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
