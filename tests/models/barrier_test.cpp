#include <fermata/models/core/barrier_gate.h>
#include <fermata/models/vocabulary/barrier_unit.h>

#include "tests/support/test.h"

using fermata::BarrierGate;
using fermata::BarrierUnit;
using fermata::ClusterParameters;

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
  BOOST_TEST(unit.exit(0, 2) == 0U);
  BOOST_TEST(unit.arrive(0, 1, 0, 0, true) == 3U);
  BOOST_TEST(unit.arrive(0, 1, 0, 0, true) == 0U);
  BOOST_TEST(unit.exit(0, 0) == 2U);  // the waiting warp is the only one left
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

BOOST_AUTO_TEST_CASE(warps_of_a_warpgroup_wait_for_each_other) {
  BarrierUnit unit(48);
  unit.startCta(8, 7);
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(unit.arrive(8, 13, 16, 128, true) == 0U);
    for (const unsigned slot : {10U, 8U, 11U})
      BOOST_TEST(unit.arrive(8, slot, 16, 128, true) == 0U);
    BOOST_TEST(unit.arrive(8, 9, 16, 128, true) == (15ULL << 8));
    BOOST_TEST(unit.arrive(8, 12, 16, 128, true) == 0U);
    BOOST_TEST(unit.arrive(8, 14, 16, 128, true) == (7ULL << 12));  // there is no fourth
  }
  BOOST_TEST(unit.arrive(8, 8, 16, 128, true) == 0U);
  BOOST_TEST(unit.exit(8, 9) == 0U);
  BOOST_TEST(unit.arrive(8, 10, 16, 128, true) == 0U);
  BOOST_TEST(unit.exit(8, 11) == (5ULL << 8));
}

BOOST_AUTO_TEST_CASE(halves_of_a_wave64_wait_for_each_other) {
  BarrierUnit unit(48);
  unit.startCta(8, 5);
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(unit.arrive(8, 9, 16, 64, true) == 0U);
    BOOST_TEST(unit.arrive(8, 10, 17, 64, true) == 0U);
    BOOST_TEST(unit.arrive(8, 8, 16, 64, true) == (3ULL << 8));
    BOOST_TEST(unit.arrive(8, 11, 17, 64, true) == (3ULL << 10));
  }
  BOOST_TEST(unit.arrive(8, 12, 18, 64, true) == (1ULL << 12));  // the only half of its wave64
}

BOOST_AUTO_TEST_CASE(a_half_of_a_wave64_goes_on_alone_if_the_other_cannot_come) {
  BarrierUnit unit(48);
  unit.startCta(0, 4);
  BOOST_TEST(unit.arrive(0, 0, 16, 64, true) == 0U);
  BOOST_TEST(unit.arrive(0, 1, 0, 0, true) == 1U);  // waits for the whole CTA
  BOOST_TEST(unit.arrive(0, 0, 16, 64, true) == 1U);
  BOOST_TEST(unit.arrive(0, 2, 17, 64, true) == 0U);
  BOOST_TEST(unit.exit(0, 3) == 4U);
  BOOST_TEST(unit.arrive(0, 2, 17, 64, true) == 4U);
  unit.startCta(0, 4);  // begins anew
  BOOST_TEST(unit.arrive(0, 2, 17, 64, true) == 0U);
}

BOOST_AUTO_TEST_CASE(arrivals_keep_their_interval) {
  BarrierGate gate(2);
  BOOST_TEST(gate.pass(10) == 10U);
  BOOST_TEST(gate.pass(10) == 12U);
  BOOST_TEST(gate.pass(11) == 14U);
  BOOST_TEST(gate.pass(30) == 30U);
}

BOOST_AUTO_TEST_CASE(ordering_goes_in_rounds) {
  ClusterParameters p;
  BarrierGate gate(0);
  for (const fermata::Cycle at : {7U, 7U, 9U}) BOOST_TEST(gate.order(at, p) == at);
  p.releaseWindow = 16;
  p.releaseRound = 500;
  BOOST_TEST(gate.order(30, p) == 30U);
  BOOST_TEST(gate.order(1000, p) == 1000U);
  BOOST_TEST(gate.order(1016, p) == 1016U);
  BOOST_TEST(gate.order(1017, p) == 1500U);
  BOOST_TEST(gate.order(1490, p) == 1500U);
  BOOST_TEST(gate.order(1516, p) == 1516U);
  BOOST_TEST(gate.order(1517, p) == 2000U);
  BOOST_TEST(gate.order(3000, p) == 3000U);
}

BOOST_AUTO_TEST_SUITE_END()
