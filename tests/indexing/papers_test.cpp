// Figures that papers print.
#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

using Table = std::vector<std::vector<std::uint32_t>>;  // [row][bank] = word

void checkTable(const std::string& text, std::uint32_t words, const Table& table) {
  const auto indexer = build(text, {32, words});
  BOOST_TEST(indexer->rows() == table.size());
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    for (std::uint32_t bank = 0; bank < table[row].size(); ++bank) {
      const Location place = indexer->location(table[row][bank]);
      BOOST_TEST(place.bank == bank, text << " word " << table[row][bank]);
      BOOST_TEST(place.row == row, text << " word " << table[row][bank]);
    }
  }
}

unsigned degree(const std::string& text, const std::vector<std::uint32_t>& words) {
  test::Lanes lanes{};
  LaneMask active = 0;
  for (std::size_t lane = 0; lane < words.size(); ++lane) {
    lanes[lane] = words[lane];
    active |= LaneMask{1} << lane;
  }
  return conflictDegree(*build(text, {32, 12288}), lanes, active);
}

std::vector<std::uint32_t> stride(std::uint32_t step) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) words.push_back(lane * step);
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(papers)

// Seznec, WDDD 2015.
BOOST_AUTO_TEST_CASE(seznec_figure_1) {
  checkTable("ami 5", 20,
             {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12, 13, 14}, {15, 16, 17, 18, 19}});
}
BOOST_AUTO_TEST_CASE(seznec_figure_2) {
  checkTable("seznec 5", 20,
             {{0, 16, 12, 8, 4}, {5, 1, 17, 13, 9}, {10, 6, 2, 18, 14}, {15, 11, 7, 3, 19}});
}
BOOST_AUTO_TEST_CASE(seznec_figure_3) {
  checkTable("seznec 6", 24,
             {{0, 1, 8, 9, 16, 17},
              {18, 19, 2, 3, 10, 11},
              {12, 13, 20, 21, 4, 5},
              {6, 7, 14, 15, 22, 23}});
}

// van den Braak et al., IEEE TC 2016.
BOOST_AUTO_TEST_CASE(transpose_16_by_16_read_by_column_is_8_way) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) words.push_back(lane % 16 * 16 + lane / 16);
  BOOST_TEST(degree("mod 32", words) == 8U);
  BOOST_TEST(degree("xor k1=0 k2=5 mask=31", words) < 8U);
}
BOOST_AUTO_TEST_CASE(fast_walsh_transform_stride_8_is_4_way) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t lane = 0; lane < 32; ++lane) words.push_back(lane / 8 * 32 + lane % 8);
  BOOST_TEST(degree("mod 32", words) == 4U);
  BOOST_TEST(degree("pairs 0,1,2,3^5,4^6", words) == 1U);  // bits 3 and 4 select the row
  BOOST_TEST(degree("ami 33", words) == 4U);  // 32 is -1 modulo 33: rows overlap shifted
}
BOOST_AUTO_TEST_CASE(linear_and_stride_with_k_are_conflict_free_under_perm_k) {
  for (unsigned k = 0; k <= 3; ++k) {
    BOOST_TEST(degree("perm k=" + std::to_string(k), stride(1U << k)) == 1U);
    BOOST_TEST(degree("perm k=" + std::to_string(k), stride(5U << k)) == 1U);
    BOOST_TEST(degree("mod 32", stride(1U << k)) == 1U << k);
  }
}
BOOST_AUTO_TEST_CASE(figure_5_selects_these_bank_bits) {
  const auto indexer = build("xor k1=2 k2=8 mask=7", {32, 16384});
  const auto pairs = build("pairs 2^8,3^9,4^10,5,6", {32, 16384});
  for (std::uint32_t word = 0; word < 16384; ++word) {
    BOOST_REQUIRE_EQUAL(indexer->location(word).bank, pairs->location(word).bank);
  }
}
BOOST_AUTO_TEST_CASE(way_and_stride_of_the_micro_benchmark) {
  for (std::uint32_t way = 1; way <= 32; ++way) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t lane = 0; lane < 32; ++lane) words.push_back(lane < way ? lane * 32 : lane);
    BOOST_TEST(degree("mod 32", words) == way);
  }
}

// van den Braak et al., ICCD 2013, sections IV and V.A: 32 banks.
BOOST_AUTO_TEST_CASE(the_hashes_cure_stride_32_and_hurt_stride_33) {
  for (const char* hash : {"fixed-xor", "add"}) {
    BOOST_TEST(degree(hash, stride(32)) == 1U);
    BOOST_TEST(degree("mod 32", stride(32)) == 32U);
  }
  BOOST_TEST(degree("mod 32", stride(33)) == 1U);
  BOOST_TEST(degree("fixed-xor", stride(33)) == 32U);  // low bits equal the next ones: all XOR to 0
  BOOST_TEST(degree("add", stride(33)) == 2U);         // twice the lane: half of the banks
}
BOOST_AUTO_TEST_CASE(stride_256_conflicts_that_the_hashes_leave) {
  for (const char* hash : {"fixed-xor", "add"}) {
    for (std::uint32_t ways :
         {2U, 3U}) {  // "moved from bank 0 to bank 8"; "reduced from three to two"
      std::vector<std::uint32_t> words;
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        words.push_back(lane < ways ? lane * 256 : lane);
      BOOST_TEST(degree("mod 32", words) == ways);
      BOOST_TEST(degree(hash, words) == 2U);
    }
  }
}

// Diamond et al., MICRO 2014: a stride conflicts by its common divisor with the bank count.
BOOST_AUTO_TEST_CASE(ami_conflicts_follow_the_common_divisor) {
  for (std::uint32_t step = 1; step <= 64; ++step) {
    const std::uint32_t period = 33 / (step % 33 == 0   ? 33
                                       : step % 11 == 0 ? 11
                                       : step % 3 == 0  ? 3
                                                        : 1);
    BOOST_TEST(degree("ami 33", stride(step)) == (32 + period - 1) / period, "stride " << step);
  }
}

BOOST_AUTO_TEST_CASE(lanes_on_one_word_merge) {
  BOOST_TEST(degree("mod 32", std::vector<std::uint32_t>(32, 5)) == 1U);
  BOOST_TEST(degree("mod 32", {0, 32, 0, 32, 64, 1}) == 3U);
  BOOST_TEST(degree("mod 32", {}) == 0U);
  test::Lanes word{};
  for (unsigned lane = 0; lane < 4; ++lane) word[lane] = lane / 2 * 32;
  const BankLoad load = bankLoad(*build("mod 32", {32, 64}), word, 0b1011);
  BOOST_TEST(load.degree == 2U);
  BOOST_TEST(load.distinctWords == 2U);
  BOOST_TEST(load.banks == 1U);
  BOOST_TEST(static_cast<unsigned>(load.pass[0]) == 0U);
  BOOST_TEST(static_cast<unsigned>(load.pass[1]) == 0U);
  BOOST_TEST(static_cast<unsigned>(load.pass[3]) == 1U);
}

BOOST_AUTO_TEST_CASE(costs_that_papers_state) {
  const auto cost = [](const char* text) { return build(text, {32, 12288})->cost(); };
  BOOST_TEST(cost("mod 32").latency == 0U);
  BOOST_TEST(cost("fixed-xor").latency == 0U);
  BOOST_TEST(cost("perm k=2").latency == 1U);
  for (const char* text : {"mod 32", "ami 33", "ami 64", "seznec 33", "seznec 64", "perm k=0",
                           "add", "fixed-xor", "bits 0,1,2,3,4", "matrix 1,2,4,8,16"}) {
    BOOST_TEST(!cost(text).source.empty(), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
