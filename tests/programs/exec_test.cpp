// fermata exec on one program with many modes: tables, exit codes, traces, and results after a
// failed kernel.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

using namespace fermata::test;

constexpr const char* kSource = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void scale(int* data, int by) {
  __shared__ int tile[33 * 32];
  tile[threadIdx.x * 32] = data[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x * 32] * by;
}
template <class T> __global__ void add(T* data, T what, int beyond) {
  data[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.y * 32 + threadIdx.x + beyond] += what;
}
__global__ void spin(int* data, int rounds) {
  int x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = x * 1664525 + data[i & 31];
  if (blockIdx.x == 4095 && threadIdx.x == 0) printf("last block\n");
  data[threadIdx.x] = x;
}
__global__ void unsupported() { asm volatile("tcgen05.wait::all.sync.aligned;"); }
#include <signal.h>
#include <unistd.h>
static void say(const char* what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }
int main(int, char** argv) {
  const bool wrong = !strcmp(argv[1], "wrong"), abortion = !strcmp(argv[1], "abort"), many = !strcmp(argv[1], "module");
  int* data = nullptr;
  int host[384];
  for (int i = 0; i < 384; ++i) host[i] = i;
  say("malloc", cudaMalloc(&data, sizeof host));
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  if (!strcmp(argv[1], "long")) {
    spin<<<4096, 32>>>(data, atoi(argv[2]));
    say("spin", cudaDeviceSynchronize());
    return 0;
  }
  if (many) {
    unsupported<<<1, 1>>>();
    say("unsupported", cudaGetLastError());
  }
  scale<<<12, 32>>>(data, 3);
  say("scale", cudaDeviceSynchronize());
  if (abortion) { fflush(stdout); abort(); }
  if (!strcmp(argv[1], "ended")) { fflush(stdout); kill(getppid(), SIGTERM); pause(); }
  add<<<dim3(2, 3), dim3(32, 2)>>>(data, 7, wrong ? 1000 : 0);
  say("add", cudaDeviceSynchronize());
  if (wrong) {
    say("again", cudaDeviceSynchronize());
    add<<<1, 32>>>(data, 7, 0);
    say("launch", cudaGetLastError());
    return 5;
  }
  scale<<<12, 32>>>(data, 2);
  say("copy", cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 384; ++i) if (host[i] != (3 * i + 7) * 2) return 1;
  puts("PASS");
  return 0;
}
)";

using Words = std::vector<std::string>;

void expectWords(const Words& got, const Words& expected) {
  BOOST_TEST(got == expected, tt::per_element());
}

/// A folder with the compiled program.
struct App {
  Folder folder;
  App() {
    folder.write("app.cu", kSource);
    const Outcome made = runProgram("cc -O1 app.cu -o app", folder.path);
    BOOST_TEST_REQUIRE(made.code == 0, made.text);
  }
  Outcome exec(const std::string& options, const std::string& face = "good") const {
    return runProgram("exec " + options + " -- ./app " + face, folder.path);
  }
  std::string file(const std::string& name) const { return readFile(folder.path / name); }
  bool there(const std::string& name) const { return std::filesystem::exists(folder.path / name); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(exec)

BOOST_AUTO_TEST_CASE(every_launch_is_a_row) {
  const App app;
  const Outcome run = app.exec("--out a --power fermi-40nm --quiet");
  BOOST_TEST_REQUIRE(run.code == 0, run.text);
  BOOST_TEST(has(run.text, "PASS"), run.text);
  const std::string runs = app.file("a/runs.csv");
  expectWords(column(runs, "launch"), Words{"0", "1", "2"});
  expectWords(column(runs, "kernel"), Words{"scale", "add<int>", "scale"});
  expectWords(column(runs, "grid"), Words{"12x1x1", "2x3x1", "12x1x1"});
  expectWords(column(runs, "block"), Words{"32x1x1", "32x2x1", "32x1x1"});
  // Lanes are 32 words apart: each of the two accesses of each CTA has 31 conflict cycles.
  expectWords(column(runs, "wavefronts_excessive"), Words{"744", "0", "744"});
  for (const char* name : {"instructions.csv", "banks.csv", "schema.csv", "energy.csv", "power.csv",
                           "accesses.csv", "bound.csv"})
    BOOST_TEST(app.there(std::string("a/") + name), name);

  const Outcome again = app.exec("--out b --power fermi-40nm");
  BOOST_TEST(has(again.text, "scale"), again.text);  // the table of kernels
  BOOST_TEST(has(again.text, "\nscale: bound by "), again.text);
  BOOST_TEST(has(again.text, "); without conflicts ("), again.text);
  BOOST_TEST(
      column(app.file("b/bound.csv"), "parameters") == (Words{"launch=0", "launch=1", "launch=2"}),
      tt::per_element());
  for (const char* name : {"runs.csv", "instructions.csv", "banks.csv", "energy.csv", "power.csv"})
    BOOST_TEST(app.file(std::string("a/") + name) == app.file(std::string("b/") + name), name);
}

// The rows stand alone on standard output; what the program prints goes to standard error.
BOOST_AUTO_TEST_CASE(rows_of_the_launches_on_standard_output) {
  const App app;
  BOOST_TEST_REQUIRE(app.exec("--out out --quiet").code == 0);
  const auto printed = [&](const std::string& options, const std::string& face) {
    runProgram("exec " + options + " -- ./app " + face + " > rows 2> said", app.folder.path);
    return app.file("rows");
  };
  BOOST_TEST(printed("--csv", "good") == app.file("out/runs.csv"));
  BOOST_TEST(has(app.file("said"), "PASS"), app.file("said"));
  BOOST_TEST(has(app.file("said"), "\nscale: bound by "), app.file("said"));
  const nlohmann::json rows = nlohmann::json::parse(printed("--json --out both", "good"));
  BOOST_TEST_REQUIRE(rows.size() == 3U);
  BOOST_TEST(rows[1]["kernel"] == "add<int>");
  BOOST_TEST(rows[2]["wavefronts_excessive"] == 744);
  BOOST_TEST(app.file("both/runs.csv") == app.file("out/runs.csv"));
  // Rows of the launches before the one that failed.
  expectWords(column(printed("--csv", "wrong"), "launch"), Words{"0"});
  const Outcome nothing = runProgram("exec --json -- /bin/echo words 2> said", app.folder.path);
  BOOST_TEST(nothing.text == "[]\n");
  BOOST_TEST(has(app.file("said"), "words\n"), app.file("said"));
  BOOST_TEST(has(app.file("said"), "; no rows are printed; "), app.file("said"));
  BOOST_TEST(!app.there("runs.csv"));
  runProgram("exec --csv --json -- ./app good", app.folder.path).refused("--csv");
}

// A terminal shows how far a launch is; what a kernel prints has a line of its own. A pipe gets the
// program's lines only.
BOOST_AUTO_TEST_CASE(a_terminal_shows_the_progress_of_a_launch) {
  const App app;
  const std::string run = "exec --quiet -- ./app long 300";
  app.folder.write("run.sh", "'" FERMATA_PROGRAM "' " + run + "\n");
  const std::string shown = runShell("cd '" + app.folder.path.string() +
                                     "' && script -qec 'sh run.sh' /dev/null < /dev/null")
                                .text;
  BOOST_TEST(has(shown, "\rlaunch 0, spin: "), shown);
  BOOST_TEST(has(shown, " cycles, CTAs: "), shown);
  BOOST_TEST(has(shown, " of 4,096 ("), shown);
  BOOST_TEST(has(shown, " \rlast block\r\n"), shown);
  BOOST_TEST(app.exec("--quiet", "long 300").text ==
             "malloc: cudaSuccess\nlast block\nspin: cudaSuccess\n");
}

BOOST_AUTO_TEST_CASE(some_launches_without_time) {
  const App app;
  BOOST_TEST(app.exec("--out whole --quiet").code == 0);
  BOOST_TEST(app.exec("--out one --launches 2 --quiet").code == 0);
  BOOST_TEST(app.exec("--out none --functional --quiet").code == 0);
  const Words whole = column(app.file("whole/runs.csv"), "cycles");
  expectWords(column(app.file("one/runs.csv"), "cycles"), Words{"", "", whole[2]});
  expectWords(column(app.file("none/runs.csv"), "cycles"), Words{"", "", ""});
  for (const char* folder : {"one/runs.csv", "none/runs.csv"}) {
    BOOST_TEST(column(app.file(folder), "warp_instructions") ==
                   column(app.file("whole/runs.csv"), "warp_instructions"),
               tt::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_kernel_that_fails) {
  const App app;
  const Outcome run = app.exec("--out out --record t.csv --quiet", "wrong");
  BOOST_TEST(run.code == 5, run.text);
  for (const char* line : {"scale: cudaSuccess", "add: cudaErrorIllegalAddress",
                           "again: cudaErrorIllegalAddress", "launch: cudaErrorIllegalAddress",
                           "past the end of", "app.cu:", "lane ", "t.csv' is not written"})
    BOOST_TEST(has(run.text, line), line << " in\n" << run.text);
  expectWords(column(app.file("out/runs.csv"), "launch"), Words{"0"});
  BOOST_TEST(!app.there("t.csv"));
}

BOOST_AUTO_TEST_CASE(a_program_that_aborts_keeps_its_rows) {
  const App app;
  const Outcome run = app.exec("--out out --quiet", "abort");
  BOOST_TEST(run.code == 128 + 6, run.text);
  BOOST_TEST(has(run.text, "scale: cudaSuccess"), run.text);
  expectWords(column(app.file("out/runs.csv"), "launch"), Words{"0"});
}

// A signal that ends `exec` ends the program.
BOOST_AUTO_TEST_CASE(a_program_that_is_ended_keeps_its_rows) {
  const App app;
  const Outcome run = app.exec("--out out --quiet", "ended");
  BOOST_TEST(run.code == 128 + 15, run.text);
  BOOST_TEST(has(run.text, "the program was ended by a signal: Terminated"), run.text);
  expectWords(column(app.file("out/runs.csv"), "launch"), Words{"0"});
}

BOOST_AUTO_TEST_CASE(one_kernel_that_is_not_supported) {
  const App app;
  const Outcome run = app.exec("--functional --quiet", "module");
  BOOST_TEST(run.code == 0, run.text);
  BOOST_TEST(has(run.text, "unsupported: cudaErrorInvalidPtx"), run.text);
  BOOST_TEST(has(run.text, "tcgen05.wait::all"), run.text);
  BOOST_TEST(has(run.text, "PASS"), run.text);
}

// A trace of a launch takes as many cycles as the launch. Launches that are not recorded are not in
// it.
BOOST_AUTO_TEST_CASE(traces_timelines_and_searches) {
  const App app;
  const Outcome run = app.exec("--out out --launches 0 --record t.csv --timeline t.vcd --quiet");
  BOOST_TEST_REQUIRE(run.code == 0, run.text);
  BOOST_TEST(app.there("t.vcd"));
  const Outcome replayed = runProgram("run gtx480 t.csv --out replayed", app.folder.path);
  BOOST_TEST_REQUIRE(replayed.code == 0, replayed.text);
  const Words cycles = column(app.file("replayed/runs.csv"), "cycles");
  BOOST_TEST(cycles.size() == 1U);
  BOOST_TEST(cycles[0] == column(app.file("out/runs.csv"), "cycles")[0]);

  const Outcome check =
      runProgram("check --exec --platform gtx480 --quiet -- ./app good", app.folder.path);
  BOOST_TEST(check.code == 1, check.text);
  // Twelve CTAs of a warp, in two launches: each line conflicts in 24 accesses of 32 passes.
  BOOST_TEST(has(check.text, "app.cu:7: warning: bank conflicts of st.shared.u32 in "), check.text);
  BOOST_TEST(has(check.text, "768 wavefronts, 24 ideal, 744 excessive, in 24 accesses [app]"),
             check.text);
  for (const char* command : {"check", "search"})
    runProgram(std::string(command) + " --exec -- ./app good", app.folder.path)
        .refused("expected --platform");

  const Outcome search = runProgram(
      "search --exec --platform gtx480 --class ami --csv -- ./app good", app.folder.path);
  BOOST_TEST(search.code == 0, search.text);
  BOOST_TEST(has(search.text, "ami,"), search.text);
  BOOST_TEST(has(search.text, ",1488,0,"), search.text);  // conflicts before and after
  const Outcome advice = runProgram(
      "search --exec --platform gtx480 --class ami --max-banks 33 -- ./app good", app.folder.path);
  BOOST_TEST(has(advice.text,
                 "fermata exec --platform gtx480 --set 'scratchpad.indexer=ami 33' -- "
                 "./app good\n"),
             advice.text);
}

// Wishes -1, 0, 50 and 100 percent, then those of cudaFuncSetCacheConfig in the order L1, equal,
// shared, none. Of 128 KB an L1 of 160 and of 184 KB keeps all, of 92 some, of 28 KB least.
BOOST_AUTO_TEST_CASE(programs_choose_the_split_of_scratchpad_and_l1) {
  const Folder folder;
  const std::string source = FERMATA_SOURCE_DIR "/tests/programs/cuda/carveout.cu";
  const Outcome made = runProgram("cc -arch=sm_80 '" + source + "' -o app", folder.path);
  BOOST_TEST_REQUIRE(made.code == 0, made.text);
  const Outcome run = runProgram(
      "exec --platform sm_80 --set global.memory=l1 --out out --quiet -- ./app", folder.path);
  BOOST_TEST_REQUIRE(has(run.text, "PASS"), run.text);
  std::vector<unsigned long> hits;
  for (const std::string& one : column(readFile(folder.path / "out/runs.csv"), "l1_hits"))
    hits.push_back(std::stoul(one));
  BOOST_TEST_REQUIRE(hits.size() == 8U);
  BOOST_TEST(hits[0] == 1024U);
  BOOST_TEST((hits[1] == 1024U && hits[4] == 1024U && hits[7] == 1024U));
  BOOST_TEST((hits[2] < hits[1] && hits[3] < hits[2] && hits[3] > 0));
  BOOST_TEST((hits[6] < hits[5] && hits[5] < hits[4]));
  BOOST_TEST((hits[5] > 10 * hits[6] && hits[2] > 10 * hits[3]));  // replacement is random
}

// On a platform with caches each launch begins cold. A replay of several launches is one run, and a
// warning says so before.
BOOST_AUTO_TEST_CASE(traces_of_a_platform_with_caches) {
  const App app;
  const std::string caches = "--platform gtx480-caches --quiet ";
  const std::string warning = "Each began with empty caches";
  const Outcome one = app.exec(caches + "--out one --launches 1 --record one.csv");
  BOOST_TEST_REQUIRE(one.code == 0, one.text);
  BOOST_TEST(!has(one.text, warning), one.text);
  const Outcome replayed =
      runProgram("run gtx480-caches one.csv --out replayed --quiet", app.folder.path);
  BOOST_TEST_REQUIRE(replayed.code == 0, replayed.text);
  BOOST_TEST(column(app.file("replayed/runs.csv"), "cycles")[0] ==
             column(app.file("one/runs.csv"), "cycles")[1]);
  const Outcome two = app.exec(caches + "--launches 0-1 --record two.csv");
  BOOST_TEST(has(two.text, "two.csv' has 2 launches. " + warning), two.text);
}

BOOST_AUTO_TEST_CASE(what_cannot_be) {
  const App app;
  for (const char* options :
       {"--platform nobody", "--set scratchpad.banks=0", "--set nothing=1", "--launches 3-1",
        "--launches x", "--timeline t.vcd", "--launches 0-1 --timeline t.vcd",
        "--launches 0 --timeline t.txt", "--power nobody", "--window 5", "--budget 0",
        "--functional --launches 1", "--record t.txt", "--wave w.fst"}) {
    const Outcome run = app.exec(std::string("--out out ").append(options));
    BOOST_TEST(run.code == 2, options << ": " << run.code << '\n' << run.text);
    BOOST_TEST(!app.there("out"), options);
  }
  BOOST_TEST(app.exec("--out app").code == 2);  // `app` is a file
  BOOST_TEST(runProgram("exec --quiet -- ./nobody", app.folder.path).code == 2);
  BOOST_TEST(runProgram("exec", app.folder.path).code == 2);
  const Outcome other = runProgram("exec --out out -- /bin/true", app.folder.path);
  BOOST_TEST(other.code == 0);
  BOOST_TEST(has(other.text,
                 "'/bin/true' launched nothing on the model; 'out' is not written; expected a "
                 "program made by '" FERMATA_PROGRAM " cc'"),
             other.text);
  runProgram("exec -- /bin/true", app.folder.path).ok("'/bin/true' launched nothing on the model");
}

BOOST_AUTO_TEST_CASE(launches_that_are_none_are_said) {
  const App app;
  const Outcome outcome = app.exec("--launches 500");
  BOOST_TEST(has(outcome.text, " launches was timed: --launches 500 names none of 0 to "),
             outcome.text);
}

BOOST_AUTO_TEST_SUITE_END()
