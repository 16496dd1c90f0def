// fermata sweep submit with fake Slurm commands that record their arguments. check_slurm.sh tests
// with Slurm itself.
#include "tests/support/program.h"

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
    sweep("plan s.toml " + kQuoted).ok();
  }

  void command(const std::string& name, const std::string& does) const {
    const std::string file = "bin/" + name;
    write(file, "#!/bin/sh\n" + does + '\n');
    fs::permissions(path / file, fs::perms::owner_all);
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
    return runShell("cd / && SLURMD_NODENAME=n7 SLURM_ARRAY_TASK_ID=" + std::to_string(index) +
                    " sh '" + (path / "script").string() + "' " + argument);
  }
  fs::path dir() const { return path / kSweep; }
  std::string calls() const { return readFile(path / "calls"); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(sweep_submit, Slurm)

// Shards without missing points are not submitted.
BOOST_AUTO_TEST_CASE(arrays_are_as_large_as_slurm_takes_them) {
  sweep("work " + kQuoted + " --shard 2/7").ok();
  submit("--slurm 7 --slurm-option=--partition=a --slurm-option '--comment=b c'")
      .ok("10 of 12 points are missing: 6 of 7 shards submitted as job 1, 2, "
          "3, and what gathers them as job 4\n");
  const std::string home = fs::canonical(dir()).string();
  const auto array = [&](const char* indices, const char* lacks) {
    return "--parsable\n--job-name=fermata-sweep\n--no-requeue\n--partition=a\n--comment=b c\n"
           "--output=log/%A_%a.log\n--array=" +
           std::string(indices) + "\n--chdir=" + home + '\n' + home + "/slurm/shard.sh\n" + lacks +
           "\n\n";
  };
  BOOST_TEST(calls() ==
             array("1,3", "0") + array("1-3", "3") + array("1", "6") +
                 "--parsable\n--job-name=fermata-sweep-gather\n--requeue\n--partition=a\n"
                 "--comment=b c\n--output=log/gather_%j.log\n--dependency=afterany:1:2:3\n"
                 "--chdir=" +
                 home + '\n' + home + "/slurm/gather.sh\n\n");
}

// A sweep has its own copy of the program and its data: the scripts cannot see those of the build.
BOOST_AUTO_TEST_CASE(the_scripts_run_every_shard_and_merge) {
  sweep("run s.toml whole").ok();
  submit("--slurm 5").ok();
  setenv("FERMATA_DATA", "/nowhere", 1);
  for (const auto& [lacks, index] : {std::pair("3", 2U), {"0", 1U}, {"0", 3U}, {"3", 1U}})
    runScript("shard.sh", lacks, index).ok();
  // One shard is lost: it is submitted again, alone.
  const std::string before = calls();
  runScript("gather.sh", "", 0).ok();
  const std::string again = calls().substr(before.size());
  BOOST_TEST(has(again, "--array=2\n"), again);
  BOOST_TEST(has(again, "--dependency=afterany:4\n"), again);
  runScript("shard.sh", "0", 2).ok();
  runScript("gather.sh", "", 0).ok("12 of 12 points done, 0 failed, 0 missing\n");
  BOOST_TEST(readFile(dir() / "merged" / "runs.csv") ==
             readFile(path / "whole" / "merged" / "runs.csv"));
}

BOOST_AUTO_TEST_CASE(a_node_without_the_program_is_noted_and_left_out) {
  submit("--slurm 2 --slurm-option=--exclude=n3").ok();
  for (const auto& entry : fs::directory_iterator(dir() / "program"))
    fs::rename(entry.path() / "bin" / "fermata", entry.path() / "bin" / "elsewhere");
  const Outcome shard = runScript("shard.sh", "0", 1)
                            .ends(1, "fermata: error: node n7: ",
                                  "is not there; expected the sweep's folder on every node");
  BOOST_TEST(has(readFile(dir() / "log" / "unfit" / "n7"), "is not there"));
  // Gathering also excludes the node.
  const std::string before = calls();
  runScript("gather.sh", "", 0).ok();
  const std::string again = calls().substr(before.size());
  BOOST_TEST(has(again, "--exclude=n3,n7\n"), again);
  BOOST_TEST(has(again, "/slurm/gather.sh\n"), again);
  BOOST_TEST(!has(again, "--dependency"), again);
  // The shards of the next round exclude it too. A user's submit starts anew, with all nodes and a
  // new copy of the program.
  submit("--slurm 2 --after 12/0").ok();
  BOOST_TEST(has(calls(), "--exclude=n7\n"), calls());
  std::ofstream(path / "calls");
  submit("--slurm 2").ok();
  BOOST_TEST(!has(calls(), "--exclude"), calls());
  runScript("shard.sh", "0", 1).ok();
}

BOOST_AUTO_TEST_CASE(a_library_that_a_node_lacks_is_named) {
  submit("--slurm 2").ok();
  for (const auto& entry : fs::directory_iterator(dir() / "program"))
    write(fs::relative(entry.path() / "bin" / "fermata", path).string(),
          "#!/bin/sh\necho 'libsystemc.so: cannot open shared object file' >&2; exit 127\n");
  const Outcome shard =
      runScript("shard.sh", "0", 1)
          .ends(1,
                "the program does not start: libsystemc.so: cannot open shared object "
                "file; expected the libraries that it needs on every node");
  // The program's folder no longer has the contents of its name: the next submit repairs it.
  submit("--slurm 2").ok();
  runScript("shard.sh", "0", 1).ok();
}

BOOST_AUTO_TEST_CASE(rounds_that_bring_nothing_come_to_an_end) {
  submit("--slurm 2 --after 12/1").ok();
  BOOST_TEST(has(readFile(dir() / "slurm" / "gather.sh"), "'--after' '12/2'"));
  submit("--slurm 2 --after 13/2").ok();  // one point was gained: progress
  BOOST_TEST(has(readFile(dir() / "slurm" / "gather.sh"), "'--after' '12/0'"));
  const std::string before = calls();
  submit("--slurm 2 --after 12/2").ends(1, "12 points have no result, and 3 rounds brought none");
  BOOST_TEST(calls() == before);
}

BOOST_AUTO_TEST_CASE(without_slurm_it_says_so) {
  fs::remove(path / "bin" / "sbatch");
  fs::remove(path / "bin" / "scontrol");
  setenv("PATH", (path / "bin").c_str(), 1);  // popen uses an absolute path for the shell
  submit("--slurm 2")
      .refused(
          "scontrol cannot be started: No such file or directory; expected "
          "Slurm's commands in the PATH");
}

BOOST_AUTO_TEST_CASE(what_sbatch_refuses_leaves_no_half) {
  command("sbatch",
          "case \"$*\" in *gather*) echo 'sbatch: error: invalid partition' >&2; exit 1;; "
          "esac; echo '17;cluster'");
  submit("--slurm 2")
      .ends(1, "sbatch: error: invalid partition", "sbatch refuses the job (exit code 1)");
  BOOST_TEST(calls() == "scancel 17\n");
  BOOST_TEST(!fs::exists(dir() / "slurm" / "jobs"));
}

BOOST_AUTO_TEST_CASE(jobs_in_the_queue_are_not_doubled) {
  submit("--slurm 4").ok();
  command("squeue",
          "case \"$*\" in *jobs=1*) echo RUNNING; echo PENDING;; *jobs=3*) echo "
          "PENDING;; *) exit 1;; esac");
  sweep("status " + kQuoted).says("\nSlurm: 1 jobs run, 2 wait\n");
  submit("--slurm 4")
      .refused(
          "jobs of this sweep are in the queue; expected them to end, or "
          "'scancel 1 2 3'");
}

// A limit on the size of files stands for a full disk.
BOOST_AUTO_TEST_CASE(a_copy_of_the_program_is_whole_or_not_there) {
  runShell("cd '" + path.string() + "' && ulimit -f 1000 && '" FERMATA_PROGRAM "' sweep submit " +
           kQuoted + " --slurm 2")
      .ends(1, "cannot copy the program to");
  BOOST_TEST(fs::is_empty(dir() / "program"));
  BOOST_TEST(fs::is_empty(dir() / "tmp"));
  BOOST_TEST(!fs::exists(path / "calls"));
  submit("--slurm 2").ok();
}

// A result would otherwise be stored under the key of other inputs.
BOOST_AUTO_TEST_CASE(other_inputs_than_those_of_the_plan_are_refused) {
  fs::copy(FERMATA_BINARY_DIR "/share/fermata", path / "data", fs::copy_options::recursive);
  setenv("FERMATA_DATA", (path / "data").c_str(), 1);
  sweep("work " + kQuoted + " --shard 1/2").ok();  // equal inputs elsewhere
  std::ofstream(path / "data" / "cuda" / "fermata_cuda.h", std::ios::app) << "// changed\n";
  for (const std::string arguments : {"work %s --shard 2/2", "run %s", "submit %s --slurm 2"}) {
    sweep(arguments.substr(0, arguments.find('%')) + kQuoted +
          arguments.substr(arguments.find('%') + 2))
        .refused(
            "12 of 12 points were planned for another program or other files "
            "than these, first transpose on gtx480");
  }
  sweep("status " + kQuoted).says("6 of 12 points done, 0 failed, 6");
}

BOOST_DATA_TEST_CASE(refuses,
                     bdata::make({"", "--slurm 0", "--slurm 1000001", "--slurm 2 --after 3",
                                  "--slurm 2 --slurm-option", "--slurm 2 --slurm-option=",
                                  "--slurm 2 --slurm-option partition=a"}),
                     options) {
  submit(options).refused();
  BOOST_TEST(!fs::exists(path / "calls"));
}

BOOST_AUTO_TEST_SUITE_END()
