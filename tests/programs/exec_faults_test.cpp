// Programs that stress the runtime: they close descriptors, start each other, fork, launch while
// they end, and fill the disk. The results are right, or a clear error ends the run.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

using namespace fermata::test;

constexpr const char* kHardProgram = R"(
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <atomic>
#include <sys/wait.h>
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void add(int* p) { p[threadIdx.x] += 1; }
int* memory;
static void say(const char* what, cudaError_t error) {
  printf("%s %s\n", what, cudaGetErrorName(error));
  fflush(stdout);
}
static void late() {
  add<<<1, 32>>>(memory);
  say("late", cudaGetLastError());
}
struct Object {
  bool launches = false;
  ~Object() {
    if (!launches) return;
    late();
    int first = 0;
    say("copy", cudaMemcpy(&first, memory, 4, cudaMemcpyDeviceToHost));
    printf("sum %d\n", first);
    say("free", cudaFree(memory));
  }
} object;
static void closeFiles() {
  add<<<1, 32>>>(memory);
  for (int i = 3; i < 256; i++) close(i);
  FILE* file = fopen("mine.txt", "w");
  for (int i = 0; i < 2000; i++) add<<<1, 32>>>(memory);
  fprintf(file, "my own text\n");
  fclose(file);
}
static int child(const char* name) {
  fflush(stdout);
  const pid_t process = fork();
  if (process == 0) {
    alarm(60);  // a child that hangs ends by the signal
    say(name, cudaDeviceSynchronize());
    add<<<1, 32>>>(memory);
    say(name, cudaGetLastError());
    exit(3);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
static void forks() {
  std::atomic<int> launched{0};
  std::atomic<bool> ends{false};
  std::thread other([&] { while (!ends) { add<<<1, 32>>>(memory); ++launched; } });
  while (launched == 0) std::this_thread::yield();
  for (int i = 0; i < 3; i++) printf("ended %d\n", child("child"));
  ends = true;
  other.join();
}
int main(int, char** argv) {
  const std::string face = argv[1];
  if (face == "early") printf("ended %d\n", child("early"));
  if (face == "before") atexit(late);
  cudaMalloc(&memory, 128);
  cudaMemset(memory, 0, 128);
  if (face == "middle") atexit(late);
  object.launches = face == "object" || face == "first";
  if (face == "first") return 0;
  add<<<1, 32>>>(memory);
  if (face == "after") atexit(late);
  if (face == "close") closeFiles();
  if (face == "fork") forks();
  for (int i = 0; face == "many" && i < 400; i++) {
    add<<<1, 32>>>(memory);
    if (const cudaError_t error = cudaGetLastError()) return say("launch", error), 7;
  }
  printf("end of %s\n", face.c_str());
  return 0;
}
)";

/// A folder with the compiled program.
struct HardProgram : Folder {
  HardProgram() {
    write("app.cu", kHardProgram);
    const Outcome made = runProgram("cc app.cu -o app", path);
    BOOST_TEST_REQUIRE(made.code == 0, made.text);
  }
  Outcome exec(const std::string& options, const std::string& face) const {
    return runProgram("exec --quiet " + options + " -- ./app " + face, path);
  }
  /// Runs the shell command `before`, then the program with its arguments.
  Outcome shell(const std::string& before, const std::string& arguments) const {
    return runProgram("--version > version && " + before + " " + arguments, path);
  }
  std::string file(const std::string& name) const { return readFile(path / name); }
  std::vector<std::string> launches(const std::string& folder) const {
    return column(file(folder + "/runs.csv"), "launch");
  }
  /// Returns the number of files in the folder other than the program, its source and `version`.
  std::size_t others() const {
    std::size_t all = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = entry.path().filename().string();
      all += name != "app" && name != "app.cu" && name != "version" ? 1U : 0U;
    }
    return all;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(exec_faults, HardProgram)

BOOST_DATA_TEST_CASE(a_program_closes_every_descriptor,
                     bdata::make({"'" FERMATA_PROGRAM "' exec --functional --quiet --out out "
                                  "--record t.csv --",
                                  "FERMATA_FUNCTIONAL=1 FERMATA_OUT=out FERMATA_RECORD=t.csv"}),
                     start) {
  const Outcome run = shell(start, "./app close");
  BOOST_TEST_REQUIRE(run.code == 0, run.text);
  BOOST_TEST(run.text == "end of close\n");
  BOOST_TEST(file("mine.txt") == "my own text\n");
  const std::vector<std::string> all = launches("out");
  BOOST_TEST_REQUIRE(all.size() == 2002U);
  for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST(all[i] == std::to_string(i));
  const Outcome replayed = runProgram("run gtx480 t.csv --quiet --out replayed", path);
  BOOST_TEST_REQUIRE(replayed.code == 0, replayed.text);
}

BOOST_AUTO_TEST_CASE(several_programs_are_one_run) {
  const Outcome run = runProgram(
      "exec --quiet --out out --launches 1-2 --record t.csv -- "
      "sh -c './app good; ./app after; ./app good'",
      path);
  BOOST_TEST_REQUIRE(run.code == 0, run.text);
  const std::string runs = file("out/runs.csv");
  BOOST_TEST(launches("out") == (std::vector<std::string>{"0", "1", "2", "3"}), tt::per_element());
  const std::vector<std::string> cycles = column(runs, "cycles");
  BOOST_TEST((cycles[0].empty() && !cycles[1].empty() && !cycles[2].empty() && cycles[3].empty()));
  for (const char* table : {"out/runs.csv", "out/instructions.csv", "out/banks.csv"}) {
    const std::vector<std::string> lines = linesOf(file(table));
    BOOST_TEST(std::count(lines.begin(), lines.end(), lines.at(0)) == 1, table);
  }
  const Outcome replayed = runProgram("run gtx480 t.csv --quiet --out replayed", path);
  BOOST_TEST_REQUIRE(replayed.code == 0, replayed.text);
  BOOST_TEST(runProgram("exec --quiet --out whole -- sh -c './app good; ./app good'", path).code ==
             0);
  if (std::filesystem::exists(FERMATA_BINARY_DIR "/share/fermata/report/vega.min.js")) {
    const Outcome report = runProgram("report whole", path);
    BOOST_TEST(report.code == 0, report.text);
  }
  const Outcome other = runProgram(
      "exec --quiet --out other -- sh -c './app good; FERMATA_TIMING=1 ./app good'", path);
  BOOST_TEST(other.code == 2);
  BOOST_TEST(has(other.text, "two programs of this run write other columns"), other.text);
  BOOST_TEST(!std::filesystem::exists(path / "other"));
}

// Exit handlers and static objects that are older or younger than the first CUDA call.
BOOST_DATA_TEST_CASE(a_program_launches_while_it_ends,
                     bdata::make({"before", "middle", "after", "object", "first"}), face) {
  const std::string name = face;
  for (const char* how : {"", "--functional"}) {
    const Outcome run = exec(std::string("--out out ") + how, name);
    BOOST_TEST(run.code == 0, run.text);
    BOOST_TEST(has(run.text, "late cudaSuccess\n"), run.text);
    BOOST_TEST(!has(run.text, "error"), run.text);
    if (name == "object") BOOST_TEST(has(run.text, "sum 2\nfree cudaSuccess\n"), run.text);
    BOOST_TEST(launches("out").size() == (name == "first" ? 1U : 2U));
  }
}

// A process forked from one that uses the device cannot use it: a rule of CUDA.
BOOST_AUTO_TEST_CASE(a_forked_process_is_refused) {
  const Outcome run = exec("--functional --out out", "fork");
  BOOST_TEST(run.code == 0, run.text);
  const std::string refused = "child cudaErrorInitializationError\n";
  BOOST_TEST(has(run.text, refused + refused + "ended 3\n"), run.text);
  BOOST_TEST(!has(run.text, "ended -1"), run.text);
  BOOST_TEST(has(run.text, "end of fork"), run.text);
  const std::vector<std::string> all = launches("out");
  for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST(all[i] == std::to_string(i));
  const Outcome early = exec("--functional", "early");
  BOOST_TEST(has(early.text, "early cudaSuccess\n"), early.text);
  BOOST_TEST(has(early.text, "ended 3\nend of early\n"), early.text);
}

// A limit on the size of files stands for a full disk; the program sees no CUDA error.
BOOST_AUTO_TEST_CASE(a_full_disk_ends_the_run) {
  const std::string kept = "cannot be kept in ", large = ": File too large\n";
  const Outcome run =
      shell("ulimit -f 100 && '" FERMATA_PROGRAM "' exec --functional --quiet --out out -- ",
            "./app many");
  BOOST_TEST(run.code == 1, run.text);
  BOOST_TEST(has(run.text, "fermata: error: a launch: the results of the launches " + kept),
             run.text);
  BOOST_TEST(has(run.text, large), run.text);
  BOOST_TEST(!has(run.text, "cudaError"), run.text);
  BOOST_TEST(!has(run.text, "end of many"), run.text);
  const std::vector<std::string> all = launches("out");  // finished launches are whole
  BOOST_TEST((!all.empty() && all.size() < 401U));
  // The exit code is the run's even if a shell in between drops the program's.
  const Outcome dropped =
      shell("ulimit -f 100 && '" FERMATA_PROGRAM "' exec --functional --quiet --out out -- ",
            "sh -c './app many; true'");
  BOOST_TEST(dropped.code == 1, dropped.text);
}

BOOST_DATA_TEST_CASE(a_full_disk_leaves_no_half_file,
                     bdata::make({"FERMATA_FUNCTIONAL=1 FERMATA_OUT=out",
                                  "FERMATA_FUNCTIONAL=1 FERMATA_RECORD=t.csv",
                                  "'" FERMATA_PROGRAM
                                  "' exec --functional --quiet --record t.csv --"}),
                     start) {
  const Outcome run = shell(std::string("ulimit -f 20 && ") + start, "./app many");
  BOOST_TEST(run.code == 1, run.text);
  BOOST_TEST(has(run.text, "fermata: error: "), run.text);
  BOOST_TEST(has(run.text, "cannot write "), run.text);
  BOOST_TEST(has(run.text, ": File too large\n"), run.text);
  BOOST_TEST(!has(run.text, "cudaError"), run.text);
  BOOST_TEST(others() == 0U);
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_be_written_ends_the_run) {
  const Outcome run = exec("--functional --record nowhere/t.csv", "many");
  BOOST_TEST(run.code == 2, run.text);
  BOOST_TEST(has(run.text, "cannot write "), run.text);
  BOOST_TEST(!has(run.text, "end of many"), run.text);
}

BOOST_AUTO_TEST_SUITE_END()
