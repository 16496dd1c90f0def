// Speed of traces of machine code: rows read and replayed per second, without a timing model.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include <fermata/stimuli/traces/sass/sass_workload.h>

namespace {

using namespace fermata;

/// Runs every warp to its end; returns the instructions executed.
std::uint64_t run(Workload& workload) {
  workload.setWarpSlots(8);
  std::uint64_t executed = 0;
  WarpInstruction out;
  while (const Grid* const grid = workload.nextGrid()) {
    for (std::uint64_t cta = 0; cta < grid->ctas; ++cta) {
      workload.startCta(cta, 0);
      for (unsigned warp = 0; warp < grid->warpsPerCta(); ++warp) {
        for (; workload.peek(warp) != nullptr; ++executed) workload.execute(warp, out);
        benchmark::DoNotOptimize(out.address[7]);
      }
      workload.endCta(0);
    }
  }
  return executed;
}

enum class Form { Listed, Differences, Stride };
struct Case {
  const char* name;
  Form form;
  std::uint64_t base, span;  ///< addresses lie in [base, base + span)
};
constexpr std::uint64_t kDevice = 0x7f0000000000;
constexpr Case kFarListed{"far-listed", Form::Listed, kDevice, std::uint64_t{64} << 30};
constexpr Case kFarDifferences{"far-differences", Form::Differences, kDevice,
                               std::uint64_t{64} << 30};
constexpr Case kNearListed{"near-listed", Form::Listed, 0, 65536};
constexpr Case kNearDifferences{"near-differences", Form::Differences, 0, 65536};
constexpr Case kStride{"stride", Form::Stride, kDevice, std::uint64_t{64} << 30};

constexpr unsigned kBlocks = 40, kWarps = 8, kRows = 1000;

std::string rowOf(const Case& one, unsigned number, std::mt19937_64& random) {
  const auto any = [&] { return one.base + random() % (one.span / 4) * 4; };
  const char* const opcode = one.base == 0 ? "LDS" : "LDG.E";
  std::string row = fmt::format("{:04x} ffffffff 1 R1 {} 1 R2 4 ", number % 256 * 16, opcode);
  std::uint64_t last = any();
  if (one.form == Form::Stride) return row + fmt::format("1 {:#x} 4 \n", last);
  row += fmt::format("{} {:#x} ", one.form == Form::Listed ? 0 : 2, last);
  for (unsigned lane = 1; lane < 32; ++lane) {
    const std::uint64_t next = any();
    row += one.form == Form::Listed ? fmt::format("{:#x} ", next)
                                    : fmt::format("{} ", static_cast<std::int64_t>(next - last));
    last = next;
  }
  return row + '\n';
}

/// Returns the path of a trace, written once per process.
std::string traceOf(const Case& one) {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("bench_sass_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  const std::string path = (folder.path / (std::string(one.name) + ".traceg")).string();
  if (std::filesystem::exists(path)) return path;
  std::ofstream file(path);
  std::mt19937_64 random(1);
  file << "-kernel name = k\n-grid dim = (" << kBlocks << ",1,1)\n-block dim = (" << kWarps * 32
       << ",1,1)\n-shmem = 65536\n-nregs = 32\n-binary version = 80\n#\n";
  for (unsigned block = 0; block < kBlocks; ++block) {
    file << "#BEGIN_TB\nthread block = " << block << ",0,0\n";
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      file << "warp = " << warp << "\ninsts = " << kRows << '\n';
      for (unsigned k = 0; k < kRows; ++k) file << rowOf(one, k, random);
    }
    file << "#END_TB\n";
  }
  return path;
}

std::uint64_t replay(const std::string& path, std::uint64_t compileFrom) {
  sass::SassOptions options;
  options.opcodeFile = FERMATA_OPCODES;
  options.compileFrom = compileFrom;
  sass::SassWorkload workload(path, options);
  return run(workload);
}

/// Times the reading of the text alone.
void text(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  const sass::OpcodeTable opcodes(FERMATA_OPCODES);
  sass::SassOptions options;
  options.compileFrom = sass::SassOptions::kNever;
  std::uint64_t rows = 0;
  for (auto _ : state) rows += sass::openKernel(path, opcodes, options).form.tallies.rows;
  state.SetItemsProcessed(static_cast<std::int64_t>(rows));
}

/// Times a replay from the compiled form: both hashes, then every row.
void compiled(benchmark::State& state, const Case& one) {
  const std::string path = traceOf(one);
  replay(path, 1);
  std::uint64_t rows = 0;
  for (auto _ : state) rows += replay(path, 1);
  state.SetItemsProcessed(static_cast<std::int64_t>(rows));
}

BENCHMARK_CAPTURE(text, far_listed, kFarListed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(text, far_differences, kFarDifferences)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(text, near_listed, kNearListed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(text, near_differences, kNearDifferences)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(text, stride, kStride)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compiled, far_listed, kFarListed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compiled, far_differences, kFarDifferences)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compiled, near_listed, kNearListed)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compiled, near_differences, kNearDifferences)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compiled, stride, kStride)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
