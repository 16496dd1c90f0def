// Progress of a run: cycles and CTAs of all its grids.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/program/run_progress.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/support/test.h"

namespace fermata::platforms::test {
namespace {

using fermata::test::has;

/// A clock that advances by a second per look.
struct Seconds {
  results::Progress::Time operator()() {
    return results::Progress::Time(std::chrono::seconds(looks++));
  }
  int looks = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(run_progress)

// nw of 128 by 128: 15 grids of 1 to 8 to 1 CTAs, 64 together, in 256,143 cycles.
BOOST_AUTO_TEST_CASE(counts_cycles_and_ctas_of_all_grids) {
  const Configuration configuration = openPlatform("gtx480", {});
  Simulation simulation(configuration);
  const OpenWorkload open = openWorkload("nw", {{"n", "128"}});
  const std::uint64_t all = open.workload->totalCtas();
  std::vector<RunSoFar> seen;
  const RunOutcome outcome =
      simulation.run(*open.workload, [&](const RunSoFar& now) { seen.push_back(now); });
  BOOST_TEST_REQUIRE(seen.size() > 1U);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    BOOST_TEST(seen[i - 1].cycles < seen[i].cycles);
    BOOST_TEST(seen[i - 1].endedCtas <= seen[i].endedCtas);
  }
  BOOST_TEST(seen.front().endedCtas != 0U);
  BOOST_TEST(seen.front().endedCtas < all);
  BOOST_TEST(seen.back().endedCtas == all);
  BOOST_TEST(seen.back().cycles >= outcome.cycles);
  // The next run counts anew.
  const OpenWorkload pattern = openWorkload("pattern-stride", {{"ctas", "3"}});
  BOOST_TEST(pattern.workload->totalCtas() == 3U);
  simulation.run(*pattern.workload, [&](const RunSoFar& now) { seen.push_back(now); });
  BOOST_TEST(seen.back().endedCtas == 3U);
}

BOOST_AUTO_TEST_CASE(says_cycles_ctas_and_the_time_left) {
  std::ostringstream out;
  results::Progress progress(out, true, Seconds());
  const RunWatcher watch = watchRun(progress, "nw", 128);
  const auto said = [&](Cycle cycles, std::uint64_t ended) {
    out.str("");
    watch({cycles, ended});
    return out.str();
  };
  BOOST_TEST(has(said(999999, 0), "\rnw: 999,999 cycles, CTAs: 0 of 128 (0 %), 1 s"));
  BOOST_TEST(has(said(1000000, 1), "\rnw: 1.0 M cycles, CTAs: 1 of 128 (1 %), 2 s"));
  BOOST_TEST(has(said(1234567890, 64),
                 "\rnw: 1,234.5 M cycles, CTAs: 64 of 128 (50 %), 3 s, about 3 s left"));
  const RunWatcher trace = watchRun(progress, "t", 0);
  out.str("");
  trace({5, 6});
  BOOST_TEST(has(out.str(), "\rt: 5 cycles, CTAs: 6, 1 s"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::platforms::test
