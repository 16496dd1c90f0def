// A calendar returns items in the order of their times, items of equal time first in, first out.
#include <fermata/models/timing/calendar.h>
#include <fermata/models/timing/ring.h>

#include "tests/support/test.h"

using fermata::Calendar;
using fermata::Ring;

BOOST_AUTO_TEST_SUITE(calendar)

BOOST_AUTO_TEST_CASE(keeps_the_order_of_a_multimap) {
  std::mt19937 random(5);
  Calendar<unsigned> calendar;
  std::multimap<std::uint64_t, unsigned> expected;
  for (unsigned i = 0; i < 20000; ++i) {
    if (expected.empty() || random() % 16 < (i / 1000 % 2 == 0 ? 9 : 7)) {
      const std::uint64_t at = random() % 50;
      calendar.add(sc_core::sc_time::from_value(at), i);
      expected.emplace(at, i);
    } else {
      BOOST_REQUIRE(!calendar.empty());
      const std::uint64_t next = expected.begin()->first;
      BOOST_REQUIRE_EQUAL(calendar.next().value(), next);
      BOOST_REQUIRE(calendar.isDue(sc_core::sc_time::from_value(next)));
      BOOST_REQUIRE(next == 0 || !calendar.isDue(sc_core::sc_time::from_value(next - 1)));
      BOOST_REQUIRE_EQUAL(calendar.take(), expected.begin()->second);
      expected.erase(expected.begin());
    }
    BOOST_REQUIRE_EQUAL(calendar.empty(), expected.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_ring_keeps_the_order_of_a_queue) {
  std::mt19937 random(6);
  Ring<unsigned> ring;
  std::deque<unsigned> expected;
  for (unsigned i = 0; i < 20000; ++i) {
    if (expected.empty() || random() % 16 < (i / 1000 % 2 == 0 ? 9 : 7)) {
      ring.push(i);
      expected.push_back(i);
    } else {
      BOOST_REQUIRE_EQUAL(ring.pop(), expected.front());
      expected.pop_front();
    }
    BOOST_REQUIRE_EQUAL(ring.size(), expected.size());
    BOOST_REQUIRE_EQUAL(ring.empty(), expected.empty());
    if (expected.empty()) continue;
    const std::size_t some = random() % expected.size();
    BOOST_REQUIRE_EQUAL(ring.front(), expected.front());
    BOOST_REQUIRE_EQUAL(ring[some], expected[some]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
