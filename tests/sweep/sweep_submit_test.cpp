// fermata sweep submit with fake Slurm commands that record their arguments. check_slurm.sh tests
// with Slurm itself.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "tests/support/program.h"

namespace bdata = boost::unit_test::data;
namespace fs = std::filesystem;
using namespace fermata::test;

namespace {

const char* const kStudy = R"(
[base]
platform = "gtx480"
workload = "transpose"
param.n = 64
[axes]
mapping = ["mod 32", "ami 33"]
scratchpad.latency = { from = 20, to = 25, step = 1 }
)";
// The name contains characters that are special in a shell and in Slurm's patterns.
const char* const kSweep = "a 'b' $HOME %j";
const std::string kQuoted = "\"a 'b' \\$HOME %j\"";

/// A sweep of 12 points, and a Slurm that allows array indices up to 3.
struct Slurm : Folder {
  Slurm() {
    write("s.toml", kStudy);
    fs::create_directories(path / "bin");
    command("scontrol", "echo 'MaxArraySize            = 4'");
    command("sbatch",
            "for word; do echo \"$word\"; done >>\"$calls\"; echo >>\"$calls\"\n"
            "grep -c '^$' \"$calls\"");
    command("squeue", "exit 1");
    command("scancel", "echo scancel \"$@\" >>\"$calls\"");
    setenv("calls", (path / "calls").c_str(), 1);
    setenv("PATH", ((path / "bin").string() + ':' + std::getenv("PATH")).c_str(), 1);
    BOOST_TEST_REQUIRE(sweep("plan s.toml " + kQuoted).code == 0);
  }

  void command(const std::string& name, const std::string& does) const {
    const std::string file = "bin/" + name;
    write(file, "#!/bin/sh\n" + does + '\n');
    fs::permissions(path / file, fs::perms::owner_all);
  }
  static Outcome shell(const std::string& words) {
    FILE* pipe = popen(("( " + words + " ) 2>&1").c_str(), "r");
    BOOST_REQUIRE(pipe != nullptr);
    Outcome outcome;
    char part[1024];
    for (std::size_t n = 0; (n = fread(part, 1, sizeof part, pipe)) > 0;)
      outcome.text.append(part, n);
    outcome.code = WEXITSTATUS(pclose(pipe));
    return outcome;
  }
  Outcome sweep(const std::string& arguments) const {
    return runProgram("sweep " + arguments, path);
  }
  Outcome submit(const std::string& options) const {
    return sweep("submit " + kQuoted + ' ' + options);
  }
  /// Runs a copy of a script, as a node does.
  Outcome runScript(const std::string& name, const std::string& argument, unsigned index) const {
    fs::copy_file(dir() / "slurm" / name, path / "script", fs::copy_options::overwrite_existing);
    return shell("cd / && SLURMD_NODENAME=n7 SLURM_ARRAY_TASK_ID=" + std::to_string(index) +
                 " sh '" + (path / "script").string() + "' " + argument);
  }
  fs::path dir() const { return path / kSweep; }
  std::string calls() const { return readFile(path / "calls"); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sweep_submit)

// Shards without missing points are not submitted.
BOOST_AUTO_TEST_CASE(arrays_are_as_large_as_slurm_takes_them) {
  const Slurm slurm;
  BOOST_TEST_REQUIRE(slurm.sweep("work " + kQuoted + " --shard 2/7").code == 0);
  const Outcome outcome =
      slurm.submit("--slurm 7 --slurm-option=--partition=a --slurm-option '--comment=b c'");
  BOOST_TEST(outcome.code == 0, outcome.text);
  BOOST_TEST(has(outcome.text,
                 "10 of 12 points are missing: 6 of 7 shards submitted as job 1, 2, "
                 "3, and what gathers them as job 4\n"),
             outcome.text);
  const std::string dir = fs::canonical(slurm.dir()).string();
  const auto array = [&](const char* indices, const char* lacks) {
    return "--parsable\n--job-name=fermata-sweep\n--no-requeue\n--partition=a\n--comment=b c\n"
           "--output=log/%A_%a.log\n--array=" +
           std::string(indices) + "\n--chdir=" + dir + '\n' + dir + "/slurm/shard.sh\n" + lacks +
           "\n\n";
  };
  BOOST_TEST(slurm.calls() ==
             array("1,3", "0") + array("1-3", "3") + array("1", "6") +
                 "--parsable\n--job-name=fermata-sweep-gather\n--requeue\n--partition=a\n"
                 "--comment=b c\n--output=log/gather_%j.log\n--dependency=afterany:1:2:3\n"
                 "--chdir=" +
                 dir + '\n' + dir + "/slurm/gather.sh\n\n");
}

// A sweep has its own copy of the program and its data: the scripts cannot see those of the build.
BOOST_AUTO_TEST_CASE(the_scripts_run_every_shard_and_merge) {
  const Slurm slurm;
  BOOST_TEST_REQUIRE(slurm.sweep("run s.toml whole").code == 0);
  BOOST_TEST_REQUIRE(slurm.submit("--slurm 5").code == 0);
  setenv("FERMATA_DATA", "/nowhere", 1);
  for (const auto& [lacks, index] : {std::pair("3", 2U), {"0", 1U}, {"0", 3U}, {"3", 1U}})
    BOOST_TEST(slurm.runScript("shard.sh", lacks, index).code == 0);
  // One shard is lost: it is submitted again, alone.
  const std::string before = slurm.calls();
  BOOST_TEST(slurm.runScript("gather.sh", "", 0).code == 0);
  const std::string again = slurm.calls().substr(before.size());
  BOOST_TEST(has(again, "--array=2\n"), again);
  BOOST_TEST(has(again, "--dependency=afterany:4\n"), again);
  BOOST_TEST(slurm.runScript("shard.sh", "0", 2).code == 0);
  const Outcome last = slurm.runScript("gather.sh", "", 0);
  BOOST_TEST(last.code == 0, last.text);
  BOOST_TEST(has(last.text, "12 of 12 points done, 0 failed, 0 missing\n"), last.text);
  BOOST_TEST(readFile(slurm.dir() / "merged" / "runs.csv") ==
             readFile(slurm.path / "whole" / "merged" / "runs.csv"));
}

BOOST_AUTO_TEST_CASE(a_node_without_the_program_is_noted_and_left_out) {
  const Slurm slurm;
  BOOST_TEST_REQUIRE(slurm.submit("--slurm 2 --slurm-option=--exclude=n3").code == 0);
  for (const auto& entry : fs::directory_iterator(slurm.dir() / "program"))
    fs::rename(entry.path() / "bin" / "fermata", entry.path() / "bin" / "elsewhere");
  const Outcome shard = slurm.runScript("shard.sh", "0", 1);
  BOOST_TEST(shard.code == 1);
  BOOST_TEST(has(shard.text, "fermata: error: node n7: "), shard.text);
  BOOST_TEST(has(shard.text, "is not there; expected the sweep's folder on every node"));
  BOOST_TEST(has(readFile(slurm.dir() / "log" / "unfit" / "n7"), "is not there"));
  // Gathering also excludes the node.
  const std::string before = slurm.calls();
  BOOST_TEST(slurm.runScript("gather.sh", "", 0).code == 0);
  const std::string again = slurm.calls().substr(before.size());
  BOOST_TEST(has(again, "--exclude=n3,n7\n"), again);
  BOOST_TEST(has(again, "/slurm/gather.sh\n"), again);
  BOOST_TEST(!has(again, "--dependency"), again);
  // The shards of the next round exclude it too. A user's submit starts anew, with all nodes and a
  // new copy of the program.
  BOOST_TEST(slurm.submit("--slurm 2 --after 12/0").code == 0);
  BOOST_TEST(has(slurm.calls(), "--exclude=n7\n"), slurm.calls());
  std::ofstream(slurm.path / "calls");
  BOOST_TEST(slurm.submit("--slurm 2").code == 0);
  BOOST_TEST(!has(slurm.calls(), "--exclude"), slurm.calls());
  BOOST_TEST(slurm.runScript("shard.sh", "0", 1).code == 0);
}

BOOST_AUTO_TEST_CASE(a_library_that_a_node_lacks_is_named) {
  const Slurm slurm;
  BOOST_TEST_REQUIRE(slurm.submit("--slurm 2").code == 0);
  for (const auto& entry : fs::directory_iterator(slurm.dir() / "program"))
    slurm.write(fs::relative(entry.path() / "bin" / "fermata", slurm.path).string(),
                "#!/bin/sh\necho 'libsystemc.so: cannot open shared object file' >&2; exit 127\n");
  const Outcome shard = slurm.runScript("shard.sh", "0", 1);
  BOOST_TEST(shard.code == 1);
  BOOST_TEST(has(shard.text,
                 "the program does not start: libsystemc.so: cannot open shared object "
                 "file; expected the libraries that it needs on every node"),
             shard.text);
  // The program's folder no longer has the contents of its name: the next submit repairs it.
  BOOST_TEST(slurm.submit("--slurm 2").code == 0);
  BOOST_TEST(slurm.runScript("shard.sh", "0", 1).code == 0);
}

BOOST_AUTO_TEST_CASE(rounds_that_bring_nothing_come_to_an_end) {
  const Slurm slurm;
  BOOST_TEST(slurm.submit("--slurm 2 --after 12/1").code == 0);
  BOOST_TEST(has(readFile(slurm.dir() / "slurm" / "gather.sh"), "'--after' '12/2'"));
  BOOST_TEST(slurm.submit("--slurm 2 --after 13/2").code == 0);  // one point was gained: progress
  BOOST_TEST(has(readFile(slurm.dir() / "slurm" / "gather.sh"), "'--after' '12/0'"));
  const std::string before = slurm.calls();
  const Outcome last = slurm.submit("--slurm 2 --after 12/2");
  BOOST_TEST(last.code == 1);
  BOOST_TEST(has(last.text, "12 points have no result, and 3 rounds brought none"), last.text);
  BOOST_TEST(slurm.calls() == before);
}

BOOST_AUTO_TEST_CASE(without_slurm_it_says_so) {
  const Slurm slurm;
  fs::remove(slurm.path / "bin" / "sbatch");
  fs::remove(slurm.path / "bin" / "scontrol");
  setenv("PATH", (slurm.path / "bin").c_str(), 1);  // popen uses an absolute path for the shell
  const Outcome outcome = slurm.submit("--slurm 2");
  BOOST_TEST(outcome.code == 2);
  BOOST_TEST(has(outcome.text,
                 "scontrol cannot be started: No such file or directory; expected "
                 "Slurm's commands in the PATH"),
             outcome.text);
}

BOOST_AUTO_TEST_CASE(what_sbatch_refuses_leaves_no_half) {
  const Slurm slurm;
  slurm.command("sbatch",
                "case \"$*\" in *gather*) echo 'sbatch: error: invalid partition' >&2; exit 1;; "
                "esac; echo '17;cluster'");
  const Outcome outcome = slurm.submit("--slurm 2");
  BOOST_TEST(outcome.code == 1);
  BOOST_TEST(has(outcome.text, "sbatch: error: invalid partition"), outcome.text);
  BOOST_TEST(has(outcome.text, "sbatch refuses the job (exit code 1)"), outcome.text);
  BOOST_TEST(slurm.calls() == "scancel 17\n");
  BOOST_TEST(!fs::exists(slurm.dir() / "slurm" / "jobs"));
}

BOOST_AUTO_TEST_CASE(jobs_in_the_queue_are_not_doubled) {
  const Slurm slurm;
  BOOST_TEST(slurm.submit("--slurm 4").code == 0);
  slurm.command("squeue",
                "case \"$*\" in *jobs=1*) echo RUNNING; echo PENDING;; *jobs=3*) echo "
                "PENDING;; *) exit 1;; esac");
  BOOST_TEST(has(slurm.sweep("status " + kQuoted).text, "\nSlurm: 1 jobs run, 2 wait\n"));
  const Outcome outcome = slurm.submit("--slurm 4");
  BOOST_TEST(outcome.code == 2);
  BOOST_TEST(has(outcome.text,
                 "jobs of this sweep are in the queue; expected them to end, or "
                 "'scancel 1 2 3'"),
             outcome.text);
}

// A limit on the size of files stands for a full disk.
BOOST_AUTO_TEST_CASE(a_copy_of_the_program_is_whole_or_not_there) {
  const Slurm slurm;
  const Outcome outcome = Slurm::shell(
      "cd '" + slurm.path.string() + "' && ulimit -f 1000 && '" FERMATA_PROGRAM "' sweep submit " +
      kQuoted + " --slurm 2");
  BOOST_TEST(outcome.code == 1);
  BOOST_TEST(has(outcome.text, "cannot copy the program to"), outcome.text);
  BOOST_TEST(fs::is_empty(slurm.dir() / "program"));
  BOOST_TEST(fs::is_empty(slurm.dir() / "tmp"));
  BOOST_TEST(!fs::exists(slurm.path / "calls"));
  BOOST_TEST(slurm.submit("--slurm 2").code == 0);
}

// A result would otherwise be stored under the key of other inputs.
BOOST_AUTO_TEST_CASE(other_inputs_than_those_of_the_plan_are_refused) {
  const Slurm slurm;
  fs::copy(FERMATA_BINARY_DIR "/share/fermata", slurm.path / "data", fs::copy_options::recursive);
  setenv("FERMATA_DATA", (slurm.path / "data").c_str(), 1);
  BOOST_TEST(slurm.sweep("work " + kQuoted + " --shard 1/2").code == 0);  // equal inputs elsewhere
  std::ofstream(slurm.path / "data" / "cuda" / "fermata_cuda.h", std::ios::app) << "// changed\n";
  for (const std::string arguments : {"work %s --shard 2/2", "run %s", "submit %s --slurm 2"}) {
    const Outcome outcome = slurm.sweep(arguments.substr(0, arguments.find('%')) + kQuoted +
                                        arguments.substr(arguments.find('%') + 2));
    BOOST_TEST(outcome.code == 2, outcome.text);
    BOOST_TEST(has(outcome.text,
                   "12 of 12 points were planned for another program or other files "
                   "than these, first transpose on gtx480"),
               outcome.text);
  }
  BOOST_TEST(has(slurm.sweep("status " + kQuoted).text, "6 of 12 points done, 0 failed, 6"));
}

BOOST_DATA_TEST_CASE(refuses,
                     bdata::make({"", "--slurm 0", "--slurm 1000001", "--slurm 2 --after 3",
                                  "--slurm 2 --slurm-option", "--slurm 2 --slurm-option=",
                                  "--slurm 2 --slurm-option partition=a"}),
                     options) {
  const Slurm slurm;
  const Outcome outcome = slurm.submit(options);
  BOOST_TEST(outcome.code == 2, outcome.text);
  BOOST_TEST(!fs::exists(slurm.path / "calls"));
}

BOOST_AUTO_TEST_SUITE_END()
