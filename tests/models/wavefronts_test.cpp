// Wave64s, whose halves are warps: the passes of both halves, against the definition.
#include <fermata/models/memory/wavefronts.h>

#include "tests/support/conflict_oracle.h"

using namespace fermata;
using namespace fermata::test;

namespace {

const char* const kGroups[] = {"0-63", "0-15,32-47|16-31,48-63", "31,63|0-30,32-62",
                               "0-3,20-23,32-35,52-55|4-7,16-19,36-39,48-51|8-11,28-31,40-43,60-63|"
                               "12-15,24-27,44-47,56-59"};

LaneGrouping joined(const char* text) {
  LaneGroups groups;
  BOOST_TEST(LaneGroups::read(text, groups) == "");
  BOOST_TEST(groups.joins());
  BOOST_TEST(groups.text() == text);
  LaneGrouping grouping;
  grouping.bits32 = grouping.bits64 = grouping.bits128 = groups;
  return grouping;
}

/// Counts distinct words of both halves, by lane group and bank: the definition.
struct Definition {
  std::uint32_t passes = 0;
  std::uint32_t busy = 0;
  std::uint32_t words = 0;
  std::uint32_t degree = 0;  ///< over groups with lanes of the second half
};

Definition definition(const WarpAccess& first, const WarpAccess& second, const LaneGroups& groups,
                      std::uint32_t ports, std::uint32_t rowWords) {
  Definition all;
  for (const LaneMask group : groups) {
    std::map<std::uint32_t, std::set<std::uint32_t>> rows;
    for (const WarpAccess* half : {&first, &second}) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (((half->asked & group) >> lane & 1) == 0) continue;
        for (unsigned k = 0; k < half->wordsPerLane; ++k)
          rows[half->bank[k][lane]].insert(half->row[k][lane] / rowWords);
      }
    }
    std::uint32_t degree = 0;
    for (const auto& [bank, of] : rows) {
      degree = std::max(degree, static_cast<std::uint32_t>(of.size()));
      all.words += static_cast<std::uint32_t>(of.size());
    }
    all.passes += (degree + ports - 1) / ports;
    all.busy += rows.empty() ? 0 : 1;
    if ((second.asked & group) != 0) all.degree = std::max(all.degree, degree);
  }
  return all;
}

std::uint32_t led(const WarpAccess& access) {
  std::uint32_t count = 0;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) count += laneCount(access.leaders[k]);
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wavefronts)

BOOST_DATA_TEST_CASE(halves_take_the_passes_of_both,
                     bdata::make({31U, 32U, 64U, 65U}) * bdata::make(kGroups), banks, text) {
  const LaneGrouping grouping = joined(text);
  std::mt19937 random(banks);
  for (const std::uint32_t rowWords : {1U, 2U}) {
    for (const std::uint32_t ports : {1U, 2U}) {
      ConflictResolver resolver(banks, ports, grouping, rowWords);
      Wavefronts halves(banks);
      WarpAccess access[2];
      for (int trial = 0; trial < 300; ++trial) {
        const unsigned words = 1U << random() % 3;
        const std::uint32_t span = 1U << random() % 12;
        const unsigned firstWarp = random() % 2;
        for (const unsigned half : {0U, 1U}) {
          const auto some = static_cast<LaneMask>(random() & random());
          fill(access[half], banks, words, trial % 3 == 0 ? kAllLanes : some | 1U << half,
               [&](unsigned) { return random() % span * words; });
          access[half].slot = 6 + (firstWarp ^ half);
          access[half].warp = 2 + (firstWarp ^ half);
          access[half].cta = 9;
          resolver.resolve(access[half]);
          halves.join(access[half], resolver);
        }
        const WarpAccess& a = access[0];
        const WarpAccess& b = access[1];
        const Definition both = definition(a, b, grouping.bits32, ports, rowWords);
        BOOST_TEST(a.passes + b.passes == both.passes);
        BOOST_TEST(a.freePasses + b.freePasses == both.busy);
        BOOST_TEST(led(a) + led(b) == both.words);
        BOOST_TEST(b.degree == both.degree);
        std::uint32_t passes = 0;
        for (unsigned g = 0; g < b.groups; ++g) passes += b.groupPasses[g];
        BOOST_TEST(passes == b.passes);
      }
    }
  }
}

// A word counts once in its bank's passes, for both halves together.
BOOST_AUTO_TEST_CASE(strides_of_64_lanes_on_64_banks) {
  ConflictResolver resolver(64, 1, joined("0-63"));
  Wavefronts halves(64);
  for (std::uint32_t stride = 0; stride <= 128; ++stride) {
    std::map<std::uint32_t, std::set<std::uint32_t>> words;
    std::uint32_t passes = 0;
    std::uint32_t ideal = 0;
    for (const unsigned warp : {0U, 1U}) {
      WarpAccess access;
      const auto word = [&](unsigned lane) { return stride * (lane + kWarpLanes * warp); };
      fill(access, 64, 1, kAllLanes, word);
      access.slot = access.warp = warp;
      access.instruction.pc = stride;
      resolver.resolve(access);
      halves.join(access, resolver);
      passes += access.passes;
      ideal += access.freePasses;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) words[word(lane) % 64].insert(word(lane));
    }
    std::uint32_t most = 0;
    for (const auto& [bank, of] : words) most = std::max<std::uint32_t>(most, of.size());
    BOOST_TEST(passes == most, "stride " << stride);
    BOOST_TEST(ideal == 1U);
  }
}

namespace {

/// Records which executions meet, for halves that execute PCs, and which stay alone.
class Meetings {
 public:
  /// Returns the execution that this one met; "" if it waits.
  std::string come(unsigned warp, std::uint32_t pc, const std::string& name,
                   std::uint64_t cta = 1) {
    std::string other;
    const bool met = halves_.meet(WavefrontHalf(cta, 4 + warp, warp), pc, name, other,
                                  [this](const std::string& one) { alone += one + " "; });
    return met ? other : "";
  }
  void clear() {
    halves_.clear([this](const std::string& one) { alone += one + " "; });
  }
  std::string alone;

 private:
  WavefrontHalves<std::string> halves_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(halves_meet_by_instruction_and_round) {
  Meetings m;
  BOOST_TEST(m.come(0, 5, "a") == "");
  BOOST_TEST(m.come(0, 5, "b") == "");  // a loop
  BOOST_TEST(m.come(1, 5, "A") == "a");
  BOOST_TEST(m.come(1, 5, "B") == "b");
  BOOST_TEST(m.come(1, 5, "C") == "");  // the upper half takes one more round
  BOOST_TEST(m.come(1, 9, "D") == "");
  BOOST_TEST(m.come(0, 9, "d") == "D");
  BOOST_TEST(m.alone == "C ");
  BOOST_TEST(m.come(0, 12, "e") == "");  // the branches differ
  BOOST_TEST(m.come(1, 13, "F") == "");
  BOOST_TEST(m.come(0, 15, "g") == "");
  BOOST_TEST(m.come(1, 15, "G") == "g");
  BOOST_TEST(m.alone == "C e F ");
  BOOST_TEST(m.come(2, 15, "other wavefront") == "");
  m.clear();
  BOOST_TEST(m.alone == "C e F other wavefront ");
}

BOOST_AUTO_TEST_CASE(halves_of_different_ctas_do_not_meet) {
  Meetings m;
  BOOST_TEST(m.come(0, 5, "a", 1) == "");
  BOOST_TEST(m.come(1, 5, "A", 2) == "");
  BOOST_TEST(m.alone == "a ");
  BOOST_TEST(m.come(0, 5, "b", 2) == "A");
}

BOOST_AUTO_TEST_CASE(who_is_far_ahead_meets_nobody) {
  Meetings m;
  constexpr std::uint32_t kMost = WavefrontHalves<std::string>::kMost;
  for (std::uint32_t pc = 0; pc < kMost; ++pc) BOOST_TEST(m.come(0, pc, "a") == "");
  BOOST_TEST(m.alone == "");
  BOOST_TEST(m.come(0, kMost, "b") == "");
  BOOST_TEST(m.alone.size() == kMost / 2 * 2);  // "a " each
  BOOST_TEST(m.come(1, kMost / 2 - 1, "A") == "");
  BOOST_TEST(m.come(1, kMost / 2, "B") == "a");
  BOOST_TEST(m.come(1, kMost, "C") == "b");
}

BOOST_AUTO_TEST_SUITE_END()
