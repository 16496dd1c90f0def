// Cost of padding in resident CTAs.
#include <fermata/platforms/program/search/residency.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::platforms;

namespace {

Grid grid(const char* kernel, std::uint32_t threads, std::uint32_t shared) {
  Grid grid;
  grid.kernel = kernel;
  grid.ctas = 1;  // the number of CTAs does not matter
  grid.threadsPerCta = threads;
  grid.registersPerThread = 16;
  grid.sharedBytesPerCta = shared;
  return grid;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(residency)

BOOST_AUTO_TEST_CASE(the_kernel_that_loses_the_largest_share_counts) {
  const OccupancyLimits limits;  // Fermi: 48 KB, 8 CTAs, units of 128 bytes
  const std::vector<Grid> grids{grid("many", 64, 6144), grid("few", 256, 24576),
                                grid("none", 64, 0)};
  BOOST_TEST(!worstLoss(grids, limits, 0).has_value());
  const auto loss = worstLoss(grids, limits, 1);
  BOOST_REQUIRE(loss.has_value());
  BOOST_TEST(loss->kernel == "few");  // 2 -> 1 is a larger share than 8 -> 7
  BOOST_TEST(loss->before == 2U);
  BOOST_TEST(loss->after == 1U);
  BOOST_TEST(worstLoss(grids, limits, 30000)->after == 0U);
  BOOST_TEST(spareBytes(grids, limits) == 0U);
  BOOST_TEST(spareBytes({grid("none", 64, 0)}, limits) == 6144U);
}

BOOST_AUTO_TEST_CASE(what_is_spare_is_the_most_without_a_loss) {
  std::mt19937 random(61);
  const OccupancyLimits limits;
  for (unsigned round = 0; round < 200; ++round) {
    std::vector<Grid> grids;
    for (unsigned i = 0; i <= random() % 3; ++i) {
      grids.push_back(grid("k", 32 * (1 + static_cast<std::uint32_t>(random() % 32)),
                           static_cast<std::uint32_t>(random() % 40000)));
    }
    const std::uint64_t spare = spareBytes(grids, limits);
    BOOST_REQUIRE(!worstLoss(grids, limits, spare).has_value());
    BOOST_REQUIRE(worstLoss(grids, limits, spare + 1).has_value());
  }
}

BOOST_AUTO_TEST_CASE(bits_within_every_window_are_those_of_the_smallest) {
  const OccupancyLimits limits;
  const Grid small = grid("small", 64, 1000);  // 1024 bytes: 256 words
  const Grid large = grid("large", 64, 4100);
  const Grid none = grid("none", 64, 0);
  BOOST_TEST(windowBits({large}, limits, 4) == 11U);
  BOOST_TEST(windowBits({large, small}, limits, 4) == 8U);
  BOOST_TEST(windowBits({large, small, none}, limits, 8) == 7U);
  BOOST_TEST(windowBits({none}, limits, 4) == 32U);
}

BOOST_AUTO_TEST_SUITE_END()
