#include <fermata/results/records.h>

#include <boost/test/unit_test.hpp>

namespace fermata::results::test {

BOOST_AUTO_TEST_SUITE(records)

BOOST_AUTO_TEST_CASE(settings_are_joined_in_order) {
  BOOST_TEST(text(Settings{}).empty());
  BOOST_TEST(text(Settings{{"stride", "32"}, {"blocks", "12"}}) == "stride=32;blocks=12");
  BOOST_TEST(text(Settings{{"scratchpad.indexer", "xor k1=0 k2=5 mask=7"}}) ==
             "scratchpad.indexer=xor k1=0 k2=5 mask=7");
  BOOST_TEST(text(Settings{{"a", "1;2"}, {"b", "c\\d"}}) == "a=1\\;2;b=c\\\\d");
}

BOOST_AUTO_TEST_CASE(an_empty_histogram_has_no_mean) {
  const DegreeHistogram none;
  BOOST_TEST(none.accesses() == 0U);
  BOOST_TEST(none.passes() == 0U);
  BOOST_TEST(none.conflictCycles() == 0U);
  BOOST_TEST(none.largest() == 0U);
  BOOST_TEST(!none.mean().has_value());
  BOOST_TEST(none.text().empty());
}

BOOST_AUTO_TEST_CASE(a_histogram_adds_up) {
  DegreeHistogram degrees;
  degrees.add(1, 100);
  degrees.add(32, 19);
  degrees.add(32);
  degrees.add(64, 0);  // nothing of degree 64: it is not the largest
  BOOST_TEST(degrees.accesses() == 120U);
  BOOST_TEST(degrees.passes() == 100U + 20U * 32U);
  BOOST_TEST(degrees.conflictCycles() == 20U * 31U);
  BOOST_TEST(degrees.largest() == 32U);
  BOOST_TEST(degrees.mean().value() == 740.0 / 120.0);
  BOOST_TEST(degrees.text() == "1:100;32:20");
}

BOOST_AUTO_TEST_CASE(an_access_of_no_lane_takes_no_pass) {
  DegreeHistogram degrees;
  degrees.add(0, 3);
  degrees.add(2, 1);
  BOOST_TEST(degrees.accesses() == 4U);
  BOOST_TEST(degrees.passes() == 2U);
  BOOST_TEST(degrees.conflictCycles() == 1U);
  BOOST_TEST(degrees.text() == "0:3;2:1");
}

// Two half warps, one after the other: 10 accesses without a conflict, 2 with three passes more.
BOOST_AUTO_TEST_CASE(parts_of_an_access_are_no_conflict) {
  DegreeHistogram half;
  half.add(2, 10);
  half.add(5, 2);
  half.addParts(12);
  DegreeHistogram sum;
  sum.add(3);
  sum.add(half);
  BOOST_TEST(half.conflictCycles() == 6U);
  BOOST_TEST(sum.conflictCycles() == 8U);
  BOOST_TEST(half.passes() == 30U);
}

BOOST_AUTO_TEST_CASE(histograms_merge) {
  DegreeHistogram a;
  a.add(1, 2);
  DegreeHistogram b;
  b.add(1, 3);
  b.add(8, 4);
  a.add(b);
  BOOST_TEST(a.text() == "1:5;8:4");
}

BOOST_AUTO_TEST_CASE(ipc_of_no_cycle_is_undefined) {
  RunRecord run;
  BOOST_TEST(!run.ipc().has_value());
  run.warpInstructions = 3;
  run.cycles = 4;
  BOOST_TEST(run.ipc().value() == 0.75);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
