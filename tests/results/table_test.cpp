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

BOOST_AUTO_TEST_CASE(a_narrow_terminal_gets_short_texts_then_fewer_columns) {
  Table table({{"name", Align::Left}, {"what it is", Align::Left}, {"cycles"}, {"degree"}});
  table.row({"a", "a long description that nobody reads to its end", "1,000", "32.00"});
  const auto at = [&](std::size_t width) {
    std::ostringstream out;
    table.print(out, width);
    return out.str();
  };
  BOOST_TEST(at(0) == at(100));
  BOOST_TEST(at(50) ==
             "name  what it is                    cycles  degree\n"
             "----  ----------------------------  ------  ------\n"
             "a     a long description that ..     1,000   32.00\n");
  BOOST_TEST(at(44) ==
             "name  what it is                cycles\n"
             "----  ------------------------  ------\n"
             "a     a long description ..      1,000\n"
             "left out, as the terminal is narrow: degree\n");
}

BOOST_AUTO_TEST_CASE(rows_for_programs_have_plain_names_and_numbers) {
  Table table({{"kernel, in use", Align::Left}, {"conflict cycles"}, {"fJ (random)"}, {""}});
  table.row({"1,234", "1,234,567", "-1,234.5", ""});
  table.row({"a,b", "12,34", "-", "x"});
  BOOST_TEST(table.csv() ==
             "kernel_in_use,conflict_cycles,fj_random,remark\n"
             "\"1,234\",1234567,-1234.5,\n"
             "\"a,b\",\"12,34\",,x\n");
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
