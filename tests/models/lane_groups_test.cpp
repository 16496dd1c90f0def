// Lane groups: reading, writing and refusal of groups that are no partition of the warp; and the
// rules of machines that offer them to their banks.
#include <fermata/models/transaction/lane_groups.h>

#include "tests/support/conflict_oracle.h"

using namespace fermata;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(lane_groups)

BOOST_AUTO_TEST_CASE(side_by_side) {
  for (const unsigned lanes : {1U, 2U, 4U, 8U, 16U, 32U}) {
    const LaneGroups groups(lanes);
    BOOST_TEST(groups.size() == kWarpLanes / lanes);
    LaneMask seen = 0;
    for (const LaneMask group : groups) {
      BOOST_TEST((seen & group) == 0U);
      BOOST_TEST(laneCount(group) == lanes);
      BOOST_TEST(group > seen);
      seen |= group;
    }
    BOOST_TEST(seen == kAllLanes);
  }
}

BOOST_AUTO_TEST_CASE(are_read_and_written) {
  const std::pair<const char*, const char*> texts[] = {
      {"0-31", "0-31"},
      {"0-15|16-31", "0-15|16-31"},
      {" 0 - 15 | 16-31\t", "0-15|16-31"},
      {"16-31|0-15", "16-31|0-15"},
      {"20-23,0-3|4-7,16-19|8-11,28-31|12-15,24-27", "0-3,20-23|4-7,16-19|8-11,28-31|12-15,24-27"},
      {"0,1,2,3-30|31", "0-30|31"},
      {"31|0-30", "31|0-30"},
      {"1,3,5,7|0,2,4,6|8-31", "1,3,5,7|0,2,4,6|8-31"},
      // For a wave64: each group of the upper half follows its counterpart in the lower half.
      {"0-31|32-63", "0-31|32-63"},
      {"0-15|16-31|32-47|48-63", "0-15|32-47|16-31|48-63"},
      {"52-55,32-35|0-3,20-23|4-19,24-31|36-51,56-63",
       "0-3,20-23|32-35,52-55|4-19,24-31|36-51,56-63"},
      {"0-63", "0-63"},
      {"32-47,0-15|48-63,16-31", "0-15,32-47|16-31,48-63"}};
  for (const auto& [text, written] : texts) {
    LaneGroups groups;
    BOOST_TEST(LaneGroups::read(text, groups) == "");
    BOOST_TEST(groups.text() == written);
    LaneGroups again;
    BOOST_TEST(LaneGroups::read(written, again) == "");
    BOOST_TEST(again.text() == written);
  }
}

BOOST_AUTO_TEST_CASE(of_a_wavefront_are_those_of_its_halves) {
  const auto read = [](const char* text) {
    LaneGroups groups;
    BOOST_TEST(LaneGroups::read(text, groups) == "");
    return groups;
  };
  const LaneGroups apart = read("0-15|16-31|32-47|48-63");
  BOOST_TEST(!apart.joins());
  BOOST_TEST(std::vector<LaneMask>(apart.begin(), apart.end()) ==
                 (std::vector<LaneMask>{0xffff, 0xffff0000}),
             tt::per_element());
  const LaneGroups together = read("0-15,32-47|16-31,48-63");
  BOOST_TEST(together.joins());
  BOOST_TEST(std::vector<LaneMask>(together.begin(), together.end()) ==
                 (std::vector<LaneMask>{0xffff, 0xffff0000}),
             tt::per_element());
  BOOST_TEST(!read("0-31").joins());
  LaneGrouping grouping;
  BOOST_TEST(!grouping.joins());
  grouping.bits128Stores = together;
  BOOST_TEST(grouping.joins());
}

BOOST_AUTO_TEST_CASE(refuse_what_is_no_partition) {
  const std::pair<const char*, const char*> texts[] = {
      {"", "it ends where a lane should stand"},
      {"0-30", "lane 31 is missing"},
      {"0-15|17-31", "lane 16 is missing"},
      {"0-31|", "it ends where a lane should stand"},
      {"0-15||16-31", "'|16-31' is no lane"},
      {"0-15|15-31", "lane 15 stands in it twice"},
      {"0-31,7", "lane 7 stands in it twice"},
      {"0-32", "lane 33 is missing"},
      {"0-62", "lane 63 is missing"},
      {"0-64", "'64' is no lane of a warp or wavefront"},
      {"0-99999999999999999999", "'9999999999999999' is no lane of a warp or wavefront"},
      {"0-31|32-47|48-63", "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
      {"0-15|16-31|32-63", "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
      {"0-15|16-31|32-46|47-63", "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
      {"0-15,32-63|16-31", "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
      {"0-15,48-63|16-31,32-47", "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
      {"0-15,32-47|16-31|48-63", "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
      {"16-31|0-15,32-47|48-63", "lanes 32 to 63 are not grouped as lanes 0 to 31 are"},
      {"31-0", "31-0 falls"},
      {"-1", "'-1' is no lane"},
      {"0-15;16-31", "';16-31' follows a lane"},
      {"0x0-31", "'x0-31' follows a lane"},
      {"all", "'all' is no lane"}};
  for (const auto& [text, wrong] : texts) {
    LaneGroups groups(8);
    BOOST_TEST(LaneGroups::read(text, groups) == wrong);
    BOOST_TEST(groups.size() == 4U);  // unchanged
  }
}

// CUDA C Programming Guide 4.2, F.4.3.2: most 128-bit accesses take two ways without a conflict.
BOOST_AUTO_TEST_CASE(fermi_takes_a_pass_more_for_each_quarter) {
  ConflictResolver resolver(32, 1, groupingOf(machine(1)));
  WarpAccess access;
  const auto passes = [&](unsigned words, LaneMask active, unsigned stride) {
    fill(access, 32, words, active, [&](unsigned lane) { return stride * lane; });
    resolver.resolve(access);
    return std::pair(access.passes, access.freePasses);
  };
  BOOST_TEST((passes(4, kAllLanes, 4) == std::pair(8U, 8U)));
  BOOST_TEST((passes(4, 0xff, 32) == std::pair(9U, 2U)));
  BOOST_TEST(passes(2, kAllLanes, 2).first == 2U);
}

// Lanes 0-3 meet 20-23: an access conflict-free by quarters may conflict here, and vice versa.
BOOST_AUTO_TEST_CASE(groups_that_do_not_lie_side_by_side) {
  ConflictResolver quarters(32, 1, groupingOf(machine(0)));
  ConflictResolver crossedLanes(32, 1, groupingOf(machine(3)));
  WarpAccess access;
  const auto passes = [&](ConflictResolver& resolver) {
    resolver.resolve(access);
    return access.passes;
  };
  fill(access, 32, 4, kAllLanes, [](unsigned lane) { return 4 * lane; });
  BOOST_TEST(passes(quarters) == 4U);
  BOOST_TEST(passes(crossedLanes) == 4U);  // 20-23 have chunks 4-7 of their row
  const auto chunk = [](unsigned lane) { return lane < 16 ? lane % 8 : (lane + 4) % 8; };
  fill(access, 32, 4, kAllLanes, [&](unsigned lane) { return 32 * lane + 4 * chunk(lane); });
  BOOST_TEST(passes(quarters) == 4U);
  BOOST_TEST(passes(crossedLanes) == 8U);
}

BOOST_AUTO_TEST_CASE(stores_may_have_groups_of_their_own) {
  LaneGrouping grouping = groupingOf(machine(3));
  grouping.bits128Stores = LaneGroups(8);
  ConflictResolver resolver(32, 1, grouping);
  WarpAccess access;
  const auto chunk = [](unsigned lane) { return lane < 16 ? lane % 8 : (lane + 4) % 8; };
  fill(access, 32, 4, kAllLanes, [&](unsigned lane) { return 32 * lane + 4 * chunk(lane); });
  resolver.resolve(access);
  BOOST_TEST(access.passes == 8U);
  access.instruction.operation = MemoryOperation::Store;
  resolver.resolve(access);
  BOOST_TEST(access.passes == 4U);
}

// Loads of 64 and of 128 bits: measured on V100, A100 and H100.
BOOST_AUTO_TEST_CASE(pairs_of_lanes_at_one_address_come_together) {
  LaneGrouping grouping = groupingOf(machine(0));
  BOOST_TEST(LanePacking::read("1,2", grouping.packing64) == "");
  grouping.packing128 = grouping.packing64;
  ConflictResolver resolver(32, 1, grouping);
  WarpAccess access;
  unsigned words = 4;
  const auto passes = [&](const std::function<std::uint32_t(unsigned)>& chunk,
                          LaneMask active = kAllLanes) {
    fill(access, 32, words, active, [&](unsigned lane) { return words * chunk(lane); });
    access.instruction.active = active;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      access.instruction.address[lane] = 4 * access.word[0][lane];
    resolver.resolve(access);
    return std::pair(access.passes, access.freePasses);
  };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  const auto lanes = [](unsigned lane) { return lane; };
  const auto neighbours = [](unsigned lane) { return lane / 2; };
  const auto second = [](unsigned lane) { return lane / 4 * 2 + lane % 2; };  // lanes n and n^2
  const auto mixed = [&](unsigned lane) { return lane < 16 ? neighbours(lane) : second(lane); };
  for (const unsigned of : {2U, 4U}) {
    words = of;
    const Pair plain{of, of};
    const Pair packed{of / 2, of / 2};
    BOOST_TEST((passes(lanes) == plain));
    BOOST_TEST((passes(neighbours) == packed));
    BOOST_TEST((passes(second) == packed));
    BOOST_TEST((passes([](unsigned) { return 5U; }) == packed));
    BOOST_TEST((passes([](unsigned lane) { return lane / 4; }) == packed));
    BOOST_TEST((passes([](unsigned lane) { return lane / 8 * 4 + lane % 4; }) == plain));  // n^4
    // One distance must do for the whole warp, and every lane must follow it.
    BOOST_TEST((passes(mixed) == plain));
    BOOST_TEST(
        (passes([&](unsigned lane) { return lane == 31 ? 99U : neighbours(lane); }) == plain));
    // Lanes without an active partner are no hindrance.
    BOOST_TEST((passes(lanes, 0x7fU) == Pair{1, 1}));
    BOOST_TEST((passes(neighbours, 0x55555555U) == packed));
    BOOST_TEST((passes(lanes, 0x55555555U) == Pair{of, of / 2}));  // every second chunk
    // Conflicts are those of the groups that came together.
    BOOST_TEST(
        (passes([&](unsigned lane) { return lane / 2 * (32 / words); }) == Pair{16, of / 2}));
    BOOST_TEST((passes([&](unsigned lane) { return lane / 2 * (32 / words + 1); }) == packed));
    access.instruction.operation = MemoryOperation::Store;
    BOOST_TEST((passes(neighbours) == plain));
    access.instruction.operation = MemoryOperation::Load;
    ConflictResolver never(32, 1, groupingOf(machine(0)));
    never.resolve(access);
    BOOST_TEST(access.passes == of);
  }
}

BOOST_AUTO_TEST_CASE(distances_of_packing_are_read_and_written) {
  LanePacking packing;
  for (const char* text : {"", "1", "2", "1,2", "1,2,4,8,16"}) {
    BOOST_TEST(LanePacking::read(text, packing) == "");
    BOOST_TEST(packing.text() == text);
    BOOST_TEST(packing.never() == std::string_view(text).empty());
  }
  for (const char* text : {"0", "3", "32", "1,", ",1", "a", "1;2", "-1", "99999999999999999999"}) {
    BOOST_TEST(LanePacking::read(text, packing) != "", text);
    BOOST_TEST(packing.text() == "1,2,4,8,16");
  }
}

// Measured on an H100: passes = max(number of groups, sum of the degrees).
BOOST_AUTO_TEST_CASE(groups_without_lanes_may_take_a_pass) {
  LaneGrouping grouping = groupingOf(machine(0));
  grouping.idleGroupsCount = true;
  ConflictResolver resolver(32, 1, grouping);
  WarpAccess access;
  const auto passes = [&](unsigned words, LaneMask active, std::uint32_t stride) {
    fill(access, 32, words, active, [&](unsigned lane) { return stride * lane; });
    resolver.resolve(access);
    return access.passes;
  };
  BOOST_TEST(passes(4, 1, 4) == 4U);
  BOOST_TEST(passes(2, 1, 2) == 2U);
  BOOST_TEST(passes(1, 1, 1) == 1U);
  BOOST_TEST(passes(4, 0x00ff00ffU, 4) == 4U);
  BOOST_TEST(passes(4, 0xfU, 32) == 4U);  // one group of degree 4 covers the idle ones
  BOOST_TEST(passes(4, 0xffU, 32) == 8U);
  BOOST_TEST(passes(4, 0, 4) == 0U);

  StaticInstruction matrices;
  matrices.matrices = 2;
  access.issuedInstruction = &matrices;
  BOOST_TEST(passes(4, 0xffffU, 4) == 2U);
  BOOST_TEST(passes(4, 0xffffU, 32) == 16U);
}

// Kepler's 4-byte mode: words i and i + 32 of an aligned 64 share a row (NVIDIA GTC 2012).
BOOST_AUTO_TEST_CASE(words_of_a_row_come_together) {
  ConflictResolver one(32, 1, LaneGrouping());
  ConflictResolver two(32, 1, LaneGrouping(), 2);
  WarpAccess access;
  const auto expect = [&](const std::function<std::uint32_t(unsigned)>& word, std::uint32_t apart,
                          std::uint32_t shared) {
    fill(access, 32, 1, kAllLanes, word);
    one.resolve(access);
    BOOST_TEST(access.passes == apart);
    two.resolve(access);
    BOOST_TEST(access.passes == shared);
  };
  expect([](unsigned lane) { return 2 * lane; }, 2, 1);
  expect([](unsigned lane) { return 4 * lane; }, 4, 2);
  expect([](unsigned lane) { return 32 * lane; }, 32, 16);
  expect([](unsigned lane) { return 64 * lane; }, 32, 32);
  expect([](unsigned lane) { return 32 + 2 * lane; }, 2, 2);  // 64-word segments are aligned
  expect([](unsigned lane) { return 33 * lane; }, 1, 1);
}

BOOST_AUTO_TEST_SUITE_END()
