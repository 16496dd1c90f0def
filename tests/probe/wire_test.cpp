// Wire that words switch in a crossbar laid out as one grid, against a count word by word.
#include <fermata/models/probe/caches.h>
#include <fermata/models/transaction/warp_access.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

/// Counts pitches along the row of each lane that gets the word, and down the column of the word's
/// bank to the farthest lane.
std::uint64_t pitchesOneByOne(const WarpAccess& access, LaneMask left) {
  std::uint64_t sum = 0;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    std::map<std::uint32_t, unsigned> farthest;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const LaneMask bit = LaneMask{1} << lane;
      if ((access.asked & bit) == 0 || (left & access.wordsLeft[k] & bit) != 0) continue;
      farthest[access.word[k][lane]] = lane + 1;
      sum += access.bank[k][lane] + 1;
    }
    for (const auto& [word, lanes] : farthest) sum += lanes;
  }
  return sum;
}

/// Words of lanes, in patterns of kernels.
enum class Pattern { Own, Some, Rows, Runs, Mixed };
constexpr std::array kPatterns{Pattern::Own, Pattern::Some, Pattern::Rows, Pattern::Runs,
                               Pattern::Mixed};

/// `size`: number of words to choose from, or lanes per row or run.
std::uint32_t wordOf(Pattern pattern, unsigned size, unsigned lane, std::mt19937& random) {
  switch (pattern) {
    case Pattern::Own:
      return lane * 7;
    case Pattern::Some:
      return static_cast<std::uint32_t>(random() % size);
    case Pattern::Rows:
      return lane % size;
    case Pattern::Runs:
      return lane / size;
    case Pattern::Mixed:  // rows with some stray lanes
      return static_cast<std::uint32_t>(random() % 16 == 0 ? random() % 64 : lane % size);
  }
  return 0;
}

/// Chooses any lane of each word of a lane group as leader; of every second word only if banks
/// deliver rows of several words.
LaneMask leadersOf(const WarpAccess::Lanes& word, LaneMask group, std::mt19937& random) {
  std::map<std::uint32_t, unsigned> leader;
  const auto first = static_cast<unsigned>(random() % 2 == 0 ? 0 : random() % kWarpLanes);
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    const unsigned lane = (first + i) % kWarpLanes;
    if ((group >> lane & 1) != 0) leader.emplace(word[lane], lane);
  }
  LaneMask leaders = 0;
  const bool rows = random() % 4 == 0;
  for (const auto& [which, lane] : leader) {
    if (!rows || which % 2 == 0) leaders |= LaneMask{1} << lane;
  }
  return leaders;
}

/// Places words in 33 banks; `asked` and `groups` must be set.
void place(WarpAccess& access, Pattern pattern, unsigned size, std::mt19937& random) {
  const unsigned lanesOfGroup = kWarpLanes / access.groups;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const bool asks = (access.asked >> lane & 1) != 0;
      const std::uint32_t word = wordOf(pattern, size, lane, random);
      access.word[k][lane] = asks ? word : static_cast<std::uint32_t>(random() % 32);
      access.bank[k][lane] = word % 33;
    }
    access.leaders[k] = 0;
    for (unsigned group = 0; group < access.groups; ++group) {
      const LaneMask lanes = kAllLanes >> (kWarpLanes - lanesOfGroup) << group * lanesOfGroup;
      access.leaders[k] |= leadersOf(access.word[k], access.asked & lanes, random);
    }
    access.wordsLeft[k] = static_cast<LaneMask>(random());
  }
}

LaneMask someLanes(unsigned trial, std::mt19937& random) {
  const auto any = static_cast<LaneMask>(random());
  const std::array<LaneMask, 5> masks{kAllLanes, any, any & static_cast<LaneMask>(random()),
                                      kAllLanes >> any % kWarpLanes, kAllLanes << any % kWarpLanes};
  return masks[trial % masks.size()];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wire)

BOOST_AUTO_TEST_CASE(pitches_are_those_of_each_word) {
  std::mt19937 random(1);
  unsigned wrong = 0;
  for (unsigned trial = 0; trial < 40000; ++trial) {
    WarpAccess access;
    access.wordsPerLane = 1U << random() % 3;
    access.asked = someLanes(trial, random);
    access.passes = 1;
    access.groups = trial % 7 < 5 ? 1 : 1U << random() % 4;
    place(access, kPatterns[random() % kPatterns.size()], 1U << random() % 6, random);
    const LaneMask left = trial % 3 == 0 ? access.asked & static_cast<LaneMask>(random()) : 0;
    access.outcome.leave(left, LeftCause::Bank);
    wrong += WireCounter::pitches(access) == pitchesOneByOne(access, left) ? 0 : 1;
  }
  BOOST_TEST(wrong == 0U);
}

// Atomics that do not merge in a bank.
BOOST_AUTO_TEST_CASE(lanes_that_all_lead_share_nothing) {
  WarpAccess access;
  access.asked = 0xf;
  access.leaders[0] = 0xf;
  access.passes = 1;
  access.groups = 1;
  access.word[0].fill(5);
  access.bank[0].fill(5);
  BOOST_TEST(WireCounter::pitches(access) == 4U * 6 + 1 + 2 + 3 + 4);
}

BOOST_AUTO_TEST_CASE(a_squashed_try_switches_none) {
  std::mt19937 random(1);
  WarpAccess access;
  access.asked = kAllLanes;
  access.passes = 0;
  access.groups = 1;
  place(access, Pattern::Some, 8, random);
  BOOST_TEST(WireCounter::pitches(access) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
