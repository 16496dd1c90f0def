// The tag stage of an L1: cycles of its lookups, with tags in every array and in one of them.
#include <fermata/models/indexing/families.h>
#include <fermata/models/memory/l1_tags.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

constexpr std::uint32_t kLineBytes = 128;

std::shared_ptr<const indexing::Indexer> banks(const std::string& text, std::uint32_t arrays) {
  return indexing::build(text, {arrays, 1U << 25});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(l1_tags)

BOOST_AUTO_TEST_CASE(any_lines_share_a_cycle_where_each_array_has_all_tags) {
  L1Tags tags(2, kLineBytes, nullptr);
  tags.begin();
  BOOST_TEST(tags.cycles() == 1U);
  const Cycle turns[] = {0, 0, 1, 1, 2};
  for (std::uint64_t line = 0; line < 5; ++line) {
    BOOST_TEST(tags.turn(64 * line) == turns[line]);
    BOOST_TEST(tags.taken(64 * line) == (line == 2));
    tags.lookUp(64 * line);
  }
  BOOST_TEST(tags.lookups() == 5U);
  BOOST_TEST(tags.cycles() == 3U);
  BOOST_TEST(tags.turn(0, 1) == 2U);
  tags.begin();
  BOOST_TEST(tags.lookups() == 0U);
  BOOST_TEST(tags.turn(0, 1) == 0U);
}

BOOST_AUTO_TEST_CASE(lines_of_one_array_take_turns) {
  L1Tags tags(4, kLineBytes, banks("mod 4", 4));
  tags.begin();
  for (const std::uint64_t line : {0, 1, 2, 6, 10}) tags.lookUp(line);
  BOOST_TEST(tags.lookups() == 5U);
  BOOST_TEST(tags.cycles() == 3U);
  BOOST_TEST(tags.turn(14) == 3U);
  BOOST_TEST(tags.turn(5) == 1U);
  BOOST_TEST(tags.turn(5, 1) == 0U);
  BOOST_TEST(tags.turn(3) == 0U);
  BOOST_TEST((tags.taken(0) && !tags.taken(3)));
  tags.begin();
  BOOST_TEST(tags.cycles() == 1U);
  BOOST_TEST(!tags.taken(0));
}

// Against arrays counted one by one, by the parities that an H100 has.
BOOST_AUTO_TEST_CASE(a_hash_spreads_lines_as_the_parities_of_their_address_say) {
  const unsigned bits[2][11] = {{7, 9, 11, 12, 14, 16, 18, 19, 20, 20, 20},
                                {7, 8, 9, 10, 12, 13, 15, 16, 17, 18, 20}};
  const auto arrayOf = [&](std::uint64_t address) {
    unsigned array = 0;
    for (unsigned b = 0; b < 2; ++b) {
      for (const unsigned bit : bits[b]) array ^= (address >> bit & 1) << b;
    }
    return array;
  };
  L1Tags tags(4, kLineBytes, banks("matrix 0x3ab5,0x2f6f", 4));
  std::mt19937_64 random(5);
  for (unsigned trial = 0; trial < 2000; ++trial) {
    tags.begin();
    std::array<unsigned, 4> in{};
    const unsigned count = 1 + trial % 32;
    for (unsigned i = 0; i < count; ++i) {
      const std::uint64_t line = random() >> (20 + trial % 37);
      BOOST_REQUIRE_EQUAL(tags.turn(line), in[arrayOf(line * kLineBytes)]);
      ++in[arrayOf(line * kLineBytes)];
      tags.lookUp(line);
    }
    BOOST_REQUIRE_EQUAL(tags.cycles(), *std::max_element(in.begin(), in.end()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
