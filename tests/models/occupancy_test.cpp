#include "models/core/occupancy.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

namespace bdata = boost::unit_test::data;
using fermata::Grid;
using fermata::Occupancy;
using fermata::OccupancyLimits;

namespace {

struct Case {
  std::uint64_t ctas;
  std::uint32_t threads, registers, shared;
  unsigned resident;
  const char* limiter;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.threads << " threads, " << c.registers << " registers, " << c.shared << " bytes";
}

// Fermi's limits; worked out by hand.
const Case kCases[] = {
    {1000, 256, 16, 0, 6, "warps"},  // 48 / 8
    {1000, 32, 16, 0, 8, "ctas"},
    {1000, 192, 20, 0, 8, "ctas"},       // 48 / 6 = 8 is a tie; the first limit counts
    {1000, 256, 32, 0, 4, "registers"},  // 32 * 32 * 8 = 8192
    {1000, 256, 21, 0, 5, "registers"},  // 672 rounds up to 704 a warp: 5632 a CTA
    {1000, 256, 16, 8192, 6, "warps"},   // 6 * 8192 fits exactly
    {1000, 256, 16, 8193, 5, "shared"},  // rounds up to 8320
    {1000, 64, 16, 49152, 1, "shared"},
    {1000, 64, 16, 49153, 0, "shared"},
    {3, 256, 16, 0, 3, "grid"},
    {1000, 33, 16, 0, 8, "ctas"},  // two warps
    {1000, 1024, 63, 0, 0, "registers"},
    {1000, 1024, 20, 0, 1, "warps"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(occupancy_limits)

BOOST_DATA_TEST_CASE(fermi, bdata::make(kCases), c) {
  Grid grid;
  grid.ctas = c.ctas;
  grid.threadsPerCta = c.threads;
  grid.registersPerThread = c.registers;
  grid.sharedBytesPerCta = c.shared;
  const Occupancy found = fermata::occupancy(grid, OccupancyLimits{});
  BOOST_TEST(found.ctas == c.resident);
  BOOST_TEST(std::string(fermata::name(found.limiter)) == c.limiter);
}

BOOST_AUTO_TEST_CASE(window_is_whole_units) {
  Grid grid;
  grid.sharedBytesPerCta = 1;
  BOOST_TEST(fermata::windowBytes(grid, OccupancyLimits{}) == 128U);
  grid.sharedBytesPerCta = 0;
  BOOST_TEST(fermata::windowBytes(grid, OccupancyLimits{}) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
