// One mapping per region: every word against a count of the words, and refusals.
#include <fermata/models/indexing/regions.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

/// Returns the place of every word: each word takes the next place of its region, since addresses
/// keep their order within a region.
std::vector<Location> oracle(const std::vector<std::string>& texts, unsigned at, Shape shape) {
  std::vector<std::uint32_t> count(texts.size());
  for (std::uint32_t word = 0; word < shape.words; ++word) ++count[(word >> at) % texts.size()];
  std::vector<std::unique_ptr<Indexer>> part;
  std::vector<std::uint32_t> firstRow(texts.size() + 1);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    part.push_back(count[i] == 0 ? nullptr : build(texts[i], {shape.banks, count[i]}));
    firstRow[i + 1] = firstRow[i] + (part[i] == nullptr ? 0 : part[i]->rows());
  }
  std::vector<std::uint32_t> next(texts.size());
  std::vector<Location> place;
  for (std::uint32_t word = 0; word < shape.words; ++word) {
    const std::size_t region = (word >> at) % texts.size();
    Location location = part[region]->location(next[region]++);
    location.row += firstRow[region];
    place.push_back(location);
  }
  return place;
}

std::string join(const std::vector<std::string>& texts, const std::string& head) {
  std::string text = head;
  for (const std::string& one : texts) text += " | " + one;
  return text;
}

void check(const std::vector<std::string>& texts, unsigned at, Shape shape) {
  const std::string text = join(texts, "regions at=" + std::to_string(at));
  const auto indexer = build(text, shape);
  BOOST_TEST_CONTEXT(text << " on " << shape.words << " words") {
    const std::vector<Location> place = oracle(texts, at, shape);
    test::checkPlaces(*indexer, shape.words, [&](std::uint32_t w) { return place[w]; });
    test::checkInjective(*indexer);
    BOOST_REQUIRE_EQUAL(indexer->text(), text);
    BOOST_REQUIRE_EQUAL(build(indexer->text(), shape)->text(), text);
    const auto& regions = dynamic_cast<const RegionIndexer&>(*indexer);
    bool right = regions.regions() == texts.size();
    for (std::uint32_t word = 0; word < shape.words; ++word)
      right = right && regions.region(word) == (word >> at) % texts.size();
    BOOST_REQUIRE(right);
  }
}

const std::vector<test::BadText> kBad = {
    {"regions", "0 regions; expected 2, 4, 8, ... or 64: regions [at=B]", 8},
    {"regions | mod 32", "1 region; expected 2", 17},
    {"regions | mod 32 | mod 32 | mod 32", "3 regions; expected 2", 35},
    {"regions mod 32 | add", "1 region; expected 2", 21},
    {"regions mod 32 | add | add", "'mod 32' stands before the first |; expected at=B", 9},
    {"regions at= | add | add", "at '' is not a number; expected 0 to 13", 12},
    {"regions at=14 | add | add",
     "at '14' is out of range; expected 0 to 13 (14 address bits, 1 of them chooses the region)",
     12},
    {"regions at=13 | add | add | add | add", "2 of them choose the region", 12},
    {"regions at=1 at=2 | add | add", "at '1 at=2' is not a number", 12},
    {"regions | add | regions | add | add", "region 1: regions within a region", 17},
    {"regions | mod 32 | xor k1=0 k2=5 mask=32",
     "region 1: mask '32' is out of range; expected 0 to 31", 39},
    {"regions | mod 32 | perm", "region 1: k= is missing; expected perm k=K", 24},
    {"regions | | mod 32", "region 0: no mapping; expected", 10},
    {"regions | mod 32 |", "region 1: no mapping; expected", 19},
    {"regions | mod 32 | nothing", "region 1: no mapping has the name 'nothing'", 20},
    {"regions | xor k1=0 k2=0 mask=31 | mod 32",
     "region 0: bank bit 0 is a sum of the bank bits before it or zero", 11},
    {"regions | mod 32 | ami 33", "region 1 has 33 banks and region 0 has 32; expected the same",
     20},
    {"regions | add | add", "48 banks", 11, {48, 12288}},
    {"regions | add | add | add | add", "4 regions of a memory of 2 words; expected", 32, {32, 2}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(regions)

BOOST_AUTO_TEST_CASE(every_word_has_a_place_of_its_own) {
  // 12288 words are three quarters of an address space: with regions at the highest bits the fourth
  // region is empty, at lower bits it is full.
  for (const std::uint32_t words : {16384U, 12288U, 8192U, 5000U, 4097U}) {
    for (const unsigned at : {0U, 3U, 5U, 10U, 11U}) {
      check({"mod 32", "fixed-xor"}, at, {32, words});
      check({"add", "bits 1,2,3,4,0", "ami 32", "xor k1=0 k2=5 mask=7"}, at, {32, words});
    }
  }
}

BOOST_AUTO_TEST_CASE(seeded_mixtures) {
  std::mt19937 random(41);
  const std::vector<std::string> any = {"mod 32",           "add",
                                        "fixed-xor",        "perm k=0",
                                        "seznec 32",        "bits 4,3,2,1,0",
                                        "ami 32",           "xor k1=0 k2=0 mask=0",
                                        "pairs 0,1,2,0^3,4"};
  for (unsigned round = 0; round < 150; ++round) {
    const unsigned bits = 1 + static_cast<unsigned>(random()) % 4;
    std::vector<std::string> texts;
    for (unsigned i = 0; i < 1U << bits; ++i)
      texts.push_back(any[static_cast<std::size_t>(random()) % any.size()]);
    const std::uint32_t words = (1U << bits) + static_cast<std::uint32_t>(random()) % 3000;
    unsigned n = 0;
    while ((words - 1) >> n != 0) ++n;
    check(texts, static_cast<unsigned>(random()) % (n - bits + 1), {32, words});
  }
}

BOOST_AUTO_TEST_CASE(any_number_of_banks) {
  check({"ami 33", "ami 33 form=array"}, 9, {32, 3000});
  check({"seznec 12", "ami 12"}, 13, {32, 16384});
  check({"mod 16", "mod 16"}, 4, {32, 1000});
  check({"mod 1", "mod 1"}, 2, {1, 64});
  BOOST_TEST(build("regions | ami 33 | seznec 33", {32, 12288})->shape().banks == 33U);
}

BOOST_AUTO_TEST_CASE(without_a_bit_the_top_ones_choose) {
  BOOST_TEST(build("regions | mod 32 | add", {32, 16384})->text() ==
             "regions at=13 | mod 32 | add");
  BOOST_TEST(
      build("  regions |mod 0x20|mod 32 |add|  xor mask=1 k1=0 k2=5 ", {32, 12288})->text() ==
      "regions at=12 | mod 32 | mod 32 | add | xor k1=0 k2=5 mask=1");
}

// The largest memory that a word address can number: no shift may be as wide as the word.
BOOST_AUTO_TEST_CASE(the_top_bit_of_32) {
  const auto indexer = build("regions | mod 32 | add", {32, 0xffffffffU});
  BOOST_TEST(indexer->text() == "regions at=31 | mod 32 | add");
  const Location low = indexer->location(0x7fffffffU);
  const Location high = indexer->location(0x80000000U);
  BOOST_TEST(low.row == 0x03ffffffU);
  BOOST_TEST(high.row == 0x04000000U);
  BOOST_TEST(RegionIndexer::regionWords(0xffffffffU, 31, 1, 0) == 0x80000000U);
  BOOST_TEST(RegionIndexer::regionWords(0xffffffffU, 31, 1, 1) == 0x7fffffffU);
}

BOOST_AUTO_TEST_CASE(bad_texts_are_refused_with_reason_and_column) {
  test::checkRefusals(kBad, test::buildBad);
}

BOOST_AUTO_TEST_CASE(seeded_rubbish_is_refused_or_built_but_never_worse) {
  std::mt19937 random(7);
  const std::string alphabet = "|| at=01235 modxrafi,-\t\"\xff";
  unsigned built = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::string text = round % 2 == 0 ? "regions at=3 | mod 32" : "regions ";
    const unsigned length = static_cast<unsigned>(random()) % (round % 2 == 0 ? 4 : 16);
    for (unsigned i = 0; i < length; ++i)
      text += alphabet[static_cast<std::size_t>(random()) % alphabet.size()];
    text += round % 3 == 0 ? "|mod 32" : "";
    built += test::buildOrRefuse(text) ? 1 : 0;
  }
  BOOST_TEST(built > 0U);
}

BOOST_AUTO_TEST_CASE(the_slowest_mapping_gives_the_latency) {
  const Shape shape{32, 16384};
  BOOST_TEST(build("regions | mod 32 | fixed-xor", shape)->cost().latency == 1U);
  BOOST_TEST(build("regions | mod 32 | mod 32", shape)->cost().latency == 1U);
  BOOST_TEST(build("regions | mod 32 | add", shape)->cost().source.find("assumption") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
