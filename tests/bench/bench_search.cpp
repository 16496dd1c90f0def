// Speed of the searches: (access set of 32 words, mapping) pairs per second.
#include <benchmark/benchmark.h>

#include <random>

#include <fermata/models/search/conflict_count.h>
#include <fermata/models/search/conflict_profile.h>
#include <fermata/models/search/search.h>

namespace {

using namespace fermata;

constexpr indexing::Shape kShape{32, 12288};
constexpr unsigned kAddressBits = 14;

const char* const kMappings[] = {
    "mod 32",         "xor k1=0 k2=5 mask=7",  "fixed-xor", "perm k=2",
    "bits 3,4,0,1,2", "pairs 3,4,0^5,1^6,2^7", "ami 33",    "pad row=32 words=1",
};

/// Returns sets of random words, all different within a set: nothing can be merged.
search::AccessSets randomSets(unsigned sets) {
  std::mt19937 random(1);
  search::AccessSets result;
  result.addInstruction({});
  std::vector<std::uint32_t> words(kShape.words);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = i;
  for (unsigned set = 0; set < sets; ++set) {
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      std::swap(words[i], words[i + random() % (words.size() - i)]);
    }
    result.add(0, words.data(), kWarpLanes);
  }
  return result;
}

void linear(benchmark::State& state) {
  const search::AccessSets sets = randomSets(static_cast<unsigned>(state.range(0)));
  const search::ConflictCount count(sets, kAddressBits);
  std::mt19937 random(2);
  for (auto step : state) {
    indexing::gf2::Matrix bank{kAddressBits, {}};
    for (unsigned i = 0; i < 5; ++i) {
      bank.rows.push_back(static_cast<std::uint32_t>(random()) % (1U << kAddressBits));
    }
    benchmark::DoNotOptimize(count.linear(bank));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void mapped(benchmark::State& state, const char* text) {
  const search::AccessSets sets = randomSets(10000);
  const search::ConflictCount count(sets, kAddressBits);
  const auto indexer = indexing::build(text, kShape);
  for (auto step : state) benchmark::DoNotOptimize(count.mapped(*indexer));
  state.SetItemsProcessed(state.iterations() * 10000);
}

/// Counts a stream of random accesses, some lanes on one word, for K mappings at once.
void profile(benchmark::State& state) {
  std::vector<std::unique_ptr<indexing::Indexer>> mappings;
  std::vector<const indexing::Indexer*> pointers;
  for (std::int64_t k = 0; k < state.range(0); ++k) {
    mappings.push_back(indexing::build(kMappings[k % 8], kShape));
    pointers.push_back(mappings.back().get());
  }
  search::ConflictProfile profile(pointers);
  std::mt19937 random(3);
  std::vector<std::array<std::uint32_t, kWarpLanes>> stream(4096);
  for (auto& words : stream) {
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random()) % kShape.words;
  }
  for (auto step : state)
    for (const auto& words : stream) profile.add(words, kAllLanes);
  benchmark::DoNotOptimize(profile.conflicts());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(stream.size()) *
                          state.range(0));
}

/// Times a search of 10,000 distinct sets, including the work that all searches share.
void wholeSearch(benchmark::State& state, search::MappingClass mappingClass,
                 search::Method method) {
  const search::AccessSets sets = randomSets(10000);
  for (auto step : state)
    benchmark::DoNotOptimize(search::search(mappingClass, method, {sets, kShape}));
}

/// Collects random accesses that all differ, or a kernel's stream that repeats a few.
void collect(benchmark::State& state) {
  std::mt19937 random(4);
  std::vector<std::array<std::uint32_t, kWarpLanes>> stream(1U << 16);
  for (std::size_t i = 0; i < stream.size(); ++i) {
    for (std::uint32_t& word : stream[i]) {
      word = static_cast<std::uint32_t>(random()) % kShape.words;
    }
    const auto different = static_cast<std::size_t>(state.range(0));
    if (i >= different) stream[i] = stream[i % different];
  }
  for (auto step : state) {
    search::AccessSets sets(1U << 14);
    sets.addInstruction({});
    for (const auto& words : stream) sets.add(0, words.data(), kWarpLanes);
    benchmark::DoNotOptimize(sets.size());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(stream.size()));
}

using search::MappingClass;
using search::Method;

BENCHMARK(linear)->Arg(100)->Arg(10000)->Arg(100000);
BENCHMARK_CAPTURE(mapped, ami33, "ami 33");
BENCHMARK_CAPTURE(mapped, add, "add");
BENCHMARK_CAPTURE(mapped, seznec200, "seznec 200");
BENCHMARK(profile)->Arg(1)->Arg(8)->Arg(32);
BENCHMARK_CAPTURE(wholeSearch, xor_exhaustive, MappingClass::Xor, Method::Exhaustive)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wholeSearch, bits_exhaustive, MappingClass::Bits, Method::Exhaustive)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wholeSearch, pairs_givargis, MappingClass::Pairs, Method::Givargis)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wholeSearch, pairs_imbalance, MappingClass::Pairs, Method::MinimumImbalance)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wholeSearch, ami, MappingClass::Ami, Method::Exhaustive)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(wholeSearch, padding, MappingClass::Padding, Method::Exhaustive)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(collect)->Arg(500)->Arg(8000)->Arg(1 << 16);

}  // namespace

BENCHMARK_MAIN();
