// The parts of an L1 that need no simulation: lines of a try, accesses under way, compared loads.

#include <fermata/models/memory/l1_flights.h>
#include <fermata/models/memory/l1_try.h>
#include <fermata/models/memory/load_check.h>

#include "tests/support/test.h"

using namespace fermata;

BOOST_AUTO_TEST_SUITE(l1_parts)

BOOST_AUTO_TEST_CASE(lanes_are_gathered_into_lines_in_their_order) {
  const CacheShape shape{4096, 128, 2};
  const CacheArray array(shape, SetIndex(shape, ""), Chosen<ReplacementPolicy>("lru").make(),
                         false);
  const auto access = std::make_unique<WarpAccess>();
  const std::uint64_t addresses[] = {0x400, 0x80, 0x404, 0x480};
  std::copy(std::begin(addresses), std::end(addresses), access->instruction.address.begin());
  TouchedLines lines;
  lines.gather(*access, 0b1111, array);
  BOOST_TEST(lines.count == 3U);
  BOOST_TEST(lines.line[0] == 8U);
  BOOST_TEST(lines.lanes[0] == 0b0101U);
  BOOST_TEST(lines.line[1] == 1U);
  BOOST_TEST(lines.lanes[2] == 0b1000U);
  lines.fall();
  BOOST_TEST(lines.count == 3U);
  BOOST_TEST(lines.line[0] == 9U);
  BOOST_TEST(lines.lanes[0] == 0b1000U);
  BOOST_TEST(lines.line[1] == 8U);
  BOOST_TEST(lines.lanes[1] == 0b0101U);
  BOOST_TEST(lines.line[2] == 1U);
}

// Against lanes that are sorted into lines one by one.
BOOST_AUTO_TEST_CASE(each_lane_asked_is_in_the_line_of_its_address) {
  const CacheShape shape{4096, 64, 1};
  const CacheArray array(shape, SetIndex(shape, ""), Chosen<ReplacementPolicy>("lru").make(),
                         false);
  std::mt19937_64 random(3);
  const auto access = std::make_unique<WarpAccess>();
  for (unsigned trial = 0; trial < 2000; ++trial) {
    const std::uint64_t base = random();
    const std::uint64_t span = std::uint64_t{1} << trial % 16;
    for (std::uint64_t& address : access->instruction.address) address = base + random() % span;
    const auto asked = static_cast<LaneMask>(random() | (trial % 2 == 0 ? kAllLanes : 0));
    std::vector<std::pair<std::uint64_t, LaneMask>> expected;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((asked >> lane & 1) == 0) continue;
      const std::uint64_t line = access->instruction.address[lane] / 64;
      auto place = std::find_if(expected.begin(), expected.end(),
                                [&](const auto& entry) { return entry.first == line; });
      if (place == expected.end()) place = expected.insert(place, {line, 0});
      place->second |= LaneMask{1} << lane;
    }
    TouchedLines lines;
    lines.gather(*access, asked, array);
    BOOST_REQUIRE_EQUAL(lines.count, expected.size());
    for (unsigned i = 0; i < lines.count; ++i) {
      BOOST_REQUIRE_EQUAL(lines.line[i], expected[i].first);
      BOOST_REQUIRE_EQUAL(lines.lanes[i], expected[i].second);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_access_ends_with_its_last_answer_once_all_lanes_are_taken) {
  L1Flights flights;
  const auto access = std::make_unique<WarpAccess>();
  BOOST_TEST(flights.taken(*access, 10));  // nothing was sent
  flights.sent(*access);
  flights.sent(*access);
  BOOST_TEST(&flights.access(access->token) == access.get());
  BOOST_TEST(flights.answered(*access, 30) == kNever);
  BOOST_TEST(!flights.taken(*access, 40));
  BOOST_TEST(flights.answered(*access, 35) == 40U);
  BOOST_TEST(access->token == 0U);
}

BOOST_AUTO_TEST_CASE(an_answer_before_all_lanes_are_taken_ends_nothing) {
  L1Flights flights;
  const auto access = std::make_unique<WarpAccess>();
  flights.sent(*access);
  BOOST_TEST(flights.answered(*access, 30) == kNever);
  BOOST_TEST(flights.taken(*access, 20));
}

BOOST_AUTO_TEST_CASE(a_write_has_its_place_only_if_loads_are_judged_later) {
  LoadCheck check(128, true);
  const auto access = std::make_unique<WarpAccess>();
  access->sequence = 4;
  BOOST_TEST(check.originOf(*access).order == 0U);
  check.judgeLater();
  BOOST_TEST(check.originOf(*access).order == 5U);
}

BOOST_AUTO_TEST_SUITE_END()
