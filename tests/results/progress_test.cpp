#include <fermata/results/progress.h>

#include "tests/support/test.h"

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
  /// Lets time pass, reports, and returns what is written.
  std::string after(milliseconds passed, std::uint64_t done, std::uint64_t all,
                    const std::string& what) {
    now += passed;
    progress.update(done, all, what);
    return takeOutput();
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
  BOOST_TEST(bench.after(milliseconds(500), 1500, 3000, "fwt") ==
             "\rfwt: 1,500 of 3,000 (50 %), 0 s");
  BOOST_TEST(bench.after(milliseconds(199), 1600, 3000, "fwt").empty());
  BOOST_TEST(bench.after(milliseconds(1), 7, 0, "nw") == "\rnw: 7, 0 s" + std::string(21, ' '));
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput() == "\r" + std::string(10, ' ') + "\r");
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput().empty());
}

BOOST_AUTO_TEST_CASE(a_terminal_line_does_not_wrap) {
  Bench bench(true);
  // The start of the label gives way, not the numbers.
  BOOST_TEST(bench.after(seconds(1), 1, 0, std::string(200, 'y') + std::string(68, 'x')) ==
             "\r..." + std::string(68, 'x') + ": 1, 1 s");
}

BOOST_AUTO_TEST_CASE(a_log_gets_a_line_every_ten_seconds) {
  Bench bench(false);
  BOOST_TEST(bench.after(milliseconds(9999), 1, 0, "lud").empty());
  BOOST_TEST(bench.after(milliseconds(1), 2, 0, "lud") == "lud: 2, 10 s\n");
  BOOST_TEST(bench.after(milliseconds(9999), 3, 4, "lud").empty());
  // More than announced still counts as all.
  BOOST_TEST(bench.after(milliseconds(1), 5, 4, "lud") == "lud: 5 of 4 (100 %), 20 s\n");
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput().empty());
}

BOOST_AUTO_TEST_CASE(a_log_gets_nothing_if_the_line_is_for_terminals) {
  Bench bench(false);
  bench.progress.onlyOnTerminal();
  BOOST_TEST(bench.after(seconds(1000), 1, 2, "lud").empty());
  bench.progress.finish();
  BOOST_TEST(bench.takeOutput().empty());
}

BOOST_AUTO_TEST_CASE(time_left_is_said_from_three_seconds_on) {
  Bench bench(true);
  BOOST_TEST(bench.after(milliseconds(2999), 1, 4, "nw") == "\rnw: 1 of 4 (25 %), 2 s");
  BOOST_TEST(bench.after(milliseconds(1001), 1, 4, "nw") ==
             "\rnw: 1 of 4 (25 %), 4 s, about 12 s left");
}

// Points that an earlier run did took none of this run's time.
BOOST_AUTO_TEST_CASE(the_rest_is_estimated_from_what_this_run_did) {
  Bench bench(false);
  bench.now += seconds(90);
  bench.progress.expect(100);
  BOOST_TEST(bench.after(seconds(10), 100, 1000, "points") ==
             "points: 100 of 1,000 (10 %), 10 s\n");
  BOOST_TEST(bench.after(seconds(10), 300, 1000, "points") ==
             "points: 300 of 1,000 (30 %), 20 s, about 70 s left\n");
  BOOST_TEST(bench.after(seconds(10), 301, 10000, "points") ==
             "points: 301 of 10,000 (3 %), 30 s, about 24 min left\n");
  BOOST_TEST(bench.after(seconds(270), 310, 10000, "points") ==
             "points: 310 of 10,000 (3 %), 300 s, about 3 h 51 min left\n");
  BOOST_TEST(bench.after(seconds(10), 1000, 1000, "points") ==
             "points: 1,000 of 1,000 (100 %), 310 s\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
