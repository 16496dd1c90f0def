// The rule that counts bank conflicts, against a slow oracle and the papers' examples.
#include "tests/support/conflict_oracle.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <random>

namespace bdata = boost::unit_test::data;
using fermata::ConflictResolver;
using fermata::kWarpLanes;
using fermata::LaneGrouping;
using fermata::LaneMask;
using fermata::WarpAccess;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(rule)

BOOST_DATA_TEST_CASE(equals_oracle_on_seeded_accesses,
                     bdata::make({1U, 7U, 16U, 31U, 32U, 33U, 48U, 62U, 64U, 65U, 128U, 4096U}) *
                         bdata::xrange(kMachines),
                     banks, number) {
  const Machine& m = machine(number);
  const LaneGrouping grouping = groupingOf(m);
  std::mt19937 random(banks);
  for (const std::uint32_t rowWords : {1U, 2U, 4U}) {
    for (const std::uint32_t ports : {1U, 2U, 3U}) {
      ConflictResolver resolver(banks, ports, grouping, rowWords);
      WarpAccess access;
      for (int trial = 0; trial < 200; ++trial) {
        const unsigned words = 1U << random() % 3;
        const std::uint32_t span = 1U << random() % 12;
        const LaneMask active =
            trial % 3 == 0 ? fermata::kAllLanes : static_cast<LaneMask>(random());
        fill(access, banks, words, active, [&](unsigned) { return random() % span * words; });
        check(banks, ports, m, access, resolver, rowWords);
        checkLeaders(access, m, rowWords);
      }
    }
  }
}

// Patterns of kernels: words that rise, fall, or repeat after some lanes.
BOOST_DATA_TEST_CASE(equals_oracle_on_patterns, bdata::make({2U, 8U, 31U, 32U, 33U, 64U, 100U}),
                     banks) {
  const Machine& volta = machine(0);
  ConflictResolver resolver(banks, 1, LaneGrouping());
  WarpAccess access;
  for (std::uint32_t stride = 0; stride < 70; ++stride) {
    for (std::uint32_t period = 1; period <= kWarpLanes; ++period) {
      for (const LaneMask active : {fermata::kAllLanes, ~LaneMask{1}, LaneMask{0x00ffff00}}) {
        fill(access, banks, 1, active, [&](unsigned lane) { return lane % period * stride; });
        check(banks, 1, volta, access, resolver);
        checkLeaders(access, volta);
        fill(access, banks, 1, active, [&](unsigned lane) { return lane / period * stride; });
        check(banks, 1, volta, access, resolver);
        checkLeaders(access, volta);
        fill(access, banks, 1, active,
             [&](unsigned lane) { return (kWarpLanes - lane) % period * stride; });
        check(banks, 1, volta, access, resolver);
        checkLeaders(access, volta);
      }
    }
  }
}

BOOST_DATA_TEST_CASE(strides_on_32_banks,
                     bdata::make({1U, 2U, 3U, 4U, 8U, 16U, 32U, 33U, 45U}) ^
                         bdata::make({1U, 2U, 1U, 4U, 8U, 16U, 32U, 1U, 1U}),
                     stride, degree) {
  ConflictResolver resolver(32, 1, LaneGrouping());
  WarpAccess access;
  fill(access, 32, 1, fermata::kAllLanes, [&](unsigned lane) { return lane * stride; });
  resolver.resolve(access);
  BOOST_TEST(access.passes == degree);
  BOOST_TEST(access.degree == degree);
}

// Seed paper "Configurable XOR Hash Functions", sections 3.2.2 and 3.2.4.
BOOST_AUTO_TEST_CASE(transpose_column_and_walsh_transform) {
  ConflictResolver resolver(32, 1, LaneGrouping());
  WarpAccess access;
  fill(access, 32, 1, fermata::kAllLanes, [](unsigned lane) { return lane % 16 * 16 + lane / 16; });
  resolver.resolve(access);
  BOOST_TEST(access.degree == 8U);
  fill(access, 32, 1, fermata::kAllLanes, [](unsigned lane) { return lane / 8 * 32 + lane % 8; });
  resolver.resolve(access);
  BOOST_TEST(access.degree == 4U);
}

BOOST_AUTO_TEST_CASE(one_word_for_all_lanes_merges) {
  ConflictResolver resolver(32, 1, LaneGrouping());
  WarpAccess access;
  fill(access, 32, 1, fermata::kAllLanes, [](unsigned) { return 77U; });
  resolver.resolve(access);
  BOOST_TEST(access.passes == 1U);
  BOOST_TEST(access.leaders[0] == 1U);
}

BOOST_AUTO_TEST_CASE(no_active_lane_needs_no_pass) {
  ConflictResolver resolver(32, 1, LaneGrouping());
  WarpAccess access;
  fill(access, 32, 1, 0, [](unsigned lane) { return lane; });
  resolver.resolve(access);
  BOOST_TEST(access.passes == 0U);
  BOOST_TEST(access.leaders[0] == 0U);
}

// 64 bits per lane take two passes in a row, 128 bits four. lavaMD's stride of 8 words has degree 4
// in each half.
BOOST_AUTO_TEST_CASE(wide_accesses_by_halves_and_quarters) {
  ConflictResolver split(32, 1, LaneGrouping());
  ConflictResolver merged(32, 1, atOnce());
  WarpAccess access;
  fill(access, 32, 2, fermata::kAllLanes, [](unsigned lane) { return 2 * lane; });
  split.resolve(access);
  BOOST_TEST(access.passes == 2U);
  BOOST_TEST(access.degree == 1U);
  merged.resolve(access);
  BOOST_TEST(access.passes == 2U);
  fill(access, 32, 4, fermata::kAllLanes, [](unsigned lane) { return 4 * lane; });
  split.resolve(access);
  BOOST_TEST(access.passes == 4U);
  fill(access, 32, 2, fermata::kAllLanes, [](unsigned lane) { return 8 * lane; });
  split.resolve(access);
  BOOST_TEST(access.degree == 4U);
  BOOST_TEST(access.passes == 8U);
  fill(access, 32, 2, fermata::kAllLanes, [](unsigned) { return 6U; });
  split.resolve(access);
  BOOST_TEST(access.passes == 2U);
  merged.resolve(access);
  BOOST_TEST(access.passes == 1U);
}

// 16 banks and half warps, compute capability 1.x: lanes of one half can conflict, lanes of
// different halves cannot.
BOOST_AUTO_TEST_CASE(half_warps) {
  ConflictResolver resolver(16, 1, together(16));
  WarpAccess access;
  const auto resolve = [&](unsigned wordsPerLane, LaneMask active,
                           const std::function<std::uint32_t(unsigned)>& word) {
    fill(access, 16, wordsPerLane, active, word);
    resolver.resolve(access);
  };
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return lane; });
  BOOST_TEST(access.passes == 2U);
  BOOST_TEST(access.freePasses == 2U);
  BOOST_TEST(access.degree == 1U);
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return 2 * lane; });
  BOOST_TEST(access.passes == 4U);
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return 16 * lane; });
  BOOST_TEST(access.passes == 32U);
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return 17 * lane; });
  BOOST_TEST(access.passes == 2U);
  resolve(1, fermata::kAllLanes, [](unsigned) { return 5U; });  // one word: once per half
  BOOST_TEST(access.passes == 2U);
  BOOST_TEST(access.leaders[0] == 0x10001U);
  resolve(1, 0xffffU, [](unsigned lane) { return lane; });  // no lane of the second half is active
  BOOST_TEST(access.passes == 1U);
  resolve(1, 0xffff0000U, [](unsigned lane) { return 16 * lane; });
  BOOST_TEST(access.passes == 16U);
  resolve(2, fermata::kAllLanes, [](unsigned lane) { return 2 * lane; });  // 8 lanes at a time
  BOOST_TEST(access.passes == 4U);
  resolve(4, fermata::kAllLanes, [](unsigned lane) { return 4 * lane; });
  BOOST_TEST(access.passes == 8U);
  LaneGrouping halves = together(16);
  halves.bits128 = fermata::LaneGroups(16);
  ConflictResolver merged(16, 1, halves);
  merged.resolve(access);
  BOOST_TEST(access.passes == 8U);  // 64 words on 16 banks, twice
  BOOST_TEST(access.freePasses == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
