// Speed of the traces: rows read, replayed and recorded per second, without a timing model.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include <fermata/stimuli/patterns/patterns.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/trace_reader.h>
#include <fermata/stimuli/traces/trace_recorder.h>
#include <fermata/stimuli/traces/trace_workload.h>

namespace {

using namespace fermata;

/// Runs every warp in turn; returns the instructions executed.
std::uint64_t run(Workload& workload) {
  constexpr unsigned kSlots = 48;
  workload.setWarpSlots(kSlots);
  std::uint64_t executed = 0;
  WarpInstruction out;
  while (const Grid* grid = workload.nextGrid()) {
    const unsigned warps = grid->warpsPerCta();
    const unsigned places = kSlots / warps;
    std::uint64_t next = 0;
    while (next < grid->ctas) {
      const auto wave = static_cast<unsigned>(std::min<std::uint64_t>(places, grid->ctas - next));
      for (unsigned place = 0; place < wave; ++place) workload.startCta(next++, place * warps);
      bool any = true;
      while (any) {
        any = false;
        for (unsigned slot = 0; slot < wave * warps; ++slot) {
          if (workload.peek(slot) == nullptr) continue;
          workload.execute(slot, out);
          benchmark::DoNotOptimize(out.address[7]);
          ++executed;
          any = true;
        }
      }
      for (unsigned place = 0; place < wave; ++place) workload.endCta(place * warps);
    }
  }
  return executed;
}

/// A workload and the suffix of its trace.
struct Case {
  const char* name;
  const char* pattern;
  const char* compute;  ///< arithmetic instructions per access
  const char* suffix;
};
// 2.4 million warp instructions per case. "scattered" lists the address of every lane.
constexpr Case kStride{"stride", "pattern-stride", "2", ".csv"};
constexpr Case kStrideZstd{"stride", "pattern-stride", "2", ".csv.zst"};
constexpr Case kRandom{"random", "pattern-random", "2", ".csv"};
constexpr Case kRandomZstd{"random", "pattern-random", "2", ".csv.zst"};
constexpr Case kScattered{"scattered", "pattern-random", "0", ".csv"};
constexpr Case kScatteredZstd{"scattered", "pattern-random", "0", ".csv.zst"};
constexpr Case kConflict{"conflict", "pattern-conflict", "0", ".csv"};

std::unique_ptr<Workload> workloadOf(const Case& one) {
  const std::string repeat = one.compute[0] == '0' ? "4500" : "1500";
  return patterns::openPattern(
      one.pattern,
      {{"ctas", "64"}, {"threads", "256"}, {"repeat", repeat}, {"compute", one.compute}});
}

/// Returns the path of a trace of the pattern, recorded once per process.
std::string traceOf(const Case& one) {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("bench_trace_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  const std::string path = (folder.path / (std::string(one.name) + one.suffix)).string();
  if (std::filesystem::exists(path)) return path;
  const auto workload = workloadOf(one);
  traces::TraceRecorder recorder(*workload, path);
  run(recorder);
  recorder.finish();
  return path;
}

void count(benchmark::State& state, std::uint64_t instructions, const std::string& path) {
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
  if (path.empty() || instructions == 0) return;
  state.counters["bytes_per_row"] =
      static_cast<double>(std::filesystem::file_size(path) * state.iterations()) /
      static_cast<double>(instructions);
}

void csvRowsAlone(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  std::uint64_t rows = 0;
  for (auto _ : state) {
    traces::CsvRows csv(traces::openInput(path), path);
    while (csv.next()) ++rows;
  }
  count(state, rows, path);
}

void readerAlone(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  std::uint64_t rows = 0;
  for (auto _ : state) {
    traces::TraceReader reader(traces::openInput(path), path);
    while (reader.next() != traces::TraceReader::Event::End) ++rows;
  }
  count(state, rows, path);
}

void replayText(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  traces::TraceOptions text;
  text.compileFrom = traces::TraceOptions::kNever;
  std::uint64_t executed = 0;
  for (auto _ : state) executed += run(*traces::openTrace(path, text));
  count(state, executed, path);
}

/// Times a first replay: it reads the text and writes the compiled form.
void compile(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  std::uint64_t executed = 0;
  for (auto _ : state) {
    std::filesystem::remove(path + ".compiled");
    executed += run(*traces::openTrace(path));
  }
  count(state, executed, path);
}

/// Times a later replay: it checks the text and reads the compiled form.
void replayCompiled(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  run(*traces::openTrace(path));
  std::uint64_t executed = 0;
  for (auto _ : state) executed += run(*traces::openTrace(path));
  count(state, executed, path + ".compiled");
}

void recordAgain(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  std::uint64_t executed = 0;
  for (auto _ : state) {
    const auto workload = workloadOf(one);
    traces::TraceRecorder recorder(*workload, path);
    executed += run(recorder);
    recorder.finish();
  }
  count(state, executed, path);
}

void patternAlone(benchmark::State& state, const Case& one) {
  std::uint64_t executed = 0;
  for (auto _ : state) executed += run(*workloadOf(one));
  count(state, executed, "");
}

BENCHMARK_CAPTURE(csvRowsAlone, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readerAlone, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readerAlone, scattered, kScattered)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayText, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayText, stride_zstd, kStrideZstd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayText, random, kRandom)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayText, random_zstd, kRandomZstd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayText, scattered, kScattered)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayText, conflict, kConflict)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, scattered, kScattered)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayCompiled, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayCompiled, random, kRandom)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayCompiled, random_zstd, kRandomZstd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayCompiled, scattered, kScattered)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayCompiled, scattered_zstd, kScatteredZstd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replayCompiled, conflict, kConflict)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recordAgain, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recordAgain, stride_zstd, kStrideZstd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(patternAlone, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(patternAlone, random, kRandom)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
