// Kernels of several streams run at the same time on a timed chip, with the results of one after
// another, and whatever threads run it.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

constexpr const char* kEightLaunches = R"(
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void iterate(float* data, int rounds) {
  float x = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (int r = 0; r < rounds; ++r) x = x * 0.5f + 1;
  data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// arguments: streams, blocks; a third one: priorities rise with the streams
int main(int argc, char** argv) {
  const int streams = atoi(argv[1]), blocks = atoi(argv[2]);
  float* data[8];
  cudaStream_t stream[8];
  for (int s = 0; s < 8; ++s) {
    if (cudaMalloc(&data[s], blocks * 1024)) return 1;
    if (s < streams) cudaStreamCreateWithPriority(&stream[s], 0, argc > 3 ? -s : 0);
  }
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int s = 0; s < 8; ++s)
    iterate<<<blocks, 256, 0, streams == 0 ? 0 : stream[s % streams]>>>(data[s], 300);
  cudaEventRecord(stop);
  if (cudaDeviceSynchronize()) return 2;
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  printf("%.9g\n", ms);
}
)";

using CycleList = std::vector<unsigned long>;

/// Times of a run of the program's eight launches.
struct StreamsRun {
  double milliseconds = 0;  ///< between two events around all
  CycleList begins, ends;
  std::string tables;

  unsigned long last() const { return *std::max_element(ends.begin(), ends.end()); }
};

struct StreamsApp {
  Folder folder;
  StreamsApp() {
    folder.write("app.cu", kEightLaunches);
    runProgram("cc app.cu -o app", folder.path).ok();
  }
  StreamsRun run(const std::string& options, const std::string& arguments) const {
    const Outcome outcome =
        runProgram("exec --quiet --out out " + options + " -- ./app " + arguments, folder.path);
    outcome.ok();
    StreamsRun run;
    run.milliseconds = std::stod(outcome.text);
    const std::string runs = readFile(folder.path / "out" / "runs.csv");
    run.tables = runs + readFile(folder.path / "out" / "instructions.csv");
    const auto begins = column(runs, "begin"), cycles = column(runs, "cycles");
    BOOST_REQUIRE(begins.size() == 8);
    for (std::size_t i = 0; i < begins.size(); ++i) {
      run.begins.push_back(std::stoul(begins[i]));
      run.ends.push_back(run.begins.back() + std::stoul(cycles[i]));
    }
    return run;
  }
};

const char* const kStreamChips[] = {"--platform v100 --set chip.sms=16",
                                    "--platform h100 --set chip.sms=16",
                                    "--platform a100 --set chip.sms=16", "--platform rtx3070"};

}  // namespace

BOOST_AUTO_TEST_SUITE(side_by_side)

// Eight kernels of two blocks take little more than one, and two streams half of one.
BOOST_DATA_TEST_CASE(small_kernels_take_the_time_of_the_longest, bdata::make(kStreamChips), chip) {
  const StreamsApp app;
  const StreamsRun legacy = app.run(chip, "0 2"), one = app.run(chip, "1 2"),
                   two = app.run(chip, "2 2"), eight = app.run(chip, "8 2");
  BOOST_TEST(one.tables == legacy.tables);  // one stream: as without
  BOOST_TEST(one.milliseconds == legacy.milliseconds);
  BOOST_TEST(two.last() < one.last() * 6 / 10);
  BOOST_TEST(eight.last() < one.last() * 2 / 10);
  BOOST_TEST(eight.milliseconds < one.milliseconds * 0.2);
  for (const unsigned long begin : eight.begins) BOOST_TEST(begin == 0U);
}

// Kernels that fill the chip take as long in several streams.
BOOST_AUTO_TEST_CASE(kernels_that_fill_the_chip_take_the_sum) {
  const StreamsApp app;
  const std::string chip = "--platform v100 --set chip.sms=4";
  const StreamsRun one = app.run(chip, "1 256"), eight = app.run(chip, "8 256");
  BOOST_TEST(eight.last() < one.last() * 11 / 10);
  BOOST_TEST(eight.last() > one.last() * 8 / 10);
  BOOST_TEST(std::is_sorted(eight.begins.begin(), eight.begins.end()));
}

BOOST_AUTO_TEST_CASE(higher_priorities_go_first) {
  const StreamsApp app;
  const StreamsRun run = app.run("--platform v100 --set chip.sms=4", "8 64 yes");
  // Priorities go from 0 to -5: streams 5 to 7 have the same.
  for (unsigned stream = 1; stream <= 5; ++stream)
    BOOST_TEST(run.begins[stream] <= run.begins[stream - 1]);
  BOOST_TEST(run.ends[5] < run.ends[0]);
}

BOOST_AUTO_TEST_CASE(threads_change_nothing) {
  const StreamsApp app;
  const std::string chip = "--platform v100 --set chip.sms=6";
  const StreamsRun one = app.run(chip + " --jobs 1", "4 20");
  for (const char* jobs : {" --jobs 2", " --jobs 3"})
    BOOST_TEST(app.run(chip + jobs, "4 20").tables == one.tables, jobs);
}

// The program that checks itself, with time.
BOOST_AUTO_TEST_CASE(results_are_those_of_one_after_another) {
  const Folder folder;
  const std::string source = FERMATA_SOURCE_DIR "/tests/programs/cuda/side_by_side.cu";
  runProgram("cc '" + source + "' -o app", folder.path).ok();
  for (const char* chip : {"v100 --set chip.sms=6", "h100 --set chip.sms=4", "sm_86", "gtx480",
                           "gtx480-locked", "gtx480-caches", "sm_80 --set verify=true"})
    runProgram("exec --quiet --platform " + std::string(chip) + " -- ./app", folder.path)
        .ok("PASS");
}

// A chain of kernels whose prologues overlap what stands before them.
BOOST_AUTO_TEST_CASE(programmatic_launches_begin_early) {
  const Folder folder;
  const std::string source = FERMATA_SOURCE_DIR "/tests/programs/cuda/programmatic_sm_90.cu";
  runProgram("cc -arch=sm_90 '" + source + "' -o app", folder.path).ok();
  for (const char* chip : {"h100 --set chip.sms=16", "h100 --set chip.sms=16 --set chip.epoch=0"})
    runProgram("exec --quiet --platform " + std::string(chip) + " -- ./app time", folder.path)
        .ok("PASS");
}

// A fault is told by the call that lets the kernel run.
BOOST_AUTO_TEST_CASE(a_fault_comes_with_the_call_that_waits) {
  const Folder folder;
  folder.write("app.cu", R"(
#include <cstdio>
__global__ void store(int* data) { data[threadIdx.x] = 1; }
int main() {
  int* data;
  cudaMalloc(&data, 128);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  store<<<1, 32, 0, a>>>(data);
  store<<<1, 32, 0, b>>>(data + (1 << 28));
  printf("%d ", cudaGetLastError());
  printf("%d ", cudaStreamSynchronize(a));
  printf("%d\n", cudaStreamSynchronize(b));
}
)");
  runProgram("cc app.cu -o app", folder.path).ok();
  runProgram("exec --quiet --platform sm_80 -- ./app 2> said", folder.path).ok("0 700 700");
  const std::string said = readFile(folder.path / "said");
  BOOST_TEST(has(said, "cudaStreamSynchronize: "), said);
  BOOST_TEST(has(said, "out of bounds"), said);
}

namespace {

/// A launch file of four launches of a kernel, whose last one follows the first in its stream.
struct LaunchFile {
  Folder folder;
  LaunchFile() {
    folder.write("iterate.cu", R"(
extern "C" __global__ void iterate(float* data, int rounds) {
  float x = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (int r = 0; r < rounds; ++r) x = x * 0.5f + 1;
  data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
)");
    write("order", {"", "", "", ""});
    write("streams", {"stream = 1", "stream = 2", "stream = 3", "stream = 1"});
    write("urgent", {"stream = 1", "stream = 2", "stream = 3\npriority = -1", "stream = 1"});
  }
  void write(const std::string& name, const std::vector<std::string>& keys) const {
    std::string text = "description = \"four launches\"\nkernel = \"iterate.cu\"\n\n[buffers]\n";
    for (int i = 0; i < 3; ++i)
      text += "b" + std::to_string(i) +
              " = { type = \"f32\", count = 1024, fill = { iota = { from = 0, step = 1 } } }\n";
    for (int i = 0; i < 4; ++i)
      text +=
          "\n[[launch]]\nentry = \"iterate\"\ngrid = [4]\nblock = [256]\narguments = [{ buffer = "
          "\"b" +
          std::to_string(i % 3) + "\" }, { s32 = 200 }]\n" + keys[i] + "\n";
    for (int i = 0; i < 3; ++i)
      text += "\n[[dump]]\nbuffer = \"b" + std::to_string(i) + "\"\nfile = \"b" +
              std::to_string(i) + ".bin\"\n";
    folder.write(name + ".toml", text);
  }
  /// Runs the file and returns the cycles and, for later, all bytes that it has written.
  unsigned long run(const std::string& name, const std::string& options, std::string& bytes) const {
    runProgram("run " + name + ".toml --quiet --out " + name + " " + options, folder.path).ok();
    bytes = readFile(folder.path / name / "runs.csv") +
            readFile(folder.path / name / "instructions.csv");
    for (const char* file : {"b0.bin", "b1.bin", "b2.bin"}) {
      dumps.resize(3);
      dumps[file[1] - '0'] = readFile(folder.path / name / file);
    }
    return std::stoul(column(readFile(folder.path / name / "runs.csv"), "cycles").at(0));
  }
  mutable std::vector<std::string> dumps;
};

}  // namespace

BOOST_AUTO_TEST_CASE(streams_of_a_launch_file) {
  const LaunchFile file;
  std::string bytes, again;
  for (const char* chip : {"--platform v100 --set chip.sms=16",
                           "--platform v100 --set chip.sms=16 "
                           "--set chip.epoch=0",
                           "--platform gtx480 --set chip.sms=16"}) {
    const unsigned long order = file.run("order", chip, bytes);
    const auto expected = file.dumps;
    const unsigned long streams = file.run("streams", chip, bytes);
    BOOST_TEST((file.dumps == expected), chip);
    BOOST_TEST(streams < order * 6 / 10, chip << ": " << streams << " of " << order);
    BOOST_TEST(streams > order * 4 / 10, chip << ": " << streams << " of " << order);
    file.run("urgent", chip, again);
    BOOST_TEST((file.dumps == expected), chip);
    BOOST_TEST(file.run("streams", std::string(chip) + " --jobs 3", again) == streams);
    BOOST_TEST(again == bytes, chip);
  }
}

// Runs that need one launch at a time get it.
BOOST_AUTO_TEST_CASE(verified_launches_run_in_order) {
  const LaunchFile file;
  std::string order, streams;
  const std::string chip = "--platform v100 --set chip.sms=4 --set verify=true";
  BOOST_TEST(file.run("order", chip, order) == file.run("streams", chip, streams));
  BOOST_TEST(file.run("streams", "--platform gtx480-locked", streams) ==
             file.run("order", "--platform gtx480-locked", order));
}

BOOST_AUTO_TEST_SUITE_END()
