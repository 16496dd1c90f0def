// Classes of accesses, with the parameters that made them.
#include <fermata/models/search/access_class.h>
#include <fermata/models/search/access_matrix.h>
#include "tests/indexing/support.h"
#include "tests/search/support.h"

namespace fermata::search {
namespace {

using namespace test;

using Lanes = std::array<std::uint32_t, kWarpLanes>;

template <typename WordOf>
std::string classOf(WordOf word, LaneMask active = kAllLanes) {
  Lanes words;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    words[lane] = (active >> lane & 1U) != 0 ? static_cast<std::uint32_t>(word(lane)) : 0xdeadbeefU;
  }
  return classify(words, active).text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(access_class)

BOOST_AUTO_TEST_CASE(the_papers_accesses) {
  const auto linear = [](unsigned lane) { return lane + 7; };
  BOOST_TEST(classOf(linear) == "linear");
  BOOST_TEST(classOf([](unsigned lane) { return 2 * 4 * lane; }) == "stride 8");
  BOOST_TEST(classOf([](unsigned) { return 5; }) == "broadcast");
  // Sections 3.2.1 and 3.2.2: a tile of 16 x 16, and with rows of 17 words; FWT with stride 8.
  BOOST_TEST(classOf([](unsigned lane) { return lane / 16 * 16 + lane % 16; }) == "linear");
  BOOST_TEST(classOf([](unsigned lane) { return lane / 16 * 17 + lane % 16; }) ==
             "block 16 x 1, 2 x 17");
  BOOST_TEST(classOf([](unsigned lane) { return lane % 16 * 16 + lane / 16; }) ==
             "block 16 x 16, 2 x 1");
  BOOST_TEST(classOf([](unsigned lane) { return lane / 8 * 32 + lane % 8; }) ==
             "block 8 x 1, 4 x 32");
  // GenIndex of section 2 with way 16 and stride 32 has two strides and is no block.
  BOOST_TEST(classOf([](unsigned lane) { return lane < 16 ? lane * 32 : lane; }) == "random");
}

BOOST_AUTO_TEST_CASE(strides_may_fall_and_lanes_may_be_away) {
  BOOST_TEST(classOf([](unsigned lane) { return 100 - 3 * lane; }) == "stride -3");
  BOOST_TEST(classOf([](unsigned lane) { return 4 * lane; }, 0x80018421U) == "stride 4");
  BOOST_TEST(classOf([](unsigned lane) { return lane; }, 0xffff0000U) == "linear");
  BOOST_TEST(classOf([](unsigned lane) { return lane / 8 * 100 + lane % 8 * 2; }, 0x0f0f0f0fU) ==
             "block 4 x 2, 8 x 50");  // rows of eight, half of each inactive: rows of four

  // Half a word per lane is no stride.
  BOOST_TEST(classOf([](unsigned lane) { return lane / 2; }, 0x00000015U) == "random");

  BOOST_TEST(classOf([](unsigned lane) { return lane / 2; }) == "block 2 x 0, 16 x 1");
  BOOST_TEST(classOf([](unsigned lane) { return lane; }, 1U << 9) == "linear");
  BOOST_TEST(classOf([](unsigned lane) { return lane; }, 0) == "random");
  // Three lanes fit any block: too few to classify.
  BOOST_TEST(classOf([](unsigned lane) { return lane * lane * lane; }, 7U) == "random");
}

BOOST_AUTO_TEST_CASE(every_block_is_found_again) {
  std::mt19937 random(51);
  for (unsigned round = 0; round < 500; ++round) {
    const unsigned width = 2 + below(random, 15);
    const std::int64_t inner = below(random, 30);
    const std::int64_t outer = 30 + below(random, 400) + inner * width;
    AccessClass expected;
    expected.kind = AccessKind::Block;
    expected.stride = inner;
    expected.outer = outer;
    expected.width = width;
    Lanes words;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      words[lane] = static_cast<std::uint32_t>(9 + lane / width * outer + lane % width * inner);
    }
    const AccessClass found = classify(words, kAllLanes);
    BOOST_REQUIRE_MESSAGE(found == expected, found.text() << " for " << expected.text());
  }
}

BOOST_AUTO_TEST_CASE(random_words_are_random) {
  std::mt19937 random(52);
  for (unsigned round = 0; round < 200; ++round) {
    Lanes words;
    for (std::uint32_t& word : words) word = below(random, 12288);
    BOOST_REQUIRE_EQUAL(std::string(name(classify(words, kAllLanes).kind)), "random");
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(access_matrix)

BOOST_AUTO_TEST_CASE(equation_4_of_the_papers_examples) {
  // Section 3.2.2: the words that the paper prints.
  const auto column = warpWords(parseAccessMatrix("threads=16x16 cols=16 matrix=0,1,1,0"), 256);
  BOOST_REQUIRE_EQUAL(column.size(), 8U);
  const std::vector<std::uint32_t> printed = {0,   16,  32,  48,  64,  80,  96,  112, 128, 144, 160,
                                              176, 192, 208, 224, 240, 1,   17,  33,  49,  65,  81,
                                              97,  113, 129, 145, 161, 177, 193, 209, 225, 241};
  BOOST_TEST(column[0] == printed, tt::per_element());
  // Section 3.2.4: stride 8 of the fast Walsh transform.
  const auto walsh = warpWords(parseAccessMatrix("threads=8x4 cols=1 matrix=32,0,0,1"), 104);
  BOOST_REQUIRE_EQUAL(walsh.size(), 1U);
  for (unsigned lane = 0; lane < 32; ++lane) {
    BOOST_REQUIRE_EQUAL(walsh[0][lane], lane / 8 * 32 + lane % 8);
  }
  // The eight-way and the four-way conflict (claims xor.pattern.transpose16, xor.pattern.fwt8).
  const AccessSets sets = setsOf({column[0]});
  BOOST_TEST(conflictsOf(sets, "mod 32", {32, 256}) == 7U);
  const AccessSets other = setsOf({walsh[0]});
  BOOST_TEST(conflictsOf(other, "mod 32", {32, 256}) == 3U);
}

BOOST_AUTO_TEST_CASE(random_matrices_are_equation_4) {
  std::mt19937 random(53);
  for (unsigned round = 0; round < 100; ++round) {
    const std::uint32_t x = 1 + below(random, 40);
    const std::uint32_t y = 1 + below(random, 20);
    const std::uint32_t columns = 1 + below(random, 50);
    std::int64_t m[4];
    for (std::int64_t& one : m) one = static_cast<std::int64_t>(below(random, 9)) - 2;
    const std::int64_t o0 = 200;
    const std::int64_t o1 = static_cast<std::int64_t>(below(random, 9)) - 4;
    std::string text = "offset=" + std::to_string(o0) + "," + std::to_string(o1) + "  matrix=";
    for (unsigned i = 0; i < 4; ++i) text += (i == 0 ? "" : ",") + std::to_string(m[i]);
    text += " threads=" + std::to_string(x) + "x" + std::to_string(y) +
            " cols=" + std::to_string(columns);
    std::vector<std::vector<std::uint32_t>> warps;
    std::string message;
    try {
      warps = warpWords(parseAccessMatrix(text), 1U << 20);
    } catch (const indexing::IndexingError& error) {
      message = error.what();
    }
    std::uint32_t thread = 0;
    for (std::uint32_t ty = 0; ty < y; ++ty) {
      for (std::uint32_t tx = 0; tx < x; ++tx, ++thread) {
        const std::int64_t word =
            (m[0] * ty + m[1] * tx + o0) * columns + m[2] * ty + m[3] * tx + o1;
        if (!message.empty()) {
          if (word >= 0) continue;
          BOOST_REQUIRE_NE(message.find("(" + std::to_string(tx) + "," + std::to_string(ty) + ")"),
                           std::string::npos);
          ty = y;
          break;
        }
        BOOST_REQUIRE_EQUAL(warps.at(thread / 32).at(thread % 32), word);
      }
    }
    if (!message.empty()) continue;
    BOOST_REQUIRE_EQUAL(thread, x * y);
    BOOST_REQUIRE_EQUAL(warps.size(), (thread + 31) / 32);
    BOOST_REQUIRE_EQUAL(warps.back().size(), (thread + 31) % 32 + 1);
  }
}

BOOST_AUTO_TEST_CASE(bad_texts_are_refused_where_they_are_wrong) {
  const std::vector<indexing::test::BadText> bad = {
      {"", "threads= is missing", 1},
      {"threads=32", "cols= is missing", 11},
      {"threads=32 cols=1", "matrix= is missing", 18},
      {"threads=0 cols=1 matrix=0,0,0,1", "expected 1 to 1024", 9},
      {"threads=32x64 cols=1 matrix=0,0,0,1", "2048 threads", 9},
      {"threads=4x4x4 cols=1 matrix=0,0,0,1", "expected X or XxY", 9},
      {"threads= cols=1 matrix=0,0,0,1", "expected X or XxY", 9},
      {"threads=32 cols=0 matrix=0,0,0,1", "out of range", 17},
      {"threads=32 cols=1 matrix=0,0,1", "matrix of 3 numbers; expected 4", 26},
      {"threads=32 cols=1 matrix=0,0,0,-x", "'x' is not a number", 33},
      {"threads=32 cols=1 matrix=0,0,0,99999999", "out of range", 32},
      {"threads=32 cols=1 matrix=0,0,0,1 offset=1", "offset of 1 numbers; expected 2", 41},
      {"threads=32 cols=1 matrix=0,0,0,1 cols=2", "cols is given twice", 34},
      {"threads=32 rows=1", "'rows=1' is not understood", 12},
      {"threads=32 cols", "'cols' is not understood", 12},
  };
  indexing::test::checkRefusals(bad, [](const auto& one) { parseAccessMatrix(one.text); });
  const AccessMatrix large = parseAccessMatrix("threads=32 cols=16777216 matrix=0,16777216,0,1");
  BOOST_CHECK_THROW(warpWords(large, ~0U), indexing::IndexingError);
  BOOST_CHECK_THROW(warpWords(parseAccessMatrix("threads=32 cols=1 matrix=0,0,0,1"), 31),
                    indexing::IndexingError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
