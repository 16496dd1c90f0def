#include <fermata/models/core/occupancy.h>

#include "tests/support/test.h"

using namespace fermata;

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

// Fermi's limits; computed by hand.
const Case kCases[] = {
    {1000, 256, 16, 0, 6, "warps"},  // 48 / 8
    {1000, 32, 16, 0, 8, "ctas"},
    {1000, 192, 20, 0, 8, "ctas"},       // 48 / 6 = 8 is a tie; the first limit counts
    {1000, 256, 32, 0, 4, "registers"},  // 32 * 32 * 8 = 8192
    {1000, 256, 21, 0, 5, "registers"},  // 672 rounds up to 704 per warp: 5632 per CTA
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
  const Occupancy found = occupancy(grid, OccupancyLimits{});
  BOOST_TEST(found.ctas == c.resident);
  BOOST_TEST(std::string(name(found.limiter)) == c.limiter);
}

// An A100 (compute capability 8.0): 164 KB, of which the system takes 1 KB per CTA, so that one CTA
// can have 163 KB (CUDA C++ Programming Guide, compute capability 8.x).
BOOST_AUTO_TEST_CASE(what_the_system_takes) {
  OccupancyLimits limits;
  limits.warps = 64;
  limits.threads = 2048;
  limits.ctas = 32;
  limits.registers = 65536;
  limits.sharedBytes = 164 * 1024;
  limits.sharedReserved = 1024;
  BOOST_TEST(limits.mostShared() == 163U * 1024U);
  Grid grid;
  grid.ctas = 1000;
  grid.threadsPerCta = 64;
  grid.registersPerThread = 16;
  const auto resident = [&](std::uint32_t bytes) {
    grid.sharedBytesPerCta = bytes;
    return occupancy(grid, limits).ctas;
  };
  BOOST_TEST(resident(0) == 32U);
  BOOST_TEST(resident(163 * 1024) == 1U);
  BOOST_TEST(resident(163 * 1024 + 1) == 0U);
  BOOST_TEST(resident(81 * 1024) == 2U);  // 2 * 82 KB
  BOOST_TEST(resident(82 * 1024) == 1U);
  BOOST_TEST(resident(32 * 1024) == 4U);  // 5 * 33 KB are too many
  // Windows still start at multiples of their power of two: 4 * 32 + 4 KB fit.
  const WindowPlacement windows = windowPlacement(grid, limits, 4);
  BOOST_TEST(windows.aligned);
  BOOST_TEST(windows.stride == 32U * 1024U);
  grid.sharedBytesPerCta = 40 * 1024;  // three at 64 KB would end at 168 KB
  BOOST_TEST(!windowPlacement(grid, limits, 3).aligned);
  limits.sharedReserved = 200 * 1024;
  BOOST_TEST(limits.mostShared() == 0U);
}

struct Placement {
  std::uint32_t shared;
  unsigned resident;
  std::uint64_t stride;
  bool aligned;
};
std::ostream& operator<<(std::ostream& out, const Placement& p) {
  return out << p.resident << " of " << p.shared << " bytes";
}

// 49152 bytes in all, windows in units of 128.
const Placement kPlacements[] = {
    {4096, 8, 4096, true},                               // a power of two as it is
    {4097, 4, 8192, true},                               // 4224 bytes take 8192 each
    {4097, 6, 8192, true},                               // 5 * 8192 + 4224 = 45184
    {4097, 7, 4224, false},                              // 6 * 8192 is the whole memory
    {24576, 2, 24576, false},                            // the second would end at 57344
    {16384, 3, 16384, true},  {16385, 2, 16512, false},  // 32768 + 16512 = 49280
    {49152, 1, 65536, true},                             // one CTA starts at 0 for any stride
    {1, 8, 128, true},        {0, 8, 0, true},          {49153, 0, 65536, true},  // no CTA fits
};

BOOST_DATA_TEST_CASE(windows_are_aligned_when_all_fit_so, bdata::make(kPlacements), p) {
  Grid grid;
  grid.sharedBytesPerCta = p.shared;
  const WindowPlacement found = windowPlacement(grid, OccupancyLimits{}, p.resident);
  BOOST_TEST(found.stride == p.stride);
  BOOST_TEST(found.aligned == p.aligned);
}

// sm_90: 32 CTAs of one warp without shared memory hold the system's 32 KB; of 8 KB each, 25 fit.
// The CTAs of the grid do not count.
BOOST_AUTO_TEST_CASE(resident_ctas_hold_shared_memory) {
  const OccupancyLimits limits{64, 2048, 32, 65536, 256, 233472, 128, 1024};
  Grid grid;
  grid.ctas = 1;
  grid.threadsPerCta = 32;
  grid.registersPerThread = 16;
  BOOST_TEST(residentShared(grid, limits) == 32U * 1024);
  grid.sharedBytesPerCta = 8192;
  BOOST_TEST(residentShared(grid, limits) == 25U * 9 * 1024);
  grid.threadsPerCta = 1024;
  BOOST_TEST(residentShared(grid, limits) == 2U * 9 * 1024);
}

// For any window: as many fit as before, none overlaps, and an aligned window shares no address bit
// with its start.
BOOST_AUTO_TEST_CASE(placement_costs_no_occupancy) {
  const OccupancyLimits limits;
  unsigned aligned = 0;
  for (std::uint32_t bytes = 1; bytes <= limits.sharedBytes; bytes += 61) {
    Grid grid;
    grid.ctas = 1000;
    grid.threadsPerCta = 32;
    grid.sharedBytesPerCta = bytes;
    const unsigned resident = occupancy(grid, limits).ctas;
    const WindowPlacement found = windowPlacement(grid, limits, resident);
    const std::uint64_t window = windowBytes(grid, limits);
    BOOST_REQUIRE_GE(found.stride, window);
    BOOST_REQUIRE_LE((resident - 1) * found.stride + window, limits.sharedBytes);
    if (!found.aligned) continue;
    ++aligned;
    for (unsigned i = 0; i < resident; ++i)
      for (std::uint64_t offset = 0; offset < window; offset += 4)
        BOOST_REQUIRE_EQUAL(i * found.stride & offset, 0U);
  }
  BOOST_TEST(aligned > 100U);
  BOOST_TEST(aligned < 700U);
}

BOOST_AUTO_TEST_CASE(window_is_whole_units) {
  Grid grid;
  grid.sharedBytesPerCta = 1;
  BOOST_TEST(windowBytes(grid, OccupancyLimits{}) == 128U);
  grid.sharedBytesPerCta = 0;
  BOOST_TEST(windowBytes(grid, OccupancyLimits{}) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
