// The statistics of a sampled run: spread of measurements, steady rate, groups of launches.
#include <fermata/platforms/exec/launch_groups.h>
#include <fermata/platforms/exec/steady_rate.h>

#include <cmath>

#include "tests/support/test.h"

namespace fermata::test {
namespace {

using exec::Estimates;
using exec::ExecutedLaunch;
using exec::LaunchGroups;
using exec::SteadyRate;

constexpr std::uint64_t kInstructions = 1000;

ExecutedLaunch launchOf(std::uint64_t count, const std::string& shape = "64x1x1") {
  return {{"kernel", shape}, kInstructions, {count, 500}};
}

Estimates cyclesOf(double cycles) {
  return {{{cycles, 0}, {0, 0}, {0, 0}}};
}

/// Runs launches that take `cycles` each; returns which were timed.
std::string timesOf(LaunchGroups& groups, const std::vector<double>& cycles) {
  std::string timed;
  for (const double each : cycles) {
    const bool now = groups.times(launchOf(100).shape);
    timed += now ? 'T' : '.';
    if (now)
      groups.addTimed(launchOf(100), cyclesOf(each));
    else
      groups.addExecuted(launchOf(100));
  }
  return timed;
}

/// Adds waves of 100 instructions that take `cycles` each. Returns the wave at whose end the rate
/// is steady; 0: it is not.
unsigned steadyAfter(SteadyRate& rate, const std::vector<unsigned>& cycles) {
  exec::WorkMark mark;
  for (std::size_t wave = 0; wave < cycles.size(); ++wave) {
    mark.instructions += 100;
    mark.figures[0] += cycles[wave];
    rate.add(mark);
    if (rate.isSteady()) return static_cast<unsigned>(wave + 1);
  }
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sample_statistics)

BOOST_AUTO_TEST_CASE(a_spread_is_that_of_student) {
  exec::Spread spread;
  spread.add(100);
  BOOST_TEST(spread.half(1) == 10);  // one measurement tells nothing of its error
  spread.add(104);
  spread.add(96);
  BOOST_TEST(spread.mean() == 100);
  // s = 4, t = 4.303 for 2 degrees of freedom
  BOOST_TEST(spread.half(1) == 4.303 * 4 * std::sqrt(1 / 3.0 + 1), tt::tolerance(1e-9));
  exec::Spread equal;
  for (int i = 0; i < 4; ++i) equal.add(200);
  BOOST_TEST(equal.half(100) == 1, tt::tolerance(1e-9));  // at least 0.5 %
}

BOOST_AUTO_TEST_CASE(a_rate_is_steady_when_two_windows_agree) {
  SteadyRate at_once, late, never;
  BOOST_TEST(steadyAfter(at_once, {400, 100, 100, 100, 100, 100, 100, 100, 100, 100}) == 9U);
  // The first window has more than 1 % of 110 until it is long, or begins behind them.
  std::vector<unsigned> falling{400, 110, 110, 110, 110};
  falling.resize(100, 100);
  BOOST_TEST(steadyAfter(late, falling) == 81U);
  BOOST_TEST(steadyAfter(never, {100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200}) == 0U);
  const Estimates rest = at_once.of(1000);
  BOOST_TEST(rest[0].value == 1000, tt::tolerance(1e-9));
  BOOST_TEST(rest[0].half == 25, tt::tolerance(1e-9));  // slow changes that no window sees
}

BOOST_AUTO_TEST_CASE(equal_launches_are_timed_ever_more_rarely) {
  LaunchGroups groups;
  BOOST_TEST(timesOf(groups, std::vector<double>(24, 2000)) == "TT...T...............T..");
  BOOST_TEST(groups.halves("kernel")[0] == 20 * 10, tt::tolerance(1e-9));
  BOOST_TEST(groups.halves("other")[0] == 0);
}

BOOST_AUTO_TEST_CASE(a_launch_that_does_not_agree_brings_the_next) {
  LaunchGroups groups;
  BOOST_TEST(timesOf(groups, {2000, 1800, 1600, 1600, 1600, 1600, 1600, 1600, 1600}) ==
             "TTTT...T.");
  // Launches between two that differ may have been like either.
  LaunchGroups sudden;
  BOOST_TEST(timesOf(sudden, {2000, 2000, 2000, 2000, 2000, 1500}) == "TT...T");
  BOOST_TEST(sudden.halves("kernel")[0] >= 3 * 500);
}

BOOST_AUTO_TEST_CASE(launches_with_other_counts_are_another_group) {
  LaunchGroups groups;
  BOOST_TEST(groups.addTimed(launchOf(1000), cyclesOf(2000)) == 0U);
  BOOST_TEST(groups.addTimed(launchOf(1009), cyclesOf(2000)) == 0U);  // within 1 %
  BOOST_TEST(groups.addTimed(launchOf(1020), cyclesOf(3000)) == 1U);
  BOOST_TEST(groups.addTimed(launchOf(1000, "1x1x1"), cyclesOf(9000)) == 2U);
  // Its counts were never timed: the nearest group stands in, and the next launch is timed.
  const auto placed = groups.addExecuted(launchOf(1300));
  BOOST_TEST(placed.group == 3U);
  BOOST_TEST(placed.figures[0].value == 3000, tt::tolerance(1e-9));
  BOOST_TEST(placed.figures[0].half >= 300);
  BOOST_TEST(groups.times(launchOf(0).shape));
  BOOST_CHECK_THROW(groups.addExecuted(launchOf(1, "5x1x1")), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
