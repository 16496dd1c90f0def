// Whole kernels against an H200: results/silicon/kernels.csv.
#include <algorithm>
#include <cmath>

#include <fermata/platforms/program/study/study_report.h>

#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

BOOST_AUTO_TEST_SUITE(silicon_kernels)

// README.md states these figures.
BOOST_AUTO_TEST_CASE(take_the_wavefronts_and_about_the_cycles_of_an_h200) {
  const Study study = openStudy("silicon-kernels");
  std::vector<double> wavefronts, cycles;  // |ours / measured - 1|
  for (const ComparedFigure& one : compare(study, runStudy(study, kQuiet))) {
    const double off = std::abs(one.ours.value() / one.published.value() - 1);
    (one.unit == "wavefronts" ? wavefronts : cycles).push_back(off);
  }
  const auto within = [](const std::vector<double>& all, double most) {
    return std::count_if(all.begin(), all.end(), [&](double off) { return off <= most; });
  };
  BOOST_TEST(wavefronts.size() == 53U);
  BOOST_TEST(within(wavefronts, 0) == 47);
  BOOST_TEST(within(wavefronts, 0.01) == 51);
  BOOST_TEST(cycles.size() == 56U);
  BOOST_TEST(within(cycles, 0.10) >= 28);  // half of them
  BOOST_TEST(within(cycles, 0.20) >= 47);
}

// One thread, whole chips; results/silicon/README.md states these figures.
BOOST_AUTO_TEST_CASE(dependent_loads_take_about_what_they_take_on_whole_chips) {
  const Study study = openStudy("silicon-memory-latency");
  int met = 0;
  const auto figures = compare(study, runStudy(study, kQuiet));
  for (const ComparedFigure& one : figures)
    met += std::abs(one.ours.value() / one.published.value() - 1) <= 0.05 ? 1 : 0;
  BOOST_TEST(figures.size() == 36U);
  BOOST_TEST(met == 24);
}

BOOST_AUTO_TEST_SUITE_END()
