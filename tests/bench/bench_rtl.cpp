// Speed of RTL blocks beside the model's: warp accesses per second of each block alone, and whole
// runs with blocks in the place of modules. Times are CPU time of the simulating thread.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <string>
#include <systemc>
#include <vector>

#include <fermata/models/rtl/block_catalog.h>
#include <fermata/models/rtl/model_blocks.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/program/workloads.h>

namespace {

using namespace fermata;
using namespace fermata::rtl;

constexpr std::uint32_t kWords = 12288;
constexpr std::size_t kRequests = 256;  ///< different requests, used again and again

void countAccesses(benchmark::State& state) {
  state.counters["warp_accesses_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

Lanes drawn(std::mt19937& random, std::uint32_t limit) {
  Lanes lanes;
  for (std::uint32_t& lane : lanes) lane = static_cast<std::uint32_t>(random() % limit);
  return lanes;
}

void measureMap(benchmark::State& state, MapBlock& block) {
  std::mt19937 random(1);
  std::vector<Lanes> words(kRequests);
  for (Lanes& word : words) word = drawn(random, kWords);
  Lanes bank;
  Lanes row;
  std::size_t next = 0;
  for (auto iteration : state) {
    block.map(words[next++ % kRequests], kAllLanes, bank, row);
    benchmark::DoNotOptimize(bank);
    benchmark::DoNotOptimize(row);
  }
  countAccesses(state);
}

template <class Request, class Response>
void measure(benchmark::State& state, ClockedBlock<Request, Response>& block,
             const std::vector<Request>& requests) {
  std::size_t next = 0;
  for (auto iteration : state)
    benchmark::DoNotOptimize(ask(block, requests[next++ % requests.size()]));
  countAccesses(state);
}

/// Returns requests of all lanes for random words, with about three passes each.
std::vector<PassRequest> somePasses() {
  std::mt19937 random(2);
  std::vector<PassRequest> requests(kRequests);
  for (PassRequest& request : requests)
    request = {kAllLanes, drawn(random, 32), drawn(random, kWords / 32)};
  return requests;
}

/// Returns requests that write and read rows of the memory, in turn.
std::vector<ScratchpadRequest> someRows() {
  std::mt19937 random(3);
  std::vector<ScratchpadRequest> requests(kRequests);
  for (std::size_t i = 0; i < kRequests; ++i) {
    ScratchpadRequest& request = requests[i];
    request.valid = kAllLanes;
    request.write = i % 2 == 0 ? kAllLanes : 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) request.bank[lane] = lane;
    request.row = drawn(random, kWords / 32);
    request.data = drawn(random, ~0U);
    request.enable.fill(0xf);
  }
  return requests;
}

/// Returns requests that take locks and give them back, in turn.
std::vector<LockRequest> someLocks() {
  std::mt19937 random(4);
  std::vector<LockRequest> requests(kRequests);
  for (std::size_t i = 0; i < kRequests; i += 2) {
    requests[i] = {kAllLanes, 0, drawn(random, 1024)};
    requests[i + 1] = {0, kAllLanes, requests[i].number};
  }
  return requests;
}

void addMaps() {
  for (const char* text :
       {"mod 32", "ami 31", "ami 33", "ami 33 form=array", "ami 62", "ami 63", "perm k=5",
        "xor k1=0 k2=5 mask=31", "bits 9,8,2,1,0", "pairs 0^5,1^6,2^7,3,4^8", "fixed-xor", "add"}) {
    const std::shared_ptr<const indexing::Indexer> mapping = indexing::build(text, {32, kWords});
    const auto add = [&](const std::string& who, std::shared_ptr<MapBlock> block) {
      benchmark::RegisterBenchmark(("indexer/" + std::string(text) + "/" + who).c_str(),
                                   [block](benchmark::State& state) { measureMap(state, *block); });
    };
    add("model", modelMapBlock(mapping));
    add("rtl", makeMapBlock(*mapping));
  }
}

template <class Request, class Response>
void addClocked(const std::string& name, std::unique_ptr<ClockedBlock<Request, Response>> own,
                const std::vector<Request>& requests) {
  const std::shared_ptr<ClockedBlock<Request, Response>> block = std::move(own);
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) { measure(state, *block, requests); });
}

void addBlocks() {
  addMaps();
  addClocked("crossbar/model", modelPassBlock(), somePasses());
  addClocked("crossbar/rtl", makePassBlock(32), somePasses());
  addClocked("crossbar/rtl of 128 banks", makePassBlock(128), somePasses());
  addClocked("scratchpad/model", modelScratchpadBlock(32, kWords / 32), someRows());
  addClocked("scratchpad/rtl", makeScratchpadBlock(32, kWords / 32), someRows());
  addClocked("scratchpad/rtl of 128 banks", makeScratchpadBlock(128, kWords / 32), someRows());
  addClocked("lock/model", modelLockBlock(1024), someLocks());
  addClocked("lock/rtl", makeLockBlock(1024), someLocks());
}

/// Reports accesses of the scratchpad and warp instructions, each per second.
void measureRun(benchmark::State& state, platforms::Simulation& simulation, const char* workload,
                const platforms::WorkloadParameters& parameters) {
  double instructions = 0;
  double accesses = 0;
  double seconds = 0;
  for (auto iteration : state) {
    platforms::OpenWorkload open = platforms::openWorkload(workload, parameters);
    const auto outcome = simulation.run(*open.workload);
    instructions += static_cast<double>(outcome.totals.warpInstructions);
    accesses += static_cast<double>(outcome.totals.sharedAccesses());
    seconds += outcome.wallSeconds;
    state.SetIterationTime(outcome.wallSeconds);
  }
  state.counters["warp_instructions_per_second"] = instructions / seconds;
  state.counters["shared_accesses_per_second"] = accesses / seconds;
}

struct Variant {
  const char* name;
  std::vector<std::string> sets;
};

const Variant kVariants[] = {
    {"model", {}},
    {"model verified", {"verify=true"}},
    {"indexer rtl", {"rtl.indexer=rtl"}},
    {"indexer lockstep", {"rtl.indexer=lockstep"}},
    {"crossbar rtl", {"rtl.crossbar=rtl"}},
    {"scratchpad rtl", {"rtl.scratchpad=rtl"}},
    {"scratchpad lockstep", {"rtl.scratchpad=lockstep"}},
    {"indexer and scratchpad rtl", {"rtl.indexer=rtl", "rtl.scratchpad=rtl"}},
};

void addRuns(std::vector<std::unique_ptr<platforms::Simulation>>& simulations) {
  const std::pair<const char*, platforms::WorkloadParameters> workloads[] = {
      {"transpose", {{"tile", "32"}, {"n", "256"}}}, {"matmul", {}}};
  for (const Variant& variant : kVariants) {
    platforms::Configuration configuration = platforms::openPlatform("gtx480");
    configuration.applyAll(variant.sets);
    configuration.check();
    simulations.push_back(std::make_unique<platforms::Simulation>(configuration));
    for (const auto& [workload, parameters] : workloads) {
      benchmark::RegisterBenchmark(
          (std::string(workload) + "/" + variant.name).c_str(),
          [simulation = simulations.back().get(), workload = workload, parameters = parameters](
              benchmark::State& state) { measureRun(state, *simulation, workload, parameters); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  std::vector<std::unique_ptr<platforms::Simulation>> simulations;
  addBlocks();
  addRuns(simulations);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
