#include <fermata/results/rows.h>

#include "tests/support/says.h"

namespace fermata::results::test {
namespace {

using fermata::test::saysOnly;

const Columns kColumns = std::make_shared<std::vector<Column>>(
    std::vector<Column>{{"indexer", ColumnType::Text, "", "bank mapping"},
                        {"cycles", ColumnType::Integer, "cycles", "how long it took"},
                        {"ipc", ColumnType::Real, "warp instructions/cycle", "how fast it was"}});

Row row() {
  return {kColumns, {std::string("mod 32"), std::uint64_t{1200}, 0.25}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rows)

BOOST_AUTO_TEST_CASE(a_cell_is_read_by_the_name_of_its_column) {
  BOOST_TEST(row().text("indexer").value() == "mod 32");
  BOOST_TEST(row().integer("cycles").value() == 1200U);
  BOOST_TEST(row().real("ipc").value() == 0.25);
  BOOST_TEST((row().cell("ipc") == Cell(0.25)));
}

BOOST_AUTO_TEST_CASE(an_empty_cell_has_no_value) {
  const Row empty(kColumns, std::vector<Cell>(3));
  BOOST_TEST(!empty.text("indexer").has_value());
  BOOST_TEST(!empty.integer("cycles").has_value());
  BOOST_TEST(!empty.real("ipc").has_value());
}

BOOST_AUTO_TEST_CASE(a_wrong_name_is_no_empty_cell) {
  BOOST_CHECK_EXCEPTION(row().cell("cylces"), std::logic_error, saysOnly("no column 'cylces'"));
  BOOST_CHECK_EXCEPTION(row().integer("cylces"), std::logic_error, saysOnly("no column 'cylces'"));
  BOOST_CHECK_EXCEPTION(row().integer("ipc"), std::logic_error,
                        saysOnly("column 'ipc' is real, not integer"));
  BOOST_CHECK_EXCEPTION(row().real("cycles"), std::logic_error,
                        saysOnly("column 'cycles' is integer, not real"));
  BOOST_CHECK_EXCEPTION(row().text("ipc"), std::logic_error,
                        saysOnly("column 'ipc' is real, not text"));
}

BOOST_AUTO_TEST_CASE(there_is_a_cell_a_column_of_its_type) {
  BOOST_CHECK_EXCEPTION(Row(kColumns, std::vector<Cell>(2)), std::logic_error,
                        saysOnly("a row of 2 cells; expected 3"));
  BOOST_CHECK_EXCEPTION(Row(kColumns, {Cell(), 1.5, Cell()}), std::logic_error,
                        saysOnly("column 'cycles' holds '1.5'; expected integer"));
  BOOST_CHECK_EXCEPTION(Row(kColumns, {Cell(), Cell(), std::uint64_t{2}}), std::logic_error,
                        saysOnly("column 'ipc' holds '2'; expected real"));
  BOOST_CHECK_EXCEPTION(Row(kColumns, {std::uint64_t{2}, Cell(), Cell()}), std::logic_error,
                        saysOnly("column 'indexer' holds '2'; expected text"));
}

BOOST_AUTO_TEST_CASE(numbers_read_back) {
  BOOST_TEST(text(Cell()).empty());
  BOOST_TEST(text(Cell(std::uint64_t{18446744073709551615U})) == "18446744073709551615");
  BOOST_TEST(text(Cell(740.0 / 120.0)) == "6.166666666666667");
  BOOST_TEST(text(Cell(1.0)) == "1");
  BOOST_TEST(text(Cell(std::string("ami 33"))) == "ami 33");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
