// fermata sweep gives the same table however it is run and whatever happens to it.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <random>

#include <fermata/platforms/program/sweep/sweep_store.h>

#include "tests/support/program.h"

extern char** environ;

namespace bdata = boost::unit_test::data;
namespace fs = std::filesystem;
using namespace fermata::test;

namespace {

const char* const kStudy = R"(
[base]
platform = "gtx480"
[axes]
workload = ["transpose", "reduction"]
mapping = ["mod 32", "ami 33", "xor k1=0 k2=5 mask=31"]
scratchpad.latency = [20, 24]
)";
constexpr unsigned kPoints = 12;

struct Sweep : Folder {
  Sweep() { write("s.toml", kStudy); }

  Outcome sweep(const std::string& arguments) const {
    return runProgram("sweep " + arguments, path);
  }
  std::string merged(const std::string& folder) const {
    return readFile(path / folder / "merged" / "runs.csv");
  }
  std::size_t filesIn(const fs::path& folder) const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path / folder))
      count += entry.is_regular_file() ? 1 : 0;
    return count;
  }
};

/// Runs the program for a while and ends it with SIGKILL.
void runAndKill(const fs::path& folder, unsigned microseconds) {
  const std::string program = FERMATA_PROGRAM;
  std::vector<std::string> words{program, "sweep", "run", (folder / "d").string()};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  BOOST_REQUIRE(
      posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  usleep(microseconds);  // any moment must do
  kill(process, SIGKILL);
  int status = 0;
  waitpid(process, &status, 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sweep)

// The kernels have barriers, atomics, several launches and local memory. The platforms place, order
// and hold CTAs in different ways, with memory behind them; one must see the data itself.
BOOST_AUTO_TEST_CASE(a_replayed_point_has_the_bytes_of_an_executed_one) {
  const Sweep folder;
  folder.write("kinds.toml", R"(
order = ["workload", "platform"]
[base]
scratchpad.latency = 30
[axes]
workload = ["transpose", "lud", "histogram", "scan", "hotspot", "aes", "stride"]
[[zip]]
platform = ["gtx480", "fermi-ami", "gtx480-caches", "gtx580-atomics", "gtx280", "gtx480"]
verify = ["false", "false", "false", "false", "false", "true"]
)");
  const Outcome replayed = folder.sweep("run kinds.toml r -j 1");
  BOOST_TEST_REQUIRE(replayed.code == 0, replayed.text);
  BOOST_TEST(has(replayed.text, "24 points replayed what another had executed\n"), replayed.text);
  const Outcome executed = folder.sweep("run kinds.toml e --execute-all");
  BOOST_TEST_REQUIRE(executed.code == 0, executed.text);
  BOOST_TEST(!has(executed.text, "replayed"));
  BOOST_TEST(folder.merged("r") == folder.merged("e"));
}

BOOST_AUTO_TEST_CASE(shards_in_any_order_give_the_bytes_of_one_run) {
  const Sweep folder;
  const Outcome whole = folder.sweep("run s.toml whole");
  BOOST_TEST_REQUIRE(whole.code == 0, whole.text);
  BOOST_TEST(has(whole.text, "12 of 12 points done, 0 failed, 0 missing\n"));
  BOOST_TEST(linesOf(folder.merged("whole")).size() == kPoints + 1);
  BOOST_TEST(folder.sweep("plan s.toml parts").code == 0);
  for (const char* const shard : {"3/3", "1/3", "2/3", "1/1"}) {
    const Outcome outcome = folder.sweep(std::string("work parts -j 1 --shard ") + shard);
    BOOST_TEST(outcome.code == 0, outcome.text);
  }
  BOOST_TEST(folder.sweep("merge parts").code == 0);
  BOOST_TEST(folder.merged("parts") == folder.merged("whole"));
  BOOST_TEST(folder.filesIn("parts/results") == kPoints);
  BOOST_TEST(folder.filesIn("parts/tmp") == 0U);
}

// A row equals that of a separate run, after the point and its axes.
BOOST_AUTO_TEST_CASE(a_row_is_that_of_a_run_by_hand) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("run s.toml d").code == 0);
  BOOST_TEST_REQUIRE(runProgram("run gtx480 transpose --set 'scratchpad.indexer=ami 33' --set "
                                "scratchpad.latency=20 --quiet --out out",
                                folder.path)
                         .code == 0);
  const auto run = linesOf(readFile(folder.path / "out" / "runs.csv"));
  const auto rows = linesOf(folder.merged("d"));
  BOOST_TEST(rows.at(0) == "point,mapping,scratchpad.latency," + run.at(0));
  BOOST_TEST(rows.at(3) == "2,ami 33,20," + run.at(1));
  // The schema describes each column, as for every table.
  std::string described;
  for (const std::string& line : linesOf(readFile(folder.path / "d" / "merged" / "schema.csv"))) {
    if (line.rfind("runs.csv,", 0) != 0) continue;
    const std::string name = line.substr(9, line.find(',', 9) - 9);
    described += (described.empty() ? "" : ",") + name;
  }
  BOOST_TEST(described == rows.at(0));
}

BOOST_AUTO_TEST_CASE(killed_at_any_moment_it_goes_on) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("run s.toml whole").code == 0);
  BOOST_TEST_REQUIRE(folder.sweep("plan s.toml d").code == 0);
  std::mt19937 random(7);
  for (unsigned i = 0; i < 10; ++i) runAndKill(folder.path, random() % 30000);
  const Outcome last = folder.sweep("run d");
  BOOST_TEST(last.code == 0, last.text);
  BOOST_TEST(folder.merged("d") == folder.merged("whole"));
  BOOST_TEST(folder.filesIn("d/tmp") == 0U);  // files of killed processes are removed
}

BOOST_AUTO_TEST_CASE(what_is_done_is_not_run_again) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("run s.toml d").code == 0);
  const auto stamp = [&] {
    std::string stamps;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path / "d" / "results"))
      stamps += std::to_string(entry.last_write_time().time_since_epoch().count());
    return stamps;
  };
  const std::string before = stamp();
  BOOST_TEST(folder.sweep("run d").code == 0);
  BOOST_TEST(stamp() == before);
}

BOOST_AUTO_TEST_CASE(a_point_that_fails_is_recorded_and_stops_nothing) {
  const Folder folder;
  folder.write("s.toml",
               "[base]\nplatform = 'gtx480'\nworkload = 'transpose'\n[axes]\nparam.n = [64, 65, "
               "128]\n");
  const Outcome outcome = runProgram("sweep run s.toml d", folder.path);
  BOOST_TEST(outcome.code == 1);
  BOOST_TEST(has(outcome.text, "2 of 3 points done, 1 failed, 0 missing\n"));
  const auto failed = linesOf(readFile(folder.path / "d" / "merged" / "failed.csv"));
  BOOST_TEST_REQUIRE(failed.size() == 2U);
  BOOST_TEST(has(failed[1], "1,gtx480,transpose,65,"));
  BOOST_TEST(has(failed[1], "n must be a multiple of tile"));
  BOOST_TEST(runProgram("sweep run d", folder.path).code == 1);
  BOOST_TEST(runProgram("sweep run d --retry-failed", folder.path).code == 1);
  BOOST_TEST(readFile(folder.path / "d" / "merged" / "failed.csv") ==
             failed[0] + '\n' + failed[1] + '\n');
}

BOOST_AUTO_TEST_CASE(results_that_differ_are_both_kept) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("plan s.toml d").code == 0);
  const fermata::platforms::SweepStore store(folder.path / "d");
  const auto& point = store.plan().points.at(0);
  store.storeResult(point, "a\n");
  store.storeResult(point, "a\n");  // another process may store it too
  BOOST_CHECK_THROW(store.storeResult(point, "b\n"), fermata::platforms::TwoResults);
  BOOST_TEST(store.result(point) == "a\n");
  const fs::path other =
      folder.path / "d" / "results" / point.key.substr(0, 2) / (point.key + ".csv.other");
  BOOST_TEST(linesOf(readFile(other)).at(0) == "b");
  BOOST_TEST(folder.filesIn("d/tmp") == 0U);
}

// A limit on the size of files stands for a full disk: no file is torn, and the error names the
// cause.
BOOST_AUTO_TEST_CASE(a_full_disk_loses_nothing) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("plan s.toml d").code == 0);
  const std::string program = FERMATA_PROGRAM;
  FILE* pipe = popen(
      ("cd '" + folder.path.string() + "' && (ulimit -f 0; '" + program + "' sweep run d) 2>&1")
          .c_str(),
      "r");
  BOOST_REQUIRE(pipe != nullptr);
  std::string text;
  char part[1024];
  for (std::size_t n = 0; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  BOOST_TEST(WEXITSTATUS(pclose(pipe)) == 1);
  BOOST_TEST(has(text, "points have no result"), text);
  BOOST_TEST(has(text, "cannot write"), text);
  BOOST_TEST(folder.filesIn("d/results") == 0U);
  BOOST_TEST(folder.sweep("run d").code == 0);
  BOOST_TEST(linesOf(folder.merged("d")).size() == kPoints + 1);
}

BOOST_AUTO_TEST_CASE(a_folder_of_another_plan_is_refused) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("plan s.toml d").code == 0);
  BOOST_TEST(folder.sweep("plan s.toml d").code == 0);  // an equal plan
  folder.write("s.toml", std::string(kStudy) + "param.n = [64]\n");
  const Outcome outcome = folder.sweep("run s.toml d");
  BOOST_TEST(outcome.code == 2);
  BOOST_TEST(has(outcome.text, "holds the plan of another sweep"));
}

// Two programs both find a folder without a plan: the one that is second to store its plan is
// refused.
BOOST_AUTO_TEST_CASE(of_two_plans_at_once_one_is_refused) {
  using namespace fermata::platforms;
  const Folder folder;
  const auto planned = [](const char* latency, unsigned points) {
    SweepPlan plan{{"platform", "workload", "scratchpad.latency"}, {}};
    for (unsigned i = 0; i < points; ++i)
      plan.points.push_back({{"gtx480", "transpose", latency}, std::string(64, 'a')});
    return plan;
  };
  for (unsigned round = 0; round < 50; ++round) {
    const fs::path place = folder.path / std::to_string(round);
    std::array<int, 2> go{};
    BOOST_REQUIRE(pipe(go.data()) == 0);
    std::array<pid_t, 2> children{};
    for (unsigned who = 0; who < 2; ++who) {
      children[who] = fork();
      BOOST_REQUIRE(children[who] >= 0);
      if (children[who] != 0) continue;
      close(go[1]);
      char byte = 0;
      (void)!read(go[0], &byte, 1);  // waits for the other process
      try {
        SweepStore::create(place, who == 0 ? "first" : "second",
                           planned(who == 0 ? "20" : "24", 3));
        _exit(0);
      } catch (const fermata::InputError&) {
        _exit(2);
      }
    }
    close(go[0]);
    close(go[1]);
    std::array<int, 2> codes{};
    for (unsigned who = 0; who < 2; ++who) {
      int status = 0;
      waitpid(children[who], &status, 0);
      codes[who] = WEXITSTATUS(status);
    }
    BOOST_TEST_REQUIRE(codes[0] + codes[1] == 2);
    const bool first = codes[0] == 0;
    BOOST_TEST(SweepStore(place).plan().points.at(0).values.at(2) == (first ? "20" : "24"));
    BOOST_TEST(readFile(place / "study.toml") == (first ? "first" : "second"));
    BOOST_TEST(fs::is_empty(place / "tmp"));
  }
}

// Damage: a byte changed by a disk or an editor, a truncated file, the file of another point.
BOOST_AUTO_TEST_CASE(a_damaged_point_is_never_merged_and_runs_again) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("run s.toml d").code == 0);
  const std::string whole = folder.merged("d");
  const fermata::platforms::SweepStore store(folder.path / "d");
  const auto file = [&](std::size_t point) {
    const std::string& key = store.plan().points.at(point).key;
    return "d/results/" + key.substr(0, 2) + '/' + key + ".csv";
  };
  const std::string good = readFile(folder.path / file(3));
  std::string changed = good;
  changed.at(changed.find(",gtx480,") + 9) ^= 1;
  for (const std::string& bytes : {changed, good.substr(0, good.find('\n') + 1), std::string(),
                                   readFile(folder.path / file(4))}) {
    folder.write(file(3), bytes);
    const Outcome refused = folder.sweep("merge d");
    BOOST_TEST(refused.code == 2, refused.text);
    BOOST_TEST(has(refused.text, "1 of 12 points have no result yet, 1 of them a damaged file"),
               refused.text);
    BOOST_TEST(has(refused.text, file(3)), refused.text);
    BOOST_TEST(has(folder.sweep("status d").text, "11 of 12 points done, 0 failed, 1 missing\n"));
    const Outcome partial = folder.sweep("merge d --partial");
    BOOST_TEST(partial.code == 0, partial.text);
    BOOST_TEST(has(partial.text, "1 points are left out: the file is damaged, first d/results/"));
    BOOST_TEST(linesOf(folder.merged("d")).size() == kPoints);
    const Outcome again = folder.sweep("run d");
    BOOST_TEST(again.code == 0, again.text);
    BOOST_TEST(has(again.text, "1 points were run again: the file is damaged"), again.text);
    BOOST_TEST(readFile(folder.path / file(3)) == good);
    BOOST_TEST(folder.merged("d") == whole);
  }
}

BOOST_AUTO_TEST_CASE(a_table_with_gaps_is_asked_for) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("plan s.toml d").code == 0);
  BOOST_TEST_REQUIRE(folder.sweep("work d --shard 2/4").code == 0);
  BOOST_TEST(has(folder.sweep("status d").text, "3 of 12 points done, 0 failed, 9 missing\n"));
  const Outcome refused = folder.sweep("merge d");
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(has(refused.text, "9 of 12 points have no result yet"));
  BOOST_TEST(folder.sweep("merge d --partial").code == 0);
  const auto rows = linesOf(folder.merged("d"));
  BOOST_TEST_REQUIRE(rows.size() == 4U);
  BOOST_TEST(rows[1].substr(0, 2) == "1,");
  BOOST_TEST(rows[3].substr(0, 2) == "9,");
}

BOOST_DATA_TEST_CASE(refuses,
                     bdata::make({"sweep", "sweep plan s.toml", "sweep plan none.toml d",
                                  "sweep run none", "sweep run s.csv d", "sweep work s.toml",
                                  "sweep work d --shard 0/2", "sweep work d --shard 3/2",
                                  "sweep work d --shard 1", "sweep work d --shard +1/2",
                                  "sweep work d --shard 1/2x", "sweep status none",
                                  "sweep merge none", "sweep run s.toml d -j 0"}),
                     arguments) {
  const Sweep folder;
  BOOST_TEST_REQUIRE(folder.sweep("plan s.toml d").code == 0);
  const Outcome outcome = runProgram(arguments, folder.path);
  BOOST_TEST(outcome.code == 2, outcome.text);
  BOOST_TEST(has(outcome.text, "fermata: error: "), outcome.text);
}

BOOST_AUTO_TEST_SUITE_END()
