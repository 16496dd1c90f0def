// Bank conflicts by their definition, on machines as their documents describe them.
#pragma once

#include <fermata/models/memory/conflict.h>

#include "tests/support/test.h"

namespace fermata::test {

/// Lane groups of a machine, by words per lane.
struct Machine {
  const char* name;
  std::vector<std::vector<unsigned>> of1, of2, of4;
  std::uint32_t extra4 = 0;
};

inline std::vector<std::vector<unsigned>> sideBySide(unsigned each) {
  std::vector<std::vector<unsigned>> groups(kWarpLanes / each);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) groups[lane / each].push_back(lane);
  return groups;
}

/// Returns lanes 0-3 and 20-23, ...: lane groups of 128-bit reads on AMD's MI300X and RDNA3
/// (measured: nod-ai/amd-shark-ai, docs/empirical-lds).
inline std::vector<std::vector<unsigned>> crossed() {
  std::vector<std::vector<unsigned>> groups(4);
  const unsigned first[][2] = {{0, 20}, {4, 16}, {8, 28}, {12, 24}};
  for (unsigned g = 0; g < 4; ++g) {
    for (const unsigned from : first[g])
      for (unsigned i = 0; i < 4; ++i) groups[g].push_back(from + i);
  }
  return groups;
}

inline const Machine& machine(unsigned number) {
  static const Machine machines[] = {
      {"Volta to Hopper", sideBySide(32), sideBySide(16), sideBySide(8), 0},
      {"Fermi", sideBySide(32), sideBySide(16), sideBySide(8), 1},
      {"GT200", sideBySide(16), sideBySide(8), sideBySide(4), 0},
      {"MI300X", sideBySide(32), sideBySide(16), crossed(), 0},
      {"all at once", sideBySide(32), sideBySide(32), sideBySide(32), 0},
      {"uneven",
       {{31}, {0, 2, 4, 6, 8, 10}, {1, 3, 5, 7, 9}, {11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                                     21, 22, 23, 24, 25, 26, 27, 28, 29, 30}},
       sideBySide(2),
       sideBySide(1),
       3}};
  return machines[number];
}
inline constexpr unsigned kMachines = 6;

inline LaneGroups groupsOf(const std::vector<std::vector<unsigned>>& lanes) {
  std::string text;
  for (const auto& group : lanes) {
    if (!text.empty()) text += '|';
    for (const unsigned lane : group)
      text += (text.empty() || text.back() == '|' ? "" : ",") + std::to_string(lane);
  }
  LaneGroups groups;
  BOOST_TEST(LaneGroups::read(text, groups) == "");
  return groups;
}

inline LaneGrouping groupingOf(const Machine& m) {
  LaneGrouping grouping;
  grouping.bits32 = groupsOf(m.of1);
  grouping.bits64 = groupsOf(m.of2);
  grouping.bits128 = groupsOf(m.of4);
  grouping.extraPasses128 = m.extra4;
  return grouping;
}

inline const std::vector<std::vector<unsigned>>& groupsFor(const Machine& m,
                                                           unsigned wordsPerLane) {
  return wordsPerLane == 1 ? m.of1 : wordsPerLane == 2 ? m.of2 : m.of4;
}

struct Expected {
  std::uint32_t passes = 0;
  std::uint32_t freePasses = 0;
  std::uint32_t degree = 0;
};

/// Collects sets of rows by bank, lane group by lane group: the definition, spelled out. A row has
/// `rowWords` words.
inline Expected oracle(const WarpAccess& access, std::uint32_t ports, const Machine& m,
                       std::uint32_t rowWords = 1) {
  Expected expected;
  for (const auto& group : groupsFor(m, access.wordsPerLane)) {
    std::map<std::uint32_t, std::set<std::uint32_t>> rows;
    for (const unsigned lane : group) {
      if ((access.asked >> lane & 1) == 0) continue;
      for (unsigned k = 0; k < access.wordsPerLane; ++k)
        rows[access.bank[k][lane]].insert(access.row[k][lane] / rowWords);
    }
    if (rows.empty()) continue;
    std::uint32_t degree = 0;
    for (const auto& [bank, set] : rows)
      degree = std::max(degree, static_cast<std::uint32_t>(set.size()));
    const std::uint32_t extra = access.wordsPerLane == 4 ? m.extra4 : 0;
    expected.passes += (degree + ports - 1) / ports + extra;
    expected.freePasses += 1 + extra;
    expected.degree = std::max(expected.degree, degree);
  }
  return expected;
}

inline void fill(WarpAccess& access, std::uint32_t banks, unsigned wordsPerLane, LaneMask active,
                 const std::function<std::uint32_t(unsigned)>& firstWord) {
  access.asked = active;
  access.wordsPerLane = wordsPerLane;
  access.instruction.bytesPerLane = static_cast<std::uint8_t>(4 * wordsPerLane);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t first = firstWord(lane);
    for (unsigned k = 0; k < wordsPerLane; ++k) {
      access.word[k][lane] = first + k;
      access.bank[k][lane] = access.word[k][lane] % banks;
      access.row[k][lane] = access.word[k][lane] / banks;
    }
  }
}

inline void check(std::uint32_t banks, std::uint32_t ports, const Machine& m, WarpAccess& access,
                  ConflictResolver& resolver, std::uint32_t rowWords = 1) {
  resolver.resolve(access);
  const Expected expected = oracle(access, ports, m, rowWords);
  BOOST_TEST_CONTEXT(m.name << ", banks " << banks << " ports " << ports << " row words "
                            << rowWords << " words a lane " << access.wordsPerLane << " active "
                            << access.asked) {
    BOOST_TEST(access.passes == expected.passes);
    BOOST_TEST(access.freePasses == expected.freePasses);
    BOOST_TEST(access.degree == expected.degree);
  }
}

/// Checks that the leaders are active lanes, one for each distinct row of a lane group.
inline void checkLeaders(const WarpAccess& access, const Machine& m, std::uint32_t rowWords = 1) {
  using Place = std::tuple<std::size_t, std::uint32_t, std::uint32_t>;
  std::set<Place> wanted;
  std::set<Place> led;
  const auto& groups = groupsFor(m, access.wordsPerLane);
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    BOOST_TEST((access.leaders[k] & ~access.asked) == 0U);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const unsigned lane : groups[g]) {
        const Place place{g, access.bank[k][lane], access.row[k][lane] / rowWords};
        if ((access.asked >> lane & 1) != 0) wanted.insert(place);
        if ((access.leaders[k] >> lane & 1) == 0) continue;
        BOOST_TEST(led.insert(place).second);
      }
    }
  }
  BOOST_TEST((led == wanted));
}

/// Offers `lanes` words at a time to the banks.
inline LaneGrouping together(unsigned lanes) {
  LaneGrouping grouping;
  grouping.bits32 = LaneGroups(lanes);
  grouping.bits64 = LaneGroups(lanes / 2);
  grouping.bits128 = LaneGroups(lanes / 4);
  return grouping;
}
/// Offers all words of all lanes at once.
inline LaneGrouping atOnce() {
  return groupingOf(machine(4));
}

}  // namespace fermata::test
