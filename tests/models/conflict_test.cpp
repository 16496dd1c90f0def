// The rule that counts bank conflicts, against a slow oracle and the papers' examples.
#include "models/memory/conflict.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <set>

namespace bdata = boost::unit_test::data;
using fermata::ConflictResolver;
using fermata::kWarpLanes;
using fermata::LaneMask;
using fermata::WarpAccess;
using fermata::WideAccess;

namespace {

struct Expected {
  std::uint32_t passes = 0;
  std::uint32_t degree = 0;
};

/// Sets of words by bank, part by part: the definition, spelled out.
Expected oracle(const WarpAccess& access, std::uint32_t ports, WideAccess wide) {
  Expected expected;
  const unsigned parts = wide == WideAccess::Split ? access.wordsPerLane : 1;
  for (unsigned part = 0; part < parts; ++part) {
    std::map<std::uint32_t, std::set<std::uint32_t>> words;
    for (unsigned lane = part * kWarpLanes / parts; lane < (part + 1) * kWarpLanes / parts;
         ++lane) {
      if ((access.instruction.active >> lane & 1) == 0) continue;
      for (unsigned k = 0; k < access.wordsPerLane; ++k)
        words[access.bank[k][lane]].insert(access.word[k][lane]);
    }
    std::uint32_t degree = 0;
    for (const auto& [bank, set] : words)
      degree = std::max(degree, static_cast<std::uint32_t>(set.size()));
    expected.passes += (degree + ports - 1) / ports;
    expected.degree = std::max(expected.degree, degree);
  }
  return expected;
}

void fill(WarpAccess& access, std::uint32_t banks, unsigned wordsPerLane, LaneMask active,
          const std::function<std::uint32_t(unsigned)>& firstWord) {
  access.instruction.active = active;
  access.wordsPerLane = wordsPerLane;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    for (unsigned k = 0; k < wordsPerLane; ++k) {
      access.word[k][lane] = firstWord(lane) + k;
      access.bank[k][lane] = access.word[k][lane] % banks;
    }
  }
}

void check(std::uint32_t banks, std::uint32_t ports, WideAccess wide, WarpAccess& access,
           ConflictResolver& resolver) {
  resolver.resolve(access);
  const Expected expected = oracle(access, ports, wide);
  BOOST_TEST_CONTEXT("banks " << banks << " ports " << ports << " words a lane "
                              << access.wordsPerLane << " active " << access.instruction.active) {
    BOOST_TEST(access.passes == expected.passes);
    BOOST_TEST(access.degree == expected.degree);
  }
}

/// Leaders are one lane for each distinct word of a part, and only active lanes.
void checkLeaders(const WarpAccess& access, WideAccess wide) {
  const unsigned parts = wide == WideAccess::Split ? access.wordsPerLane : 1;
  std::set<std::pair<unsigned, std::uint32_t>> wanted;
  std::set<std::pair<unsigned, std::uint32_t>> led;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    BOOST_TEST((access.leaders[k] & ~access.instruction.active) == 0U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const unsigned part = lane / (kWarpLanes / parts);
      if ((access.instruction.active >> lane & 1) != 0) wanted.insert({part, access.word[k][lane]});
      if ((access.leaders[k] >> lane & 1) == 0) continue;
      BOOST_TEST(led.insert({part, access.word[k][lane]}).second);
    }
  }
  BOOST_TEST((led == wanted));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule)

BOOST_DATA_TEST_CASE(equals_oracle_on_seeded_accesses,
                     bdata::make({1U, 7U, 16U, 31U, 32U, 33U, 48U, 62U, 64U, 65U, 128U, 4096U}),
                     banks) {
  std::mt19937 random(banks);
  for (const WideAccess wide : {WideAccess::Split, WideAccess::Merged}) {
    for (const std::uint32_t ports : {1U, 2U, 3U}) {
      ConflictResolver resolver(banks, ports, wide);
      WarpAccess access;
      for (int trial = 0; trial < 300; ++trial) {
        const unsigned words = 1U << random() % 3;
        const std::uint32_t span = 1U << random() % 12;
        const LaneMask active =
            trial % 3 == 0 ? fermata::kAllLanes : static_cast<LaneMask>(random());
        fill(access, banks, words, active, [&](unsigned) { return random() % span * words; });
        check(banks, ports, wide, access, resolver);
        checkLeaders(access, wide);
      }
    }
  }
}

BOOST_DATA_TEST_CASE(strides_on_32_banks,
                     bdata::make({1U, 2U, 3U, 4U, 8U, 16U, 32U, 33U, 45U}) ^
                         bdata::make({1U, 2U, 1U, 4U, 8U, 16U, 32U, 1U, 1U}),
                     stride, degree) {
  ConflictResolver resolver(32, 1, WideAccess::Split);
  WarpAccess access;
  fill(access, 32, 1, fermata::kAllLanes, [&](unsigned lane) { return lane * stride; });
  resolver.resolve(access);
  BOOST_TEST(access.passes == degree);
  BOOST_TEST(access.degree == degree);
}

// Seed paper "Configurable XOR Hash Functions", sections 3.2.2 and 3.2.4.
BOOST_AUTO_TEST_CASE(transpose_column_and_walsh_transform) {
  ConflictResolver resolver(32, 1, WideAccess::Split);
  WarpAccess access;
  fill(access, 32, 1, fermata::kAllLanes, [](unsigned lane) { return lane % 16 * 16 + lane / 16; });
  resolver.resolve(access);
  BOOST_TEST(access.degree == 8U);
  fill(access, 32, 1, fermata::kAllLanes, [](unsigned lane) { return lane / 8 * 32 + lane % 8; });
  resolver.resolve(access);
  BOOST_TEST(access.degree == 4U);
}

BOOST_AUTO_TEST_CASE(one_word_for_all_lanes_merges) {
  ConflictResolver resolver(32, 1, WideAccess::Split);
  WarpAccess access;
  fill(access, 32, 1, fermata::kAllLanes, [](unsigned) { return 77U; });
  resolver.resolve(access);
  BOOST_TEST(access.passes == 1U);
  BOOST_TEST(access.leaders[0] == 1U);
}

BOOST_AUTO_TEST_CASE(no_active_lane_needs_no_pass) {
  ConflictResolver resolver(32, 1, WideAccess::Split);
  WarpAccess access;
  fill(access, 32, 1, 0, [](unsigned lane) { return lane; });
  resolver.resolve(access);
  BOOST_TEST(access.passes == 0U);
  BOOST_TEST(access.leaders[0] == 0U);
}

// 64 bits in a row take two passes, 128 bits four; lavaMD's stride of 8 words has degree 4 in each
// half.
BOOST_AUTO_TEST_CASE(wide_accesses_by_halves_and_quarters) {
  ConflictResolver split(32, 1, WideAccess::Split);
  ConflictResolver merged(32, 1, WideAccess::Merged);
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

BOOST_AUTO_TEST_SUITE_END()
