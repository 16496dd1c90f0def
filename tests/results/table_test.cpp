#include <fermata/results/table.h>

#include "tests/support/test.h"

namespace fermata::results::test {

namespace {

std::string printed(const Table& table) {
  std::ostringstream out;
  table.print(out);
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(table)

BOOST_AUTO_TEST_CASE(columns_align) {
  Table table({{"kernel", Align::Left}, {"cycles"}, {"note", Align::Left}});
  table.row({"stride 32", "790,241", "slow"});
  table.row({"fwt", "7", ""});
  BOOST_TEST(printed(table) ==
             "kernel      cycles  note\n"
             "---------  -------  ----\n"
             "stride 32  790,241  slow\n"
             "fwt              7\n");
}

BOOST_AUTO_TEST_CASE(a_code_point_takes_one_place) {
  Table table({{"unit", Align::Left}, {"n"}});
  table.row({"\xc2\xb5m", "1"});
  table.row({"abcde", "2"});
  BOOST_TEST(printed(table) == "unit   n\n-----  -\n\xc2\xb5m     1\nabcde  2\n");
}

BOOST_AUTO_TEST_CASE(no_rows_print_the_headings) {
  BOOST_TEST(printed(Table({{"a"}, {"bb"}})) == "a  bb\n-  --\n");
}

BOOST_AUTO_TEST_CASE(a_row_of_another_width_is_refused) {
  Table table({{"a"}, {"b"}});
  BOOST_CHECK_THROW(table.row({"1"}), std::invalid_argument);
  BOOST_CHECK_THROW(table.row({"1", "2", "3"}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(digits_are_grouped) {
  BOOST_TEST(grouped(0) == "0");
  BOOST_TEST(grouped(999) == "999");
  BOOST_TEST(grouped(1000) == "1,000");
  BOOST_TEST(grouped(123456) == "123,456");
  BOOST_TEST(grouped(18446744073709551615ULL) == "18,446,744,073,709,551,615");
}

BOOST_AUTO_TEST_CASE(digits_after_the_point) {
  BOOST_TEST(fixed(1.0 / 3, 2) == "0.33");
  BOOST_TEST(fixed(2, 0) == "2");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
