// fermata sweep gives the same table however it is run and whatever happens to it.
#include <signal.h>
#include <unistd.h>

#include <fermata/platforms/program/sweep/sweep_store.h>

#include "tests/support/children.h"
#include "tests/support/program.h"

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
  const pid_t process = startProgram({FERMATA_PROGRAM, "sweep", "run", (folder / "d").string()});
  usleep(microseconds);  // any moment must do
  kill(process, SIGKILL);
  waitFor(process);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(sweep, Sweep)

// The kernels have barriers, atomics, several launches and local memory. The platforms place, order
// and hold CTAs in different ways, with memory behind them; one must see the data itself.
BOOST_AUTO_TEST_CASE(a_replayed_point_has_the_bytes_of_an_executed_one) {
  write("kinds.toml", R"(
order = ["workload", "platform"]
[base]
scratchpad.latency = 30
[axes]
workload = ["transpose", "lud", "histogram", "scan", "hotspot", "aes", "stride"]
[[zip]]
platform = ["gtx480", "fermi-ami", "gtx480-caches", "gtx580-atomics", "gtx280", "gtx480"]
verify = ["false", "false", "false", "false", "false", "true"]
)");
  const Outcome replayed =
      sweep("run kinds.toml r -j 1").ok("18 points replayed what another had executed\n");
  sweep("run kinds.toml e --execute-all").ok().lacks("replayed");
  BOOST_TEST(merged("r") == merged("e"));
}

BOOST_AUTO_TEST_CASE(shards_in_any_order_give_the_bytes_of_one_run) {
  const Outcome whole = sweep("run s.toml whole").ok("12 of 12 points done, 0 failed, 0 missing\n");
  BOOST_TEST(linesOf(merged("whole")).size() == kPoints + 1);
  sweep("plan s.toml parts").ok();
  for (const char* const shard : {"3/3", "1/3", "2/3", "1/1"}) {
    sweep(std::string("work parts -j 1 --shard ") + shard).ok();
  }
  sweep("merge parts").ok();
  BOOST_TEST(merged("parts") == merged("whole"));
  BOOST_TEST(filesIn("parts/results") == kPoints);
  BOOST_TEST(filesIn("parts/tmp") == 0U);
}

// A row equals that of a separate run, after the point and its axes.
BOOST_AUTO_TEST_CASE(a_row_is_that_of_a_run_by_hand) {
  sweep("run s.toml d").ok();
  runProgram(
      "run gtx480 transpose --set 'scratchpad.indexer=ami 33' --set "
      "scratchpad.latency=20 --quiet --out out",
      path)
      .ok();
  const auto run = linesOf(readFile(path / "out" / "runs.csv"));
  const auto rows = linesOf(merged("d"));
  BOOST_TEST(rows.at(0) == "point,mapping,scratchpad.latency," + run.at(0));
  BOOST_TEST(rows.at(3) == "2,ami 33,20," + run.at(1));
  // The schema describes each column, as for every table.
  std::string described;
  for (const std::string& line : linesOf(readFile(path / "d" / "merged" / "schema.csv"))) {
    if (line.rfind("runs.csv,", 0) != 0) continue;
    const std::string name = line.substr(9, line.find(',', 9) - 9);
    described += (described.empty() ? "" : ",") + name;
  }
  BOOST_TEST(described == rows.at(0));
}

BOOST_AUTO_TEST_CASE(killed_at_any_moment_it_goes_on) {
  sweep("run s.toml whole").ok();
  sweep("plan s.toml d").ok();
  std::mt19937 random(7);
  for (unsigned i = 0; i < 10; ++i) runAndKill(path, random() % 30000);
  sweep("run d").ok();
  BOOST_TEST(merged("d") == merged("whole"));
  BOOST_TEST(filesIn("d/tmp") == 0U);  // files of killed processes are removed
}

BOOST_AUTO_TEST_CASE(what_is_done_is_not_run_again) {
  sweep("run s.toml d").ok();
  const auto stamp = [&] {
    std::string stamps;
    for (const auto& entry : fs::recursive_directory_iterator(path / "d" / "results"))
      stamps += std::to_string(entry.last_write_time().time_since_epoch().count());
    return stamps;
  };
  const std::string before = stamp();
  sweep("run d").ok();
  BOOST_TEST(stamp() == before);
}

BOOST_AUTO_TEST_CASE(a_point_that_fails_is_recorded_and_stops_nothing) {
  const Folder folder;
  folder.write("s.toml",
               "[base]\nplatform = 'gtx480'\nworkload = 'transpose'\n[axes]\nparam.n = [64, 65, "
               "128]\n");
  runProgram("sweep run s.toml d", folder.path)
      .ends(1, "2 of 3 points done, 1 failed, 0 missing\nthe first that failed: ");
  const auto failed = linesOf(readFile(folder.path / "d" / "merged" / "failed.csv"));
  BOOST_TEST_REQUIRE(failed.size() == 2U);
  BOOST_TEST(has(failed[1], "1,gtx480,transpose,65,"));
  BOOST_TEST(has(failed[1], "n must be a multiple of tile"));
  runProgram("sweep run d", folder.path).ends(1);
  runProgram("sweep run d --retry-failed", folder.path).ends(1);
  BOOST_TEST(readFile(folder.path / "d" / "merged" / "failed.csv") ==
             failed[0] + '\n' + failed[1] + '\n');
}

BOOST_AUTO_TEST_CASE(results_that_differ_are_both_kept) {
  sweep("plan s.toml d").ok();
  const fermata::platforms::SweepStore store(path / "d");
  const auto& point = store.plan().points.at(0);
  store.storeResult(point.key, "a\n");
  store.storeResult(point.key, "a\n");  // another process may store it too
  BOOST_CHECK_THROW(store.storeResult(point.key, "b\n"), fermata::platforms::TwoResults);
  BOOST_TEST(store.result(point.key) == "a\n");
  const fs::path other =
      path / "d" / "results" / point.key.substr(0, 2) / (point.key + ".csv.other");
  BOOST_TEST(linesOf(readFile(other)).at(0) == "b");
  BOOST_TEST(filesIn("d/tmp") == 0U);
}

// A limit on the size of files stands for a full disk: no file is torn, and the error names the
// cause.
BOOST_AUTO_TEST_CASE(a_full_disk_loses_nothing) {
  sweep("plan s.toml d").ok();
  runShell("cd '" + path.string() + "' && ulimit -f 0 && '" FERMATA_PROGRAM "' sweep run d")
      .ends(1, "points have no result", "cannot write");
  BOOST_TEST(filesIn("d/results") == 0U);
  sweep("run d").ok();
  BOOST_TEST(linesOf(merged("d")).size() == kPoints + 1);
}

BOOST_AUTO_TEST_CASE(a_folder_of_another_plan_is_refused) {
  sweep("plan s.toml d").ok();
  sweep("plan s.toml d").ok();  // an equal plan
  write("s.toml", std::string(kStudy) + "param.n = [64]\n");
  sweep("run s.toml d").refused("holds the plan of another sweep");
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
      children[who] = startChild([&] {
        close(go[1]);
        char byte = 0;
        (void)!read(go[0], &byte, 1);  // waits for the other process
        try {
          SweepStore::create(place, who == 0 ? "first" : "second",
                             planned(who == 0 ? "20" : "24", 3));
          return 0;
        } catch (const fermata::InputError&) {
          return 2;
        }
      });
    }
    close(go[0]);
    close(go[1]);
    std::array<int, 2> codes{};
    for (unsigned who = 0; who < 2; ++who) codes[who] = WEXITSTATUS(waitFor(children[who]));
    BOOST_TEST_REQUIRE(codes[0] + codes[1] == 2);
    const bool first = codes[0] == 0;
    BOOST_TEST(SweepStore(place).plan().points.at(0).values.at(2) == (first ? "20" : "24"));
    BOOST_TEST(readFile(place / "study.toml") == (first ? "first" : "second"));
    BOOST_TEST(fs::is_empty(place / "tmp"));
  }
}

// Damage: a byte changed by a disk or an editor, a truncated file, the file of another point.
BOOST_AUTO_TEST_CASE(a_damaged_point_is_never_merged_and_runs_again) {
  sweep("run s.toml d").ok();
  const std::string whole = merged("d");
  const fermata::platforms::SweepStore store(path / "d");
  const auto file = [&](std::size_t point) {
    const std::string& key = store.plan().points.at(point).key;
    return "d/results/" + key.substr(0, 2) + '/' + key + ".csv";
  };
  const std::string good = readFile(path / file(3));
  std::string changed = good;
  changed.at(changed.find(",gtx480,") + 9) ^= 1;
  for (const std::string& bytes :
       {changed, good.substr(0, good.find('\n') + 1), std::string(), readFile(path / file(4))}) {
    write(file(3), bytes);
    sweep("merge d").refused("1 of 12 points have no result yet, 1 of them a damaged file",
                             file(3));
    sweep("status d").says("11 of 12 points done, 0 failed, 1 missing\n");
    sweep("merge d --partial").ok("1 points are left out: the file is damaged, first d/results/");
    BOOST_TEST(linesOf(merged("d")).size() == kPoints);
    sweep("run d").ok("1 points were run again: the file is damaged");
    BOOST_TEST(readFile(path / file(3)) == good);
    BOOST_TEST(merged("d") == whole);
  }
}

BOOST_AUTO_TEST_CASE(a_table_with_gaps_is_asked_for) {
  sweep("plan s.toml d").ok();
  sweep("work d --shard 2/4").ok();
  sweep("status d").says("3 of 12 points done, 0 failed, 9 missing\n");
  sweep("merge d").refused("9 of 12 points have no result yet");
  sweep("merge d --partial").ok();
  const auto rows = linesOf(merged("d"));
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
  sweep("plan s.toml d").ok();
  runProgram(arguments, path).refused("fermata: error: ");
}

BOOST_AUTO_TEST_SUITE_END()
