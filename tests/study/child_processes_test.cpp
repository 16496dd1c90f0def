// Work in child processes: order, errors, no child left behind.
#include <fermata/platforms/program/child_processes.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fermata/models/core/occupancy.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/stimuli/input_error.h>
#include <cerrno>

#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::platforms;
using fermata::test::saysOnly;

namespace {

bool haveChildren() {
  return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(child_processes)

BOOST_AUTO_TEST_CASE(results_come_in_the_order_of_the_tasks) {
  for (const unsigned atOnce : {1U, 2U, 7U, 0U}) {
    std::vector<ChildTask> tasks;
    for (int i = 0; i < 20; ++i) tasks.push_back([i] { return std::to_string(i * i); });
    std::size_t told = 0;
    const auto results = runInChildren(tasks, atOnce, [&](std::size_t done) {
      BOOST_TEST(done >= told);
      told = done;
    });
    BOOST_TEST(told == 20U);
    BOOST_REQUIRE_EQUAL(results.size(), 20U);
    for (int i = 0; i < 20; ++i)
      BOOST_TEST(results[static_cast<std::size_t>(i)] == std::to_string(i * i));
    BOOST_TEST(!haveChildren());
  }
}

BOOST_AUTO_TEST_CASE(every_task_has_a_process_of_its_own) {
  const std::vector<ChildTask> tasks(5, [] { return std::to_string(getpid()); });
  const auto results = runInChildren(tasks, 2);
  BOOST_TEST(std::set<std::string>(results.begin(), results.end()).size() == 5U);
  for (const auto& process : results) BOOST_TEST(process != std::to_string(getpid()));
}

BOOST_AUTO_TEST_CASE(long_results_arrive_whole) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += static_cast<char>('a' + i % 26);
  const auto results = runInChildren({[&] { return text; }, [&] { return text + "!"; }}, 2);
  BOOST_TEST((results[0] == text));
  BOOST_TEST((results[1] == text + "!"));
}

BOOST_AUTO_TEST_CASE(no_task_is_no_work) {
  BOOST_TEST(runInChildren({}).empty());
}

BOOST_AUTO_TEST_CASE(errors_keep_their_kind_and_text_and_end_the_others) {
  const ChildTask forever = []() -> std::string {
    for (;;) pause();
  };
  const auto bad = [&](ChildTask task) {
    return std::vector<ChildTask>{forever, std::move(task), forever};
  };
  BOOST_CHECK_EXCEPTION(runInChildren(bad([]() -> std::string {
                                        throw InputError({"f", 3, 4}, "wrong");
                                      }),
                                      3),
                        InputError, saysOnly("f:3:4: wrong"));
  BOOST_CHECK_EXCEPTION(
      runInChildren(bad([]() -> std::string { throw indexing::IndexingError("no mapping"); }), 3),
      InputError, saysOnly("no mapping"));
  BOOST_CHECK_EXCEPTION(
      runInChildren(bad([]() -> std::string { throw OccupancyError("no room"); }), 3), InputError,
      saysOnly("no room"));
  BOOST_CHECK_EXCEPTION(
      runInChildren(bad([]() -> std::string { throw std::logic_error("broken"); }), 3),
      std::runtime_error, saysOnly("broken"));
  BOOST_CHECK_THROW(runInChildren(bad([]() -> std::string {
                                    raise(SIGKILL);
                                    return "";
                                  }),
                                  3),
                    std::runtime_error);
  BOOST_TEST(!haveChildren());
}

BOOST_AUTO_TEST_SUITE_END()
