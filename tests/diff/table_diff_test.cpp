// Tests of how rows of two tables are paired.
#include <fermata/platforms/program/diff/table_diff.h>

#include <memory>
#include <sstream>

#include "tests/support/test.h"

using namespace fermata::platforms;

namespace {

ReportTable table(const std::string& text) {
  return ReportTable::read(std::make_unique<std::istringstream>(text), "t.csv");
}

const std::vector<std::string> kIdentity{"name", "machine"};

}  // namespace

BOOST_AUTO_TEST_SUITE(table_diff)

BOOST_AUTO_TEST_CASE(what_was_changed_identifies_no_row) {
  const TableDiff diff = diffOf(table("name,machine,cycles\na,x,10\nb,x,20\n"),
                                table("machine,name,cycles\ny,b,30\ny,a,10\n"), kIdentity);
  BOOST_TEST_REQUIRE(diff.changed.size() == 1U);
  BOOST_TEST(diff.changed[0].name == "machine");
  BOOST_TEST(diff.changed[0].a == "x");
  BOOST_TEST(diff.changed[0].b == "y");
  BOOST_TEST_REQUIRE(diff.pairs.size() == 2U);
  BOOST_TEST(diff.of(diff.pairs[0], "cycles").difference() == 0);
  BOOST_TEST(diff.of(diff.pairs[1], "cycles").difference() == 10);
  BOOST_TEST(diff.of(diff.pairs[1], "cycles").percent().value() == 50);
}

BOOST_AUTO_TEST_CASE(rows_without_a_partner_are_named) {
  const TableDiff diff = diffOf(table("name,cycles\na,1\nb,2\nb,3\n"),
                                table("name,cycles\nb,4\nc,5\nc,6\n"), kIdentity);
  BOOST_TEST(diff.pairs.size() == 1U);
  BOOST_TEST(diff.of(diff.pairs[0], "cycles").difference() == 2);  // the first of the equal rows
  BOOST_TEST((diff.onlyA == std::vector<std::vector<std::string>>{{"a"}, {"b"}}));
  BOOST_TEST((diff.onlyB == std::vector<std::vector<std::string>>{{"c"}, {"c"}}));
}

BOOST_AUTO_TEST_CASE(rows_of_one_line_are_summed) {
  const TableDiff diff = diffOf(table("name,pc,n\na,0,1\na,1,2\nb,2,4\n"),
                                table("name,pc,n\na,0,8\nb,1,16\nb,2,\n"), {"name"}, {"n"});
  BOOST_TEST_REQUIRE(diff.pairs.size() == 2U);
  BOOST_TEST((diff.figures == std::vector<std::string>{"n"}));
  BOOST_TEST(diff.of(diff.pairs[0], "n").a.value() == 3);
  BOOST_TEST(diff.of(diff.pairs[1], "n").b.value() == 16);
}

BOOST_AUTO_TEST_CASE(a_missing_figure_counts_as_none) {
  TableDiff diff = diffOf(table("name,n,only,text\na,,1,p\nb,5,1,q\nc,1,1,r\n"),
                          table("name,n,text\na,2,p\nb,,q\nc,1,s\n"), kIdentity);
  BOOST_TEST((diff.figures == std::vector<std::string>{"n"}));
  BOOST_TEST(diff.of(diff.pairs[0], "n").difference() == 2);
  BOOST_TEST(!diff.of(diff.pairs[0], "n").percent());
  BOOST_TEST(diff.of(diff.pairs[1], "n").difference() == -5);
  BOOST_TEST(!diff.of(diff.pairs[2], "n").differs());
  BOOST_TEST(!diff.of(diff.pairs[2], "only").differs());  // not in both tables
  diff.sortBy("n");
  BOOST_TEST(diff.pairs[0].key[0] == "b");
}

BOOST_AUTO_TEST_SUITE_END()
