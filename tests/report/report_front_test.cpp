// The Pareto front, against its definition.
#include <fermata/platforms/program/report/report_front.h>

#include "tests/support/test.h"

using namespace fermata::platforms;

namespace {

using Objectives = std::vector<std::vector<double>>;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Compares every pair of points.
std::vector<std::size_t> frontByDefinition(const Objectives& objectives) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < objectives[0].size(); ++i) {
    bool beaten = false;
    for (std::size_t other = 0; other < objectives[0].size(); ++other) {
      bool asGood = true;
      bool better = false;
      for (const auto& values : objectives) {
        asGood = asGood && values[other] <= values[i];
        better = better || values[other] < values[i];
      }
      beaten = beaten || (asGood && better);
    }
    if (!beaten) front.push_back(i);
  }
  return front;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_front)

BOOST_AUTO_TEST_CASE(is_what_the_definition_says) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 200; ++round) {
    Objectives objectives(1 + round % 3, std::vector<double>(1 + random() % 60));
    for (auto& values : objectives) {
      for (double& value : values) value = random() % 12;  // with many ties
    }
    const auto front = paretoFront(objectives);
    const auto expected = frontByDefinition(objectives);
    BOOST_TEST(front == expected, tt::per_element());
  }
}

BOOST_AUTO_TEST_CASE(points_that_lack_an_objective_are_left_out) {
  const auto front = paretoFront({{1, 2, 3}, {kNone, 5, 4}});
  const std::vector<std::size_t> expected{1, 2};
  BOOST_TEST(front == expected, tt::per_element());
  BOOST_TEST(paretoFront({{kNone}}).empty());
}

// Two kernels by two mappings, and a third mapping with only one kernel.
BOOST_AUTO_TEST_CASE(configurations_are_means_over_all_kernels) {
  const std::vector<std::size_t> work{0, 0, 1, 1, 0};
  const std::vector<AxisColumn> rest{{"mapping", {"mod", "ami", "mod", "ami", "xor"}}};
  const Configurations all = overWorks(work, 2, rest, {400, 100, 50, 50, 300}, {8, 8, 2, 4, kNone});
  const std::vector<std::size_t> rows{0, 1};
  BOOST_TEST(all.rows == rows, tt::per_element());
  BOOST_TEST(all.cycles[0] == 2, tt::tolerance(1e-12));  // mean of 4 and 1
  BOOST_TEST(all.cycles[1] == 1, tt::tolerance(1e-12));
  BOOST_TEST(all.energy[0] == 1, tt::tolerance(1e-12));
  BOOST_TEST(all.energy[1] == std::sqrt(2.0), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
