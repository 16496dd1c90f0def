// Every program of cuda/ compiles unmodified, runs, and finds the host's results on the device.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

using namespace fermata::test;

const std::filesystem::path kPrograms = FERMATA_SOURCE_DIR "/tests/programs/cuda";

struct Sample {
  std::string program;
  std::string level;
};
std::ostream& operator<<(std::ostream& out, const Sample& sample) {
  return out << sample.program << " at " << sample.level;
}

/// Returns all programs at -O3, the default of `cc`, and in turn at -O0 or -O1.
std::vector<Sample> samples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPrograms)) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  std::vector<Sample> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    all.push_back({names[i], "-O3"});
    all.push_back({names[i], i % 2 == 0 ? "-O0" : "-O1"});
  }
  return all;
}

}  // namespace

// Children are launches of their own, with time as without.
BOOST_AUTO_TEST_CASE(kernels_launch_kernels_in_time) {
  const Folder folder;
  runProgram("cc '" + (kPrograms / "device_launches.cu").string() + "' -o app", folder.path).ok();
  const Outcome run =
      runProgram("exec --platform sm_80 --out out --launches 0-20 -- ./app", folder.path);
  run.ok("PASS", "parent", "scale");
  std::ifstream rows(folder.path / "out" / "runs.csv");
  const std::string text{std::istreambuf_iterator<char>(rows), std::istreambuf_iterator<char>()};
  BOOST_TEST(has(text, "launch=1,"), text);
}

// Each launch is recorded by itself: `exec` begins another cycle than a replay of both. The replay
// on a larger chip has CTAs without work.
BOOST_AUTO_TEST_CASE(a_trace_of_taken_work_takes_the_run_s_cycles) {
  const Folder folder;
  runProgram("cc -arch=sm_100 '" + (kPrograms / "work_stealing_sm_100.cu").string() + "' -o app",
             folder.path)
      .ok();
  const std::string chip = "sm_100 --set chip.sms=4 --set global.memory=caches";
  bool compiled = false;
  for (const std::string& platform : {std::string("sm_100"), chip}) {
    for (const std::string launch : {"1", "2"}) {
      fs::remove(folder.path / "t.csv.compiled");
      runProgram("exec --platform " + platform + " --launches " + launch +
                     " --record t.csv --out out -- ./app",
                 folder.path)
          .ok();
      auto run = column(readFile(folder.path / "out/runs.csv"), "cycles");
      run.erase(std::remove(run.begin(), run.end(), ""), run.end());  // launches without time
      for (unsigned k = 0; k < 2; ++k) {  // the second replay reads the compiled form
        runProgram("run t.csv --platform " + platform + " --out again", folder.path).ok();
        BOOST_TEST(column(readFile(folder.path / "again/runs.csv"), "cycles") == run,
                   tt::per_element());
      }
      constexpr std::uintmax_t kCompiled = std::uintmax_t{1} << 20;  // a smaller one is not
      BOOST_TEST(fs::exists(folder.path / "t.csv.compiled") ==
                 (fs::file_size(folder.path / "t.csv") >= kCompiled));
      compiled = compiled || fs::exists(folder.path / "t.csv.compiled");
      runProgram("run t.csv --platform b200", folder.path).ok();
    }
  }
  BOOST_TEST(compiled);
}

// 12 blocks read where they run.
BOOST_AUTO_TEST_CASE(blocks_know_their_multiprocessor) {
  const Folder folder;
  runProgram("cc '" + (kPrograms / "occupancy.cu").string() + "' -o app", folder.path).ok();
  for (const auto& [options, places] : {std::pair{"--platform gtx480", "on 1 of 1 SMs"},
                                        {"--platform gtx480 --set chip.sms=4", "on 4 of 4 SMs"},
                                        {"--platform h100", "on 12 of 132 SMs"},
                                        {"--platform h100 --functional", "on 1 of 1 SMs"}})
    runProgram(std::string("exec ") + options + " -- ./app", folder.path).ok("PASS", places);
}

// Blocks that take others' work do so with time, on one SM and on many, whatever the threads.
BOOST_DATA_TEST_CASE(work_is_taken_in_time, bdata::make({"sm_100", "b200"}), platform) {
  const Folder folder;
  runProgram("cc -arch=sm_100a '" + (kPrograms / "work_stealing_sm_100.cu").string() + "' -o app",
             folder.path)
      .ok();
  std::string first;
  for (const std::string jobs : {"1", "2", "3"}) {
    const std::string out = "out" + jobs;
    runProgram(std::string("exec --platform ") + platform + " --jobs " + jobs + " --out " + out +
                   " -- ./app",
               folder.path)
        .ok("PASS");
    std::ifstream rows(folder.path / out / "runs.csv");
    const std::string text{std::istreambuf_iterator<char>(rows), std::istreambuf_iterator<char>()};
    if (first.empty()) first = text;
    BOOST_TEST((!text.empty() && text == first), text);
  }
}

BOOST_DATA_TEST_CASE(passes, bdata::make(samples()), sample) {
  const Folder folder;
  const std::string source = (kPrograms / (sample.program + ".cu")).string();
  const std::size_t at = sample.program.rfind("_sm_");  // none: the default suffices
  const std::string arch = at == std::string::npos ? "" : " -arch=" + sample.program.substr(at + 1);
  const Outcome compiled = runProgram(
      "cc " + sample.level + arch + " -Wall -Wextra -Wno-sign-compare '" + source + "' -o app",
      folder.path);
  BOOST_TEST_REQUIRE(compiled.code == 0, compiled.text);
  BOOST_TEST(compiled.text == "");  // no warning
  const std::string platform =
      at == std::string::npos ? "" : " --platform " + sample.program.substr(at + 1);
  const Outcome run = runProgram("exec --functional" + platform + " --quiet -- ./app", folder.path);
  BOOST_TEST(run.code == 0, run.text);
  const std::vector<std::string> lines = linesOf(run.text);
  BOOST_TEST(std::any_of(lines.begin(), lines.end(),
                         [](const std::string& line) { return line.compare(0, 4, "PASS") == 0; }),
             run.text);
}
