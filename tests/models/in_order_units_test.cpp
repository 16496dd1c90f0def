// Units that start instructions in order, with one result per cycle each.
#include <fermata/models/core/in_order_units.h>

#include <vector>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// Instructions of one unit or two, and when they start.
struct Start : Named {
  struct One {
    Cycle from;
    ClassTiming timing;
    Cycle at;
  };
  unsigned units;
  std::vector<One> instructions;
};
const Start kStarts[] = {
    {"at once", 1, {{7, {4, 1}, 7}, {8, {4, 1}, 8}}},
    {"one per interval", 1, {{0, {8, 8}, 0}, {1, {8, 8}, 8}, {30, {8, 8}, 30}}},
    {"shorter ones wait for a free result",
     1,
     {{0, {5, 1}, 0}, {1, {5, 1}, 1}, {2, {5, 1}, 2}, {3, {4, 1}, 4}, {4, {5, 1}, 5}}},
    {"longer ones leave room", 1, {{0, {1, 1}, 0}, {1, {5, 1}, 1}, {2, {1, 1}, 2}}},
    {"two units start two", 2, {{3, {4, 1}, 3}, {3, {4, 1}, 3}, {3, {4, 1}, 4}}},
    {"the other unit has a result free", 2, {{0, {5, 1}, 0}, {1, {4, 1}, 1}, {1, {4, 1}, 2}}},
    {"in order", 2, {{9, {4, 1}, 9}, {5, {4, 1}, 9}, {5, {4, 1}, 10}}}};

}  // namespace

BOOST_AUTO_TEST_SUITE(in_order_units)

BOOST_DATA_TEST_CASE(starts, bdata::make(kStarts), row) {
  InOrderUnits units(row.units);
  for (const Start::One& one : row.instructions)
    BOOST_TEST(units.start(one.from, one.timing) == one.at);
}

// Unit 1 waits for nothing of unit 0.
BOOST_AUTO_TEST_CASE(a_unit_may_keep_its_own_order) {
  InOrderUnits units(2);
  BOOST_TEST(units.startIn(0, 9, {4, 2}) == 9U);
  BOOST_TEST(units.startIn(0, 3, {4, 2}) == 11U);
  BOOST_TEST(units.startIn(1, 3, {4, 2}) == 3U);
  BOOST_TEST(units.startIn(1, 4, {3, 2}) == 5U);
  BOOST_TEST(units.startIn(1, 6, {1, 1}) == 8U);  // in cycle 7 it would end with the one before
}

BOOST_AUTO_TEST_SUITE_END()
