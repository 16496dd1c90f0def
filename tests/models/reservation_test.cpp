#include <fermata/models/timing/unit_pool.h>

#include "tests/support/test.h"

using namespace fermata;

BOOST_AUTO_TEST_SUITE(reservation)

BOOST_AUTO_TEST_CASE(is_blocked_a_cycle_early_and_free_on_time) {
  Reservation unit;
  BOOST_TEST(unit.free(5) == 5U);
  unit.take(5, 8, 14);  // reserved in cycle 5: from t + 3 to t + 9
  BOOST_TEST(unit.free(5) == 5U);
  BOOST_TEST(unit.free(7) == 7U);
  BOOST_TEST(unit.free(5, 3) == 5U);
  BOOST_TEST(unit.free(5, 4) == 14U);
  BOOST_TEST(unit.free(8) == 14U);
  BOOST_TEST(unit.free(13) == 14U);
  BOOST_TEST(unit.free(14) == 14U);
}

BOOST_AUTO_TEST_CASE(held_until_it_is_released) {
  Reservation path;
  path.hold(3);
  BOOST_TEST(path.free(2) == 2U);
  BOOST_TEST(path.free(3) == kNever);
  path.release(7);
  BOOST_TEST(path.free(3) == 7U);
}

// Compares with one flag per cycle.
BOOST_AUTO_TEST_CASE(equals_a_flag_for_each_cycle) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    Reservation unit;
    std::vector<bool> taken(6000, false);
    const auto firstFree = [&](Cycle from, Cycle length) {
      for (Cycle at = from, run = 0;; ++at) {
        run = taken[at] ? 0 : run + 1;
        if (run == length) return at + 1 - length;
      }
    };
    Cycle now = 0;
    for (int step = 0; step < 400; ++step) {
      now += random() % 4;
      const Cycle length = 1 + random() % 6;
      const Cycle from = now + random() % 12;
      BOOST_REQUIRE_EQUAL(unit.free(from, length), firstFree(from, length));
      if (random() % 2 == 0) continue;
      const Cycle at = firstFree(from, length);
      unit.take(now, at, at + length);
      std::fill(taken.begin() + static_cast<std::ptrdiff_t>(at),
                taken.begin() + static_cast<std::ptrdiff_t>(at + length), true);
    }
  }
}

// Many intervals side by side, as of a crowded link, leave the gaps that they leave one by one.
BOOST_AUTO_TEST_CASE(intervals_without_a_gap_become_one) {
  Reservation taken;
  taken.take(0, 100, 110);
  for (const Cycle from : {20U, 40U, 30U, 60U, 50U}) taken.take(0, from, from + 10);
  BOOST_TEST(taken.free(20) == 70U);
  BOOST_TEST(taken.free(0, 20) == 0U);
  BOOST_TEST(taken.free(0, 21) == 70U);
  BOOST_TEST(taken.free(65, 31) == 110U);
  taken.forget(70);
  BOOST_TEST(taken.free(70, 30) == 70U);
  BOOST_TEST(taken.free(70, 31) == 110U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(unit_pool)

BOOST_AUTO_TEST_CASE(takes_unit_after_unit) {
  UnitPool units(2);
  units.take(5, 5, 9);
  BOOST_TEST(units.free(5) == 5U);
  BOOST_TEST(units.end() == 0U);
  units.take(5, 5, 7);
  BOOST_TEST(units.free(5) == 7U);
  BOOST_TEST(units.end() == 7U);
  units.take(7, 7, kNever);
  BOOST_TEST(units.free(7) == 9U);
}

// Compares with separate units, taking the first that fits.
BOOST_AUTO_TEST_CASE(equals_units_looked_at_one_by_one) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<Reservation> units(1 + seed % 4);
    UnitPool pool(static_cast<unsigned>(units.size()));
    Cycle now = 0;
    for (int step = 0; step < 400; ++step) {
      now += random() % 3;
      const Cycle from = now + random() % 12;
      Cycle least = kNever;
      for (const Reservation& unit : units) least = std::min(least, unit.free(from));
      BOOST_REQUIRE_EQUAL(pool.free(from), least);
      const Cycle to = from + 1 + random() % 6;
      const auto fits = std::find_if(units.begin(), units.end(), [&](const Reservation& unit) {
        return unit.free(from, to - from) == from;
      });
      if (fits == units.end()) continue;
      fits->take(now, from, to);
      pool.take(now, from, to);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
