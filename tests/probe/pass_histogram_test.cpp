// Figures derived from accesses counted by their passes.
#include <fermata/models/probe/pass_histogram.h>

#include "tests/support/test.h"

using fermata::PassHistogram;

namespace {

void add(PassHistogram& histogram, unsigned passes, unsigned accesses, unsigned conflictFree = 1) {
  for (unsigned i = 0; i < accesses; ++i) histogram.add(passes, conflictFree);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pass_histogram)

BOOST_AUTO_TEST_CASE(an_empty_histogram_has_no_mean) {
  const PassHistogram none;
  BOOST_TEST(none.accesses() == 0U);
  BOOST_TEST(none.passes() == 0U);
  BOOST_TEST(none.conflictCycles() == 0U);
  BOOST_TEST(none.most() == 0U);
  BOOST_TEST(!none.mean().has_value());
  BOOST_TEST(none.text().empty());
}

BOOST_AUTO_TEST_CASE(a_histogram_adds_up) {
  PassHistogram histogram;
  add(histogram, 1, 100);
  add(histogram, 32, 20);
  BOOST_TEST(histogram.accesses() == 120U);
  BOOST_TEST(histogram.passes() == 100U + 20U * 32U);
  BOOST_TEST(histogram.conflictCycles() == 20U * 31U);
  BOOST_TEST(histogram.most() == 32U);
  BOOST_TEST(histogram.mean().value() == 740.0 / 120.0);
  BOOST_TEST(histogram.text() == "1:100;32:20");
}

BOOST_AUTO_TEST_CASE(an_access_of_no_lane_takes_no_pass) {
  PassHistogram histogram;
  add(histogram, 0, 3, 0);
  add(histogram, 2, 1);
  BOOST_TEST(histogram.accesses() == 4U);
  BOOST_TEST(histogram.passes() == 2U);
  BOOST_TEST(histogram.conflictCycles() == 1U);
  BOOST_TEST(histogram.text() == "0:3;2:1");
}

// Two half warps, one after the other: 10 accesses without a conflict, 2 with three more passes.
BOOST_AUTO_TEST_CASE(parts_of_an_access_are_no_conflict) {
  PassHistogram half;
  add(half, 2, 10, 2);
  add(half, 5, 2, 2);
  BOOST_TEST(half.conflictCycles() == 6U);
  BOOST_TEST(half.passes() == 30U);
  add(half, 3, 1);
  BOOST_TEST(half.conflictCycles() == 8U);
}

BOOST_AUTO_TEST_CASE(more_passes_than_the_model_knows_are_counted_too) {
  PassHistogram histogram;
  add(histogram, 128, 1);
  add(histogram, 1000, 2);
  BOOST_TEST(histogram.most() == 1000U);
  BOOST_TEST(histogram.text() == "128:1;1000:2");
}

BOOST_AUTO_TEST_SUITE_END()
