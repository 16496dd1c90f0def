// Speed of the traces: rows read, replayed and recorded a second. No timing model behind them.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <fermata/stimuli/patterns/patterns.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/trace_reader.h>
#include <fermata/stimuli/traces/trace_recorder.h>
#include <fermata/stimuli/traces/trace_workload.h>

namespace {

using namespace fermata;

/// Runs every warp in turn; the instructions executed.
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

/// Two arithmetic instructions an access, as a kernel's loop; 2.4 million warp instructions.
std::unique_ptr<Workload> pattern(bool random) {
  return patterns::openPattern(
      random ? "pattern-random" : "pattern-stride",
      {{"ctas", "64"}, {"threads", "256"}, {"repeat", "1500"}, {"compute", "2"}});
}

/// A trace of the pattern, recorded once a process.
std::string traceOf(bool random, const std::string& suffix) {
  struct Remover {
    std::map<std::string, std::string> files;
    ~Remover() {
      for (const auto& [key, path] : files) std::filesystem::remove(path);
    }
  };
  static Remover remover;
  std::string& path = remover.files[(random ? "random" : "stride") + suffix];
  if (path.empty()) {
    path = (std::filesystem::temp_directory_path() / ("bench_trace_" + std::to_string(::getpid()) +
                                                      (random ? "_random" : "_stride") + suffix))
               .string();
    const auto workload = pattern(random);
    traces::TraceRecorder recorder(*workload, path);
    run(recorder);
    recorder.finish();
  }
  return path;
}

void name(benchmark::State& state, std::uint64_t instructions, const std::string& path) {
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
  if (path.empty() || instructions == 0) return;
  state.counters["bytes_per_row"] =
      static_cast<double>(std::filesystem::file_size(path) * state.iterations()) /
      static_cast<double>(instructions);
}

void csvRowsAlone(benchmark::State& state, bool random, const std::string& suffix) {
  const std::string path = traceOf(random, suffix);
  std::uint64_t rows = 0;
  for (auto _ : state) {
    traces::CsvRows csv(traces::openInput(path), path);
    while (csv.next()) ++rows;
  }
  name(state, rows, path);
}

void readerAlone(benchmark::State& state, bool random, const std::string& suffix) {
  const std::string path = traceOf(random, suffix);
  std::uint64_t rows = 0;
  for (auto _ : state) {
    traces::TraceReader reader(traces::openInput(path), path);
    while (reader.next() != traces::TraceReader::Event::End) ++rows;
  }
  name(state, rows, path);
}

void replay(benchmark::State& state, bool random, const std::string& suffix) {
  const std::string path = traceOf(random, suffix);
  std::uint64_t executed = 0;
  for (auto _ : state) executed += run(*traces::openTrace(path));
  name(state, executed, path);
}

void recordAgain(benchmark::State& state, bool random, const std::string& suffix) {
  const std::string path = traceOf(random, suffix);
  std::uint64_t executed = 0;
  for (auto _ : state) {
    const auto workload = pattern(random);
    traces::TraceRecorder recorder(*workload, path);
    executed += run(recorder);
    recorder.finish();
  }
  name(state, executed, path);
}

void patternAlone(benchmark::State& state, bool random) {
  std::uint64_t executed = 0;
  for (auto _ : state) executed += run(*pattern(random));
  name(state, executed, "");
}

BENCHMARK_CAPTURE(csvRowsAlone, stride, false, ".csv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readerAlone, stride, false, ".csv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, stride, false, ".csv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, stride_zstd, false, ".csv.zst")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, random, true, ".csv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay, random_zstd, true, ".csv.zst")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recordAgain, stride, false, ".csv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recordAgain, stride_zstd, false, ".csv.zst")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(patternAlone, stride, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(patternAlone, random, true)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
