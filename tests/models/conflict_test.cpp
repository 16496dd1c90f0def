// The rule that counts bank conflicts, against a slow oracle and the papers' examples.
#include <fermata/models/memory/conflict.h>

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
  std::uint32_t groups = 0;
  std::uint32_t degree = 0;
};

/// Parts of the warp that are served one after the other.
unsigned partsOf(const WarpAccess& access, WideAccess wide, unsigned lanes) {
  return kWarpLanes / lanes * (wide == WideAccess::Split ? access.wordsPerLane : 1);
}

/// Sets of words by bank, part by part: the definition, spelled out.
Expected oracle(const WarpAccess& access, std::uint32_t ports, WideAccess wide, unsigned together) {
  Expected expected;
  const unsigned parts = partsOf(access, wide, together);
  for (unsigned part = 0; part < parts; ++part) {
    std::map<std::uint32_t, std::set<std::uint32_t>> words;
    for (unsigned lane = part * kWarpLanes / parts; lane < (part + 1) * kWarpLanes / parts;
         ++lane) {
      if ((access.asked >> lane & 1) == 0) continue;
      for (unsigned k = 0; k < access.wordsPerLane; ++k)
        words[access.bank[k][lane]].insert(access.word[k][lane]);
    }
    std::uint32_t degree = 0;
    for (const auto& [bank, set] : words)
      degree = std::max(degree, static_cast<std::uint32_t>(set.size()));
    expected.passes += (degree + ports - 1) / ports;
    expected.groups += degree == 0 ? 0 : 1;
    expected.degree = std::max(expected.degree, degree);
  }
  return expected;
}

void fill(WarpAccess& access, std::uint32_t banks, unsigned wordsPerLane, LaneMask active,
          const std::function<std::uint32_t(unsigned)>& firstWord) {
  access.asked = active;
  access.wordsPerLane = wordsPerLane;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    for (unsigned k = 0; k < wordsPerLane; ++k) {
      access.word[k][lane] = firstWord(lane) + k;
      access.bank[k][lane] = access.word[k][lane] % banks;
    }
  }
}

void check(std::uint32_t banks, std::uint32_t ports, WideAccess wide, unsigned lanes,
           WarpAccess& access, ConflictResolver& resolver) {
  resolver.resolve(access);
  const Expected expected = oracle(access, ports, wide, lanes);
  BOOST_TEST_CONTEXT("banks " << banks << " ports " << ports << " lanes " << lanes
                              << " words a lane " << access.wordsPerLane << " active "
                              << access.asked) {
    BOOST_TEST(access.passes == expected.passes);
    BOOST_TEST(access.groups == expected.groups);
    BOOST_TEST(access.degree == expected.degree);
  }
}

/// Leaders are one lane for each distinct word of a part, and only active lanes.
void checkLeaders(const WarpAccess& access, WideAccess wide, unsigned lanes) {
  const unsigned parts = partsOf(access, wide, lanes);
  std::set<std::pair<unsigned, std::uint32_t>> wanted;
  std::set<std::pair<unsigned, std::uint32_t>> led;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    BOOST_TEST((access.leaders[k] & ~access.asked) == 0U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const unsigned part = lane / (kWarpLanes / parts);
      if ((access.asked >> lane & 1) != 0) wanted.insert({part, access.word[k][lane]});
      if ((access.leaders[k] >> lane & 1) == 0) continue;
      BOOST_TEST(led.insert({part, access.word[k][lane]}).second);
    }
  }
  BOOST_TEST((led == wanted));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rule)

BOOST_DATA_TEST_CASE(equals_oracle_on_seeded_accesses,
                     bdata::make({1U, 7U, 16U, 31U, 32U, 33U, 48U, 62U, 64U, 65U, 128U, 4096U}) *
                         bdata::make({32U, 16U}),
                     banks, lanes) {
  std::mt19937 random(banks);
  for (const WideAccess wide : {WideAccess::Split, WideAccess::Merged}) {
    for (const std::uint32_t ports : {1U, 2U, 3U}) {
      ConflictResolver resolver(banks, ports, wide, lanes);
      WarpAccess access;
      for (int trial = 0; trial < 300; ++trial) {
        const unsigned words = 1U << random() % 3;
        const std::uint32_t span = 1U << random() % 12;
        const LaneMask active =
            trial % 3 == 0 ? fermata::kAllLanes : static_cast<LaneMask>(random());
        fill(access, banks, words, active, [&](unsigned) { return random() % span * words; });
        check(banks, ports, wide, lanes, access, resolver);
        checkLeaders(access, wide, lanes);
      }
    }
  }
}

// What kernels do: words that rise, fall, or repeat after some lanes.
BOOST_DATA_TEST_CASE(equals_oracle_on_patterns, bdata::make({2U, 8U, 31U, 32U, 33U, 64U, 100U}),
                     banks) {
  ConflictResolver resolver(banks, 1, WideAccess::Split);
  WarpAccess access;
  for (std::uint32_t stride = 0; stride < 70; ++stride) {
    for (std::uint32_t period = 1; period <= kWarpLanes; ++period) {
      for (const LaneMask active : {fermata::kAllLanes, ~LaneMask{1}, LaneMask{0x00ffff00}}) {
        fill(access, banks, 1, active, [&](unsigned lane) { return lane % period * stride; });
        check(banks, 1, WideAccess::Split, kWarpLanes, access, resolver);
        checkLeaders(access, WideAccess::Split, kWarpLanes);
        fill(access, banks, 1, active, [&](unsigned lane) { return lane / period * stride; });
        check(banks, 1, WideAccess::Split, kWarpLanes, access, resolver);
        checkLeaders(access, WideAccess::Split, kWarpLanes);
        fill(access, banks, 1, active,
             [&](unsigned lane) { return (kWarpLanes - lane) % period * stride; });
        check(banks, 1, WideAccess::Split, kWarpLanes, access, resolver);
        checkLeaders(access, WideAccess::Split, kWarpLanes);
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

// 16 banks and half warps, compute capability 1.x: what conflicts within a half counts, what the
// two halves share does not.
BOOST_AUTO_TEST_CASE(half_warps) {
  ConflictResolver resolver(16, 1, WideAccess::Split, 16);
  WarpAccess access;
  const auto resolve = [&](unsigned wordsPerLane, LaneMask active,
                           const std::function<std::uint32_t(unsigned)>& word) {
    fill(access, 16, wordsPerLane, active, word);
    resolver.resolve(access);
  };
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return lane; });
  BOOST_TEST(access.passes == 2U);
  BOOST_TEST(access.groups == 2U);
  BOOST_TEST(access.degree == 1U);
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return 2 * lane; });
  BOOST_TEST(access.passes == 4U);
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return 16 * lane; });
  BOOST_TEST(access.passes == 32U);
  resolve(1, fermata::kAllLanes, [](unsigned lane) { return 17 * lane; });
  BOOST_TEST(access.passes == 2U);
  resolve(1, fermata::kAllLanes, [](unsigned) { return 5U; });  // one word: once a half
  BOOST_TEST(access.passes == 2U);
  BOOST_TEST(access.leaders[0] == 0x10001U);
  resolve(1, 0xffffU, [](unsigned lane) { return lane; });  // the second half asks for nothing
  BOOST_TEST(access.passes == 1U);
  resolve(1, 0xffff0000U, [](unsigned lane) { return 16 * lane; });
  BOOST_TEST(access.passes == 16U);
  resolve(2, fermata::kAllLanes, [](unsigned lane) { return 2 * lane; });  // 8 lanes at a time
  BOOST_TEST(access.passes == 4U);
  resolve(4, fermata::kAllLanes, [](unsigned lane) { return 4 * lane; });
  BOOST_TEST(access.passes == 8U);
  ConflictResolver merged(16, 1, WideAccess::Merged, 16);
  merged.resolve(access);
  BOOST_TEST(access.passes == 8U);  // 64 words on 16 banks, twice
  BOOST_TEST(access.groups == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(groups)

struct Grouping {
  unsigned lanes, words;
  WideAccess wide;
  unsigned count, each;
};
const Grouping kGroupings[] = {
    {32, 1, WideAccess::Split, 1, 32},  {32, 2, WideAccess::Split, 2, 16},
    {32, 4, WideAccess::Split, 4, 8},   {16, 1, WideAccess::Split, 2, 16},
    {16, 2, WideAccess::Split, 4, 8},   {16, 4, WideAccess::Split, 8, 4},
    {32, 4, WideAccess::Merged, 1, 32}, {16, 4, WideAccess::Merged, 2, 16},
};

BOOST_AUTO_TEST_CASE(cover_the_warp_once) {
  for (const Grouping& g : kGroupings) {
    const fermata::LaneGroups groups = fermata::laneGroups(g.lanes, g.words, g.wide);
    BOOST_TEST(groups.count == g.count);
    BOOST_TEST(groups.lanes == g.each);
    LaneMask seen = 0;
    for (unsigned i = 0; i < groups.count; ++i) {
      BOOST_TEST((seen & groups.mask(i)) == 0U);
      BOOST_TEST(static_cast<unsigned>(__builtin_popcount(groups.mask(i))) == groups.lanes);
      BOOST_TEST(groups.mask(i) > seen);  // in rising order
      seen |= groups.mask(i);
    }
    BOOST_TEST(seen == fermata::kAllLanes);
  }
}

BOOST_AUTO_TEST_SUITE_END()
