// A stream counted for several mappings at once, against a separate count of each access.
#include <fermata/models/indexing/bank_load.h>
#include <fermata/models/search/conflict_profile.h>
#include "tests/search/support.h"

namespace fermata::search {
namespace {

using namespace test;

std::vector<std::unique_ptr<indexing::Indexer>> build(const std::vector<std::string>& texts,
                                                      const indexing::Shape& shape) {
  std::vector<std::unique_ptr<indexing::Indexer>> mappings;
  for (const std::string& text : texts) mappings.push_back(indexing::build(text, shape));
  return mappings;
}

std::vector<const indexing::Indexer*> pointers(
    const std::vector<std::unique_ptr<indexing::Indexer>>& mappings) {
  std::vector<const indexing::Indexer*> list;
  for (const auto& mapping : mappings) list.push_back(mapping.get());
  return list;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conflict_profile)

BOOST_AUTO_TEST_CASE(any_stream_is_counted_for_all_mappings) {
  std::mt19937 random(61);
  for (unsigned round = 0; round < 12; ++round) {
    const indexing::Shape shape{32, 1025 + below(random, 20000)};
    const auto mappings = build({"mod 32", "xor k1=0 k2=5 mask=7", "ami 33", "ami 200", "seznec 48",
                                 "mod 16", "matrix 0x155,0x2a,0x333,0x81,0x211",
                                 "pad row=32 words=1", "mod 128", "mod 256", "perm k=3", "ami 1"},
                                shape);
    ConflictProfile profile(pointers(mappings));
    std::vector<std::uint64_t> expected(mappings.size(), 0);
    const unsigned length = round == 0 ? 0 : below(random, 900);
    std::uint64_t accesses = 0;
    for (unsigned i = 0; i < length; ++i) {
      const LaneMask active = below(random, 3) == 0 ? random() & random() : kAllLanes;
      const std::uint32_t stride = below(random, 70);
      const bool strided = below(random, 2) == 0;
      const std::uint32_t range = below(random, 2) == 0 ? 20 : shape.words;
      std::array<std::uint32_t, kWarpLanes> words;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        words[lane] = strided ? lane * stride % shape.words : below(random, range);
        if ((active >> lane & 1U) == 0) words[lane] = 0xdeadbeefU;
      }
      profile.add(words, active);
      accesses += active != 0;
      for (std::size_t k = 0; k < mappings.size(); ++k) {
        if (active == 0) continue;
        expected[k] += indexing::conflictDegree(*mappings[k], words, active) - 1;
      }
      if (below(random, 200) == 0) {
        const std::vector<std::uint64_t> now = profile.conflicts();
        BOOST_REQUIRE_EQUAL_COLLECTIONS(now.begin(), now.end(), expected.begin(), expected.end());
      }
    }
    const std::vector<std::uint64_t> sums = profile.conflicts();
    BOOST_REQUIRE_EQUAL_COLLECTIONS(sums.begin(), sums.end(), expected.begin(), expected.end());
    BOOST_REQUIRE_EQUAL(profile.accesses(), accesses);
  }
}

BOOST_AUTO_TEST_CASE(the_mappings_may_go) {
  auto mappings = build({"ami 33", "fixed-xor"}, {32, 4096});
  ConflictProfile profile(pointers(mappings));
  mappings.clear();
  std::array<std::uint32_t, kWarpLanes> words;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) words[lane] = 33 * lane;
  profile.add(words, kAllLanes);
  BOOST_TEST(profile.conflicts()[0] == 31U);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const auto mappings = build({"mod 32"}, {32, 100});
  const auto other = build({"mod 32"}, {32, 101});
  const auto huge = build({"mod 32"}, {32, (1U << 24) + 1});
  BOOST_CHECK_THROW(ConflictProfile({}), std::invalid_argument);
  BOOST_CHECK_THROW(ConflictProfile({mappings[0].get(), other[0].get()}), std::invalid_argument);
  BOOST_CHECK_THROW(ConflictProfile(pointers(huge)), std::invalid_argument);
  ConflictProfile profile(pointers(mappings));
  std::array<std::uint32_t, kWarpLanes> words{};
  words[5] = 100;
  BOOST_CHECK_THROW(profile.add(words, kAllLanes), std::invalid_argument);
  BOOST_CHECK_NO_THROW(profile.add(words, ~(1U << 5)));
  BOOST_TEST(profile.conflicts()[0] == 0U);
  BOOST_TEST(profile.accesses() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
