// Layouts of a kernel count from the start of a CTA's window, wherever a run places it.
#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

/// Returns the places of the words from `begin` to `end` for a window that starts at `begin`.
std::vector<Location> placesIn(const Indexer& indexer, std::uint32_t begin, std::uint32_t end) {
  std::vector<Location> places;
  for (std::uint32_t first = begin; first < end; first += kWarpLanes) {
    test::Lanes word;
    test::Lanes bank;
    test::Lanes row;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      word[lane] = first + lane < end ? first + lane : 0xdeadbeefU + lane;
    const unsigned lanes = std::min(kWarpLanes, end - first);
    const LaneMask active = lanes == kWarpLanes ? kAllLanes : (LaneMask{1} << lanes) - 1;
    indexer.locateIn(begin, word, active, bank, row);
    for (unsigned lane = 0; lane < lanes; ++lane) places.push_back({bank[lane], row[lane]});
  }
  return places;
}

/// Fails unless windows of `size` words, one behind the other, keep apart and have the banks of a
/// window at word 0, all turned by one number.
void checkWindows(const Indexer& indexer, std::uint32_t size, bool turns) {
  const std::uint32_t banks = indexer.shape().banks;
  std::set<std::pair<std::uint32_t, std::uint32_t>> taken;
  for (std::uint32_t begin = 0; begin + size <= indexer.shape().words; begin += size) {
    const std::vector<Location> places = placesIn(indexer, begin, begin + size);
    const std::uint32_t turn = places[0].bank;
    BOOST_TEST_REQUIRE((turns || turn == 0));
    for (std::uint32_t word = 0; word < size; ++word) {
      const Location& place = places[word];
      BOOST_TEST_REQUIRE(place.bank == (indexer.location(word).bank + turn) % banks);
      BOOST_TEST_REQUIRE(place.row < indexer.rows());
      BOOST_TEST_REQUIRE(taken.emplace(place.bank, place.row).second,
                         indexer.text() << ": word " << word << " of the window at " << begin);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(windows)

BOOST_AUTO_TEST_CASE(padding_counts_from_the_window) {
  for (const std::uint32_t row : {1U, 2U, 31U, 32U, 100U, 4096U}) {
    for (const std::uint32_t words : {0U, 1U, 5U, 31U}) {
      const auto indexer =
          build("pad row=" + std::to_string(row) + " words=" + std::to_string(words), {32, 12288});
      BOOST_TEST(indexer->countsFromWindow(1));
      for (const std::uint32_t size : {1U, 30U, 31U, 32U, 96U, 1184U, 12288U})
        checkWindows(*indexer, size, true);
    }
  }
}

// Windows of 128 bytes start with a row of 32 banks, not with one of 64.
BOOST_AUTO_TEST_CASE(swizzles_count_from_a_window_that_starts_with_a_row) {
  for (const char* text : {"swizzle b=3 m=2 s=5", "swizzle b=2 m=4 s=3", "tma 128"}) {
    const auto indexer = build(text, {32, 12288});
    BOOST_TEST(indexer->countsFromWindow(32));
    BOOST_TEST(!indexer->countsFromWindow(16));
    for (const std::uint32_t size : {32U, 96U, 1184U, 12288U}) checkWindows(*indexer, size, false);
    BOOST_TEST(!build(text, {64, 12288})->countsFromWindow(32));
  }
}

BOOST_AUTO_TEST_CASE(hardware_counts_from_the_start_of_the_memory) {
  for (const char* text : {"mod 32", "ami 33", "xor k1=0 k2=5 mask=7", "matrix 0x21,0x42,0x84,8,16",
                           "regions at=10 | pad row=32 words=1 | mod 32"})
    BOOST_TEST(!build(text, {32, 12288})->countsFromWindow(32));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
