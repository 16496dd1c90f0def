// Lines of constants: which reader asks, which waits, and which is turned away.
#include <fermata/models/core/constant_tables.h>

#include "tests/support/test.h"

using namespace fermata;
using Answer = ConstantTables::Answer;

BOOST_AUTO_TEST_SUITE(constant_tables)

BOOST_AUTO_TEST_CASE(a_line_comes_once_for_its_readers) {
  ConstantTables tables(2, 2);
  BOOST_TEST((tables.ask(5) == Answer::Asked));
  BOOST_TEST((tables.ask(5) == Answer::Coming));
  BOOST_TEST((tables.ask(5) == Answer::Full));
  BOOST_TEST(!tables.has(5));
  BOOST_TEST(tables.arrive(5));
  BOOST_TEST((tables.ask(5) == Answer::Here));
  BOOST_TEST(!tables.arrive(5));
}

BOOST_AUTO_TEST_CASE(lines_under_way_hold_an_mshr) {
  ConstantTables tables(2, 32);
  BOOST_TEST((tables.ask(1) == Answer::Asked));
  BOOST_TEST((tables.ask(2) == Answer::Asked));
  BOOST_TEST((tables.ask(3) == Answer::Full));
  BOOST_TEST(tables.arrive(1));
  BOOST_TEST((tables.ask(3) == Answer::Asked));
  tables.clear();
  BOOST_TEST((tables.ask(1) == Answer::Asked));
}

BOOST_AUTO_TEST_SUITE_END()
