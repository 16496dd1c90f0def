// pad row=R words=P: an array with P unused words after each R words, then modulo.
#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

std::string pad(std::uint32_t row, std::uint32_t words) {
  return "pad row=" + std::to_string(row) + " words=" + std::to_string(words);
}

/// Returns the padded address of each word, by walking through the array.
std::vector<std::uint32_t> places(std::uint32_t count, std::uint32_t row, std::uint32_t words) {
  std::vector<std::uint32_t> place;
  std::uint32_t next = 0;
  for (std::uint32_t word = 0; word < count; ++word) {
    place.push_back(next++);
    if ((word + 1) % row == 0) next += words;
  }
  return place;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(padding)

BOOST_AUTO_TEST_CASE(every_word_is_where_it_lies_in_the_padded_array) {
  for (const std::uint32_t banks : {1U, 2U, 7U, 16U, 32U, 33U, 4096U}) {
    for (const std::uint32_t row : {1U, 2U, 3U, 16U, 32U, 100U, 1024U, 4096U}) {
      for (const std::uint32_t words : {0U, 1U, 2U, 5U, 32U, 4096U}) {
        const Shape shape{banks, 3001};
        const auto indexer = build(pad(row, words), shape);
        const std::vector<std::uint32_t> place = places(shape.words, row, words);
        test::checkPlaces(*indexer, shape.words, [&](std::uint32_t word) {
          return Location{place[word] % banks, place[word] / banks};
        });
        BOOST_REQUIRE_EQUAL(indexer->rows(), place.back() / banks + 1);
        BOOST_REQUIRE_EQUAL(indexer->text(), pad(row, words));
        if (words > 40) continue;
        test::checkInjective(*indexer);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_whole_memory_of_fermi) {
  const auto indexer = build("pad row=32 words=1", {32, 12288});
  test::checkInjective(*indexer);
  // A column of a tile with rows of 32 words no longer conflicts.
  test::Lanes column;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) column[lane] = 32 * lane;
  BOOST_TEST(conflictDegree(*indexer, column, kAllLanes) == 1U);
  BOOST_TEST(conflictDegree(*build("mod 32", {32, 12288}), column, kAllLanes) == 32U);
  const Cost cost = indexer->cost();
  BOOST_TEST(cost.latency == 0U);
  BOOST_TEST(cost.source.find("needs 383 more words") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(memories_near_32_bits) {
  const auto indexer = build("pad row=4096 words=1", {32, 4000000000U});
  const std::uint64_t place = 3999999999U + 3999999999U / 4096;
  BOOST_TEST(indexer->location(3999999999U).bank == place % 32);
  BOOST_TEST(indexer->location(3999999999U).row == place / 32);
  BOOST_TEST(indexer->rows() == place / 32 + 1);
  // word' of the last word must stay below 2^32 - 1.
  BOOST_CHECK_THROW(build("pad row=1 words=1", {32, 2147483649U}), IndexingError);
  BOOST_CHECK_NO_THROW(build("pad row=1 words=1", {32, 2147483647U}));
  BOOST_CHECK_THROW(build("pad row=1 words=4096", {32, 4000000000U}), IndexingError);
}

BOOST_AUTO_TEST_CASE(bad_texts_are_refused) {
  test::checkRefusals(
      {
          {"pad", "row= is missing; expected pad row=R words=P", 4},
          {"pad row=32", "words= is missing", 11},
          {"pad row=0 words=1", "expected 1 to 4096", 9},
          {"pad row=4097 words=1", "expected 1 to 4096", 9},
          {"pad row=32 words=4097", "expected 0 to 4096", 18},
          {"pad row=32 words=-1", "'-1' is not a number", 18},
          {"pad row=32 words=1 32", "'32' is not understood", 20},
      },
      test::buildBad);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
