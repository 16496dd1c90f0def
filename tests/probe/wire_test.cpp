// The wire that words switch in a crossbar laid out as one grid, against a count of each word by
// itself.
#include <fermata/models/probe/caches.h>
#include <fermata/models/transaction/warp_access.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>

using namespace fermata;

namespace {

/// Along the row of each lane that gets the word, and down the column of its bank to the farthest.
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

/// Lanes on words of so many, in 33 banks.
void place(WarpAccess& access, std::mt19937& random, unsigned words) {
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    access.leaders[k] = 0;
    std::map<std::uint32_t, LaneMask> first;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const auto word = static_cast<std::uint32_t>(words == 0 ? lane * 7 : random() % words);
      access.word[k][lane] = word;
      access.bank[k][lane] = word % 33;
      const LaneMask bit = access.asked & LaneMask{1} << lane;
      if (bit != 0 && first.emplace(word, bit).second) access.leaders[k] |= bit;
    }
    access.wordsLeft[k] = static_cast<LaneMask>(random());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wire)

BOOST_AUTO_TEST_CASE(pitches_are_those_of_each_word) {
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 2000; ++trial) {
    WarpAccess access;
    access.wordsPerLane = 1U << random() % 3;
    access.asked = trial % 3 == 0 ? kAllLanes : static_cast<LaneMask>(random());
    access.passes = 1;
    access.groups = trial % 7 == 0 ? 2 : 1;
    place(access, random, trial % 4 == 0 ? 0 : 1U << trial % 7);
    const LaneMask left = trial % 5 == 0 ? access.asked & static_cast<LaneMask>(random()) : 0;
    access.outcome.leave(left, LeftCause::Bank);
    BOOST_TEST(WireCounter::pitches(access) == pitchesOneByOne(access, left));
  }
}

BOOST_AUTO_TEST_CASE(a_squashed_try_switches_none) {
  std::mt19937 random(1);
  WarpAccess access;
  access.asked = kAllLanes;
  access.passes = 0;
  place(access, random, 8);
  BOOST_TEST(WireCounter::pitches(access) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
