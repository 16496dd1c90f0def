// Nanoseconds that one indexer call takes for the 32 lanes of a warp.
#include <benchmark/benchmark.h>

#include <random>

#include <fermata/models/indexing/bank_load.h>
#include <fermata/models/indexing/indexer.h>

namespace {

using fermata::indexing::Indexer;
using Lanes = std::array<std::uint32_t, fermata::kWarpLanes>;

Lanes randomWords(std::uint32_t words) {
  std::mt19937 random(1);
  Lanes lanes;
  for (std::uint32_t& word : lanes) word = static_cast<std::uint32_t>(random()) % words;
  return lanes;
}

void locate(benchmark::State& state, const char* text, std::uint32_t words) {
  const std::unique_ptr<Indexer> indexer = fermata::indexing::build(text, {32, words});
  const Lanes word = randomWords(words);
  Lanes bank;
  Lanes row;
  for (auto step : state) {
    indexer->locate(word, fermata::kAllLanes, bank, row);
    benchmark::DoNotOptimize(bank);
    benchmark::DoNotOptimize(row);
  }
  state.SetItemsProcessed(state.iterations());
}

void degree(benchmark::State& state) {
  const std::unique_ptr<Indexer> indexer = fermata::indexing::build("mod 32", {32, 12288});
  const Lanes word = randomWords(12288);
  for (auto step : state)
    benchmark::DoNotOptimize(fermata::indexing::conflictDegree(*indexer, word, fermata::kAllLanes));
}

constexpr std::uint32_t kFermi = 12288;     // 48 KB
constexpr std::uint32_t kWholeSpace = ~0U;  // a global memory: the wide reciprocal

BENCHMARK_CAPTURE(locate, mod, "mod 32", kFermi);
BENCHMARK_CAPTURE(locate, ami33, "ami 33", kFermi);
BENCHMARK_CAPTURE(locate, ami61, "ami 61", kFermi);
BENCHMARK_CAPTURE(locate, ami33_all_ones, "ami 33 corner=all-ones", kFermi);
BENCHMARK_CAPTURE(locate, ami33_array, "ami 33 form=array", kFermi);
BENCHMARK_CAPTURE(locate, ami33_canonical, "ami 33 form=canonical", kFermi);
BENCHMARK_CAPTURE(locate, ami33_4G_words, "ami 33", kWholeSpace);
BENCHMARK_CAPTURE(locate, seznec62, "seznec 62", kFermi);
BENCHMARK_CAPTURE(locate, perm, "perm k=2", kFermi);
BENCHMARK_CAPTURE(locate, xor_, "xor k1=0 k2=5 mask=7", kFermi);
BENCHMARK_CAPTURE(locate, xor_shifted, "xor k1=3 k2=8 mask=31", kFermi);
BENCHMARK_CAPTURE(locate, bits, "bits 3,4,0,1,2", kFermi);
BENCHMARK_CAPTURE(locate, pairs, "pairs 3,4,0^5,1^6,2^7", kFermi);
BENCHMARK_CAPTURE(locate, matrix, "matrix 0x21,0x42,0x84,0x108,0x210", kFermi);
BENCHMARK_CAPTURE(locate, matrix_dense, "matrix 0x2aaa,0x1357,0x3c1d,0x0ff1,0x2345", kFermi);
BENCHMARK_CAPTURE(locate, fixed_xor, "fixed-xor", kFermi);
BENCHMARK_CAPTURE(locate, add, "add", kFermi);
BENCHMARK(degree);

}  // namespace

BENCHMARK_MAIN();
