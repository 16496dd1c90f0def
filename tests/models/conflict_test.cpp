// The rule that counts bank conflicts, against a slow oracle and the papers' examples.
#include "tests/support/conflict_oracle.h"

using namespace fermata;
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
        const LaneMask active = trial % 3 == 0 ? kAllLanes : static_cast<LaneMask>(random());
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
      for (const LaneMask active : {kAllLanes, ~LaneMask{1}, LaneMask{0x00ffff00}}) {
        const auto expectOracle = [&](auto number) {
          fill(access, banks, 1, active, [&](unsigned lane) { return number(lane) * stride; });
          check(banks, 1, volta, access, resolver);
          checkLeaders(access, volta);
        };
        expectOracle([&](unsigned lane) { return lane % period; });
        expectOracle([&](unsigned lane) { return lane / period; });
        expectOracle([&](unsigned lane) { return (kWarpLanes - lane) % period; });
      }
    }
  }
}

// The replay policy makes the pass of a try that goes on with words left.
BOOST_AUTO_TEST_CASE(a_try_that_goes_on_is_not_counted_again) {
  ConflictResolver resolver(32, 1, LaneGrouping());
  WarpAccess access;
  fill(access, 32, 1, kAllLanes, [](unsigned lane) { return lane * 8; });
  resolver.resolve(access);
  BOOST_TEST(access.degree == 8U);
  access.passes = 1;
  access.asked = access.wordsLeft[0] = 0xfffffff0U;
  resolver.resolve(access);
  BOOST_TEST(access.passes == 1U);
  access.wordsLeft[0] = 0xfU;  // not asked for by this try
  resolver.resolve(access);
  BOOST_TEST(access.passes == 7U);
}

namespace {

using Word = std::function<std::uint32_t(unsigned)>;

Word stride(std::uint32_t words) {
  return [words](unsigned lane) { return words * lane; };
}
Word oneWord(std::uint32_t word) {
  return [word](unsigned) { return word; };
}

/// A crossbar before banks of one port.
struct Banks {
  explicit Banks(std::uint32_t count, const LaneGrouping& grouping = LaneGrouping())
      : count_(count), resolver_(count, 1, grouping) {}
  /// Resolves an access and returns its passes.
  std::uint32_t passes(const Word& word, unsigned wordsPerLane = 1, LaneMask active = kAllLanes) {
    fill(access, count_, wordsPerLane, active, word);
    resolver_.resolve(access);
    return access.passes;
  }
  WarpAccess access;  ///< the last one

 private:
  std::uint32_t count_;
  ConflictResolver resolver_;
};

}  // namespace

BOOST_DATA_TEST_CASE(strides_on_32_banks,
                     bdata::make({1U, 2U, 3U, 4U, 8U, 16U, 32U, 33U, 45U}) ^
                         bdata::make({1U, 2U, 1U, 4U, 8U, 16U, 32U, 1U, 1U}),
                     words, degree) {
  Banks banks(32);
  BOOST_TEST(banks.passes(stride(words)) == degree);
  BOOST_TEST(banks.access.degree == degree);
}

// Seed paper "Configurable XOR Hash Functions", sections 3.2.2 and 3.2.4.
BOOST_AUTO_TEST_CASE(transpose_column_and_walsh_transform) {
  Banks banks(32);
  banks.passes([](unsigned lane) { return lane % 16 * 16 + lane / 16; });
  BOOST_TEST(banks.access.degree == 8U);
  banks.passes([](unsigned lane) { return lane / 8 * 32 + lane % 8; });
  BOOST_TEST(banks.access.degree == 4U);
}

BOOST_AUTO_TEST_CASE(one_word_for_all_lanes_merges) {
  Banks banks(32);
  BOOST_TEST(banks.passes(oneWord(77)) == 1U);
  BOOST_TEST(banks.access.leaders[0] == 1U);
}

BOOST_AUTO_TEST_CASE(no_active_lane_needs_no_pass) {
  Banks banks(32);
  BOOST_TEST(banks.passes(stride(1), 1, 0) == 0U);
  BOOST_TEST(banks.access.leaders[0] == 0U);
}

// 64 bits per lane take two passes in a row, 128 bits four. lavaMD's stride of 8 words has degree 4
// in each half.
BOOST_AUTO_TEST_CASE(wide_accesses_by_halves_and_quarters) {
  Banks split(32);
  Banks merged(32, atOnce());
  BOOST_TEST(split.passes(stride(2), 2) == 2U);
  BOOST_TEST(split.access.degree == 1U);
  BOOST_TEST(merged.passes(stride(2), 2) == 2U);
  BOOST_TEST(split.passes(stride(4), 4) == 4U);
  BOOST_TEST(split.passes(stride(8), 2) == 8U);
  BOOST_TEST(split.access.degree == 4U);
  BOOST_TEST(split.passes(oneWord(6), 2) == 2U);
  BOOST_TEST(merged.passes(oneWord(6), 2) == 1U);
}

// 16 banks and half warps, compute capability 1.x: lanes of one half can conflict, lanes of
// different halves cannot.
BOOST_AUTO_TEST_CASE(half_warps) {
  Banks banks(16, together(16));
  BOOST_TEST(banks.passes(stride(1)) == 2U);
  BOOST_TEST(banks.access.freePasses == 2U);
  BOOST_TEST(banks.access.degree == 1U);
  BOOST_TEST(banks.passes(stride(2)) == 4U);
  BOOST_TEST(banks.passes(stride(16)) == 32U);
  BOOST_TEST(banks.passes(stride(17)) == 2U);
  BOOST_TEST(banks.passes(oneWord(5)) == 2U);  // one word: once per half
  BOOST_TEST(banks.access.leaders[0] == 0x10001U);
  BOOST_TEST(banks.passes(stride(1), 1, 0xffff) == 1U);  // no lane of the second half is active
  BOOST_TEST(banks.passes(stride(16), 1, 0xffff0000) == 16U);
  BOOST_TEST(banks.passes(stride(2), 2) == 4U);  // 8 lanes at a time
  BOOST_TEST(banks.passes(stride(4), 4) == 8U);
  LaneGrouping halves = together(16);
  halves.bits128 = LaneGroups(16);
  Banks merged(16, halves);
  BOOST_TEST(merged.passes(stride(4), 4) == 8U);  // 64 words on 16 banks, twice
  BOOST_TEST(merged.access.freePasses == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
