#include <fermata/results/progress.h>

#include <boost/test/unit_test.hpp>
#include <sstream>

namespace fermata::results::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Progress with a clock that the test sets.
struct Bench {
  explicit Bench(bool terminal) : progress(out, terminal, [this] { return now; }) {}

  std::string takeOutput() {
    std::string text = out.str();
    out.str("");
    return text;
  }

  Progress::Time now{};
  std::ostringstream out;
  Progress progress;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(a_quick_job_is_silent_on_a_terminal) {
  Bench bench(true);
  bench.now += milliseconds(499);
  bench.progress.update(1, 2, "fwt");
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput().empty());
}

BOOST_AUTO_TEST_CASE(a_terminal_line_rewrites_itself_and_is_wiped) {
  Bench bench(true);
  bench.now += milliseconds(500);
  bench.progress.update(1500, 3000, "fwt");
  BOOST_TEST(bench.takeOutput() == "\rfwt: 1,500 of 3,000 (50 %), 0 s");
  bench.now += milliseconds(199);
  bench.progress.update(1600, 3000, "fwt");
  BOOST_TEST(bench.takeOutput().empty());
  bench.now += milliseconds(1);
  bench.progress.update(7, 0, "nw");
  BOOST_TEST(bench.takeOutput() == "\rnw: 7, 0 s" + std::string(21, ' '));
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput() == "\r" + std::string(10, ' ') + "\r");
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput().empty());
}

BOOST_AUTO_TEST_CASE(a_terminal_line_does_not_wrap) {
  Bench bench(true);
  bench.now += seconds(1);
  bench.progress.update(1, 0, std::string(200, 'x'));
  BOOST_TEST(bench.takeOutput() == "\r" + std::string(79, 'x'));
}

BOOST_AUTO_TEST_CASE(a_log_gets_a_line_every_ten_seconds) {
  Bench bench(false);
  bench.now += milliseconds(9999);
  bench.progress.update(1, 0, "lud");
  BOOST_TEST(bench.takeOutput().empty());
  bench.now += milliseconds(1);
  bench.progress.update(2, 0, "lud");
  BOOST_TEST(bench.takeOutput() == "lud: 2, 10 s\n");
  bench.now += milliseconds(9999);
  bench.progress.update(3, 4, "lud");
  BOOST_TEST(bench.takeOutput().empty());
  bench.now += milliseconds(1);
  bench.progress.update(5, 4, "lud");  // more than announced still counts as all
  BOOST_TEST(bench.takeOutput() == "lud: 5 of 4 (100 %), 20 s\n");
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput().empty());
}

// Points that an earlier run did took none of this run's time.
BOOST_AUTO_TEST_CASE(the_rest_is_estimated_from_what_this_run_did) {
  Bench bench(false);
  bench.now += seconds(90);
  bench.progress.expect(100);
  bench.now += seconds(10);
  bench.progress.update(100, 1000, "points");
  BOOST_TEST(bench.takeOutput() == "points: 100 of 1,000 (10 %), 10 s\n");
  bench.now += seconds(10);
  bench.progress.update(300, 1000, "points");
  BOOST_TEST(bench.takeOutput() == "points: 300 of 1,000 (30 %), 20 s, about 70 s left\n");
  bench.now += seconds(10);
  bench.progress.update(301, 10000, "points");
  BOOST_TEST(bench.takeOutput() == "points: 301 of 10,000 (3 %), 30 s, about 24 min left\n");
  bench.now += seconds(270);
  bench.progress.update(310, 10000, "points");
  BOOST_TEST(bench.takeOutput() == "points: 310 of 10,000 (3 %), 300 s, about 3 h 51 min left\n");
  bench.now += seconds(10);
  bench.progress.update(1000, 1000, "points");
  BOOST_TEST(bench.takeOutput() == "points: 1,000 of 1,000 (100 %), 310 s\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
