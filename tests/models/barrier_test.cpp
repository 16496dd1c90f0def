#include <fermata/models/vocabulary/barrier_unit.h>

#include "tests/support/test.h"

using fermata::BarrierUnit;

BOOST_AUTO_TEST_SUITE(barrier)

BOOST_AUTO_TEST_CASE(last_arrival_frees_all_and_the_barrier_is_reusable) {
  BarrierUnit unit(48);
  unit.startCta(8, 3);
  for (int round = 0; round < 3; ++round) {
    BOOST_TEST(unit.arrive(8, 8, 0, 0, true) == 0U);
    BOOST_TEST(unit.arrive(8, 10, 0, 0, true) == 0U);
    BOOST_TEST(unit.arrive(8, 9, 0, 0, true) == (7ULL << 8));
  }
}

BOOST_AUTO_TEST_CASE(exits_count_as_arrived) {
  BarrierUnit unit(48);
  unit.startCta(0, 3);
  BOOST_TEST(unit.arrive(0, 0, 0, 0, true) == 0U);
  BOOST_TEST(unit.exit(0) == 0U);
  BOOST_TEST(unit.arrive(0, 1, 0, 0, true) == 3U);
  BOOST_TEST(unit.arrive(0, 1, 0, 0, true) == 0U);
  BOOST_TEST(unit.exit(0) == 2U);  // the waiting warp is the only one left
}

BOOST_AUTO_TEST_CASE(named_barriers_are_apart_and_count_their_own_threads) {
  BarrierUnit unit(48);
  unit.startCta(0, 4);
  BOOST_TEST(unit.arrive(0, 0, 1, 64, true) == 0U);
  BOOST_TEST(unit.arrive(0, 1, 2, 64, true) == 0U);
  BOOST_TEST(unit.arrive(0, 2, 1, 64, true) == 5U);
  BOOST_TEST(unit.arrive(0, 3, 2, 64, true) == 10U);
}

BOOST_AUTO_TEST_CASE(arrive_without_waiting_is_not_freed) {
  BarrierUnit unit(48);
  unit.startCta(0, 2);
  BOOST_TEST(unit.arrive(0, 0, 3, 64, false) == 0U);
  BOOST_TEST(unit.arrive(0, 1, 3, 64, true) == 2U);
}

BOOST_AUTO_TEST_CASE(ctas_do_not_see_each_other) {
  BarrierUnit unit(48);
  unit.startCta(0, 2);
  unit.startCta(2, 2);
  BOOST_TEST(unit.arrive(0, 0, 0, 0, true) == 0U);
  BOOST_TEST(unit.arrive(2, 2, 0, 0, true) == 0U);
  BOOST_TEST(unit.arrive(2, 3, 0, 0, true) == 12U);
  BOOST_TEST(unit.arrive(0, 1, 0, 0, true) == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
