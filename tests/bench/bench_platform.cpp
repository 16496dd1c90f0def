// Speed of the whole platform: warp instructions per second of one core, with one SM. The platforms
// are a GTX 480 with a scratchpad alone, and platforms with caches and a DRAM.
//
// SystemC elaborates once per process: one simulation of each platform exists from the start and
// runs every workload. Times are CPU time of the simulating thread.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>

#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/stimuli/traces/trace_recorder.h>

namespace {

using fermata::platforms::Configuration;
using fermata::platforms::openPlatform;
using fermata::platforms::openWorkload;
using fermata::platforms::OpenWorkload;
using fermata::platforms::Simulation;
using fermata::platforms::WorkloadParameters;

Simulation& simulation(const std::string& platform = "gtx480") {
  static std::map<std::string, std::unique_ptr<Simulation>> all;
  std::unique_ptr<Simulation>& own = all[platform];
  if (own == nullptr) own = std::make_unique<Simulation>(openPlatform(platform));
  return *own;
}

/// Times whole simulations of the workload that `make` opens.
void measure(benchmark::State& state, const std::function<OpenWorkload()>& make,
             const std::string& platform = "gtx480") {
  std::uint64_t instructions = 0;
  double seconds = 0;
  for (auto iteration : state) {
    OpenWorkload open = make();
    const auto outcome = simulation(platform).run(*open.workload);
    instructions += outcome.totals.warpInstructions;
    seconds += outcome.wallSeconds;
    state.SetIterationTime(outcome.wallSeconds);
  }
  state.counters["warp_instructions_per_second"] = static_cast<double>(instructions) / seconds;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void addKernel(const char* label, const char* name, const WorkloadParameters& parameters,
               const char* platform = "gtx480") {
  simulation(platform);
  benchmark::RegisterBenchmark(label,
                               [=](benchmark::State& state) {
                                 measure(
                                     state, [&] { return openWorkload(name, parameters); },
                                     platform);
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void addReplay(const char* label, const char* name, const WorkloadParameters& parameters) {
  benchmark::RegisterBenchmark(label,
                               [=](benchmark::State& state) {
                                 const std::string path =
                                     (std::filesystem::temp_directory_path() /
                                      (std::string("fermata_bench_") + name + ".csv"))
                                         .string();
                                 {
                                   OpenWorkload open = openWorkload(name, parameters);
                                   fermata::traces::TraceRecorder recorder(*open.workload, path);
                                   simulation().run(recorder);
                                   recorder.finish();
                                 }
                                 // The first replay compiles the trace; the measured ones
                                 // read what it left.
                                 simulation().run(*openWorkload(path, {}).workload);
                                 measure(state, [&] { return openWorkload(path, {}); });
                                 std::filesystem::remove(path);
                                 std::filesystem::remove(path + ".compiled");
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// Measures the whole program, from exec to exit, on a kernel of a few instructions.
void startUp(benchmark::State& state) {
  const char* const command =
      FERMATA_PROGRAM " run gtx480 stride --param iterations=0 --param blocks=1 --quiet";
  for (auto iteration : state) {
    if (std::system(command) != 0) state.SkipWithError("the program failed");
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  addKernel("ptx/stride_1", "stride", {{"stride", "1"}, {"iterations", "128"}});
  addKernel("ptx/stride_32", "stride", {{"stride", "32"}, {"iterations", "128"}});
  addKernel("ptx/matmul", "matmul", {});
  addKernel("ptx/transpose_unpadded", "transpose", {{"tile", "32"}, {"n", "512"}});
  addKernel("ptx/transpose_padded", "transpose", {{"tile", "32"}, {"n", "512"}, {"pad", "1"}});
  addKernel("ptx/reduction_1", "reduction", {{"variant", "1"}});
  addKernel("ptx/reduction_6", "reduction", {{"variant", "6"}});
  addKernel("ptx/hist256", "hist256", {{"variant", "1"}, {"blocks", "24"}});
  addKernel("pattern/random", "pattern-random", {{"repeat", "8000"}});
  addKernel("pattern/conflict", "pattern-conflict", {{"repeat", "8000"}});
  addReplay("trace/stride_1", "stride", {{"stride", "1"}, {"iterations", "128"}});
  addReplay("trace/matmul", "matmul", {});
  addReplay("trace/transpose_unpadded", "transpose", {{"tile", "32"}, {"n", "512"}});
  // Scattered addresses: rows that list the address of every lane.
  addReplay("trace/pattern_random", "pattern-random", {{"repeat", "8000"}});
  addReplay("trace/pattern_conflict", "pattern-conflict", {{"repeat", "8000"}});
  addKernel("fermi-ami/matmul", "matmul", {}, "fermi-ami");
  addKernel("fermi-ami/nw", "nw", {}, "fermi-ami");
  addKernel("gtx480-caches/matmul", "matmul", {}, "gtx480-caches");
  benchmark::RegisterBenchmark("start_up", startUp)->Unit(benchmark::kMillisecond)->UseRealTime();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
