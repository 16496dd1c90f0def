// A link that several senders share, byte by byte.
#include <fermata/models/memory/shared_link.h>

#include "tests/support/test.h"

using namespace fermata;

BOOST_AUTO_TEST_SUITE(shared_link)

// 100 bytes per cycle: messages of 40 bytes end in cycles 7, 7 and 8; one that comes byte by byte
// ends no earlier than it comes.
BOOST_AUTO_TEST_CASE(messages_in_order_share_cycles) {
  OrderedLink link(100);
  BOOST_TEST(link.limits());
  BOOST_TEST(link.pass(7, 7, 40) == 7U);
  BOOST_TEST(link.pass(7, 7, 40) == 7U);
  BOOST_TEST(link.pass(7, 7, 40) == 8U);
  BOOST_TEST(link.pass(20, 24, 100) == 24U);
  BOOST_TEST(link.pass(20, 24, 500) == 25U);
  BOOST_TEST(!OrderedLink(0).limits());
}

// 10 bytes per cycle. The second message comes earlier and finds a gap; the third does not fit
// into what is left of it.
BOOST_AUTO_TEST_CASE(messages_in_any_order_take_gaps) {
  UnorderedLink link(10);
  BOOST_TEST(link.pass(0, 8, 40, 1) == 11U);
  BOOST_TEST(link.pass(0, 2, 40, 4) == 2U);
  BOOST_TEST(link.pass(0, 2, 30, 3) == 12U);
  BOOST_TEST(link.pass(0, 6, 20, 2) == 6U);
  BOOST_TEST(link.pass(20, 20, 40, 8) == 20U);
}

BOOST_AUTO_TEST_SUITE_END()
