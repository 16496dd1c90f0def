// The global path with caches and DRAM: the cost of an access, every lane served once, right data
// for any sizes, and the hits of a plain cache.
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/support/cache_oracle.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/mixed_traffic.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Checks that every issue slot and every instruction is accounted for.
void checkAccount(const RunOutcome& outcome, unsigned slots) {
  if (outcome.replays != nullptr) {
    const ReplayCounters::Counts& replays = outcome.replays->counts().totals();
    BOOST_TEST(replays.issued() == replays.instructions + replays.replays() + replays.squashes());
  }
  BOOST_TEST(slotsOf(outcome) == outcome.cycles * slots);
  const CacheCounters::Counts& caches = cachesOf(outcome);
  BOOST_TEST(caches.l1Accesses() == outcome.totals.globalSegments);
}

const Kernel kKernels[] = {
    "matmul n=32", "transpose n=64 tile=16", "nw n=64", "lud n=48", "hist64 n=8192",
    "srad n=48",   "scan variant=0 n=1500",  "backprop"};

struct Shape : Named {
  const char* platform;
  Sets sets;
};
const Shape kShapes[] = {
    {"ami", "fermi-ami", {}},
    {"S+62/48", "fermi-ami", {"ami=S+62/48"}},
    {"ideal", "fermi-ami", {"ami=ideal"}},
    {"gtx480", "gtx480-caches", {}},
    {"two lines", "fermi-ami", {"l1.split=free", "l1.bytes=256", "l2.bytes=1024"}},
    {"one of each",
     "fermi-ami",
     {"l1.split=free", "l1.bytes=512", "l1.sets=ami 3", "l1.mshrs=1", "l1.queue=1", "l1.merges=1",
      "l2.bytes=1024", "l2.mshrs=1", "l2.merges=1", "l2.input=1", "l2.queue=1", "dram.queue=1",
      "replay.capacity=1", "interconnect.queue=1", "l1.tag_arrays=1"}},
    {"waiting, one of each",
     "gtx480-caches",
     {"l1.split=free", "l1.bytes=512", "l1.ways=1", "l1.sets=", "l1.mshrs=1", "l1.queue=1",
      "l1.merges=1", "l2.slices=1", "l2.bytes=1024", "l2.mshrs=1", "l2.merges=1", "l2.input=1",
      "l2.queue=1", "dram.queue=1", "interconnect.queue=1"}},
    {"written through", "gtx480-caches", {"l1.write_policy=through", "l2.write_policy=through"}},
    {"replays on miss", "fermi-ami", {"l1.allocate=miss", "l1.ways=2", "l1.replacement=random"}},
    {"sectors", "gtx480-caches", {"l1.fetch=sectors", "l1.allocate=miss"}},
    {"stores allocate", "gtx480-caches", {"l1.fetch=sectors", "l1.write_policy=allocate"}},
    {"sectors replay",
     "fermi-ami",
     {"l1.fetch=sectors", "l1.write_policy=allocate", "l1.split=free", "l1.bytes=512"}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(caches)

BOOST_DATA_TEST_CASE(data_are_right, bdata::make(kKernels) * bdata::make(kShapes), kernel, shape) {
  CheckedSimulation simulation(platform(shape.platform, shape.sets + Sets{"verify=true"}));
  const RunOutcome outcome = runVerified(simulation, kernel);
  BOOST_TEST(simulation.simulation.memory()->compared() > 0U);
  checkAccount(outcome, 2);
}

namespace {

/// One access of one warp, and an instruction of the warp that waits for its data.
struct Single : ScriptedWorkload {
  Single(unsigned lineStride, unsigned lanes, unsigned again) : ScriptedWorkload(1, 32) {
    repeat = again;
    auto& load = addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                           [=](auto, auto, unsigned lane, auto) -> std::uint64_t {
                             return 0x10000000 + std::uint64_t{128} * lineStride * lane;
                           },
                           {1}, {1});
    load.active = lanes == 32 ? kAllLanes : (LaneMask{1} << lanes) - 1;
  }
};

Cycle secondLoad(const std::string& name, unsigned lineStride, unsigned lanes,
                 const Sets& sets = {}) {
  Single once(lineStride, lanes, 1);
  Single twice(lineStride, lanes, 2);
  CheckedSimulation simulation(platform(name, sets + Sets{"dram.frequency_mhz=700"}));
  const Cycle first = simulation.run(once).cycles;
  return simulation.run(twice).cycles - first;
}

}  // namespace

// Earlier runs have no effect: rows, lines and the phase of the clocks are as at the start.
BOOST_AUTO_TEST_CASE(a_run_does_not_hang_on_the_one_before) {
  CheckedSimulation simulation(platform("gtx480-caches"));
  std::vector<std::pair<Cycle, std::uint64_t>> runs;
  for (const char* name : {"lud", "nw", "lud", "lud"}) {
    const auto open = openWorkload(name, {{"n", "64"}});
    const RunOutcome outcome = simulation.run(*open.workload);
    runs.emplace_back(outcome.cycles, cachesOf(outcome).of(CacheEvent::DramRowHit));
  }
  BOOST_TEST((runs[0] == runs[2] && runs[2] == runs[3]));
}

// A dependent load that hits takes the latency of the L1. It also takes one try per pair of lines
// if two tags are looked up at once, and one cycle per line in waiting caches.
BOOST_AUTO_TEST_CASE(a_hit_takes_the_latency) {
  BOOST_TEST(secondLoad("fermi-ami", 1, 1) == 24U);
}
BOOST_AUTO_TEST_CASE(a_hit_of_two_lines_in_banks_of_their_own) {
  BOOST_TEST(secondLoad("fermi-ami", 1, 2, {"l1.indexer=ami 33"}) == 24U);
}
BOOST_AUTO_TEST_CASE(a_hit_of_two_lines_in_one_bank_is_a_replay) {
  BOOST_TEST(secondLoad("fermi-ami", 1, 2) == 24U + 18);
}
BOOST_AUTO_TEST_CASE(lines_beyond_the_tags_are_replays) {
  BOOST_TEST(secondLoad("fermi-ami", 1, 6, {"l1.indexer=ami 33"}) == 24U + 2 * 18);
}
BOOST_AUTO_TEST_CASE(a_waiting_cache_looks_up_a_line_a_cycle) {
  BOOST_TEST(secondLoad("gtx480-caches", 1, 1) == 39U);
}
BOOST_AUTO_TEST_CASE(a_waiting_cache_takes_its_lines_in_turn) {
  BOOST_TEST(secondLoad("gtx480-caches", 1, 4) == 39U + 3);
}

namespace {

/// Loads of lines that lie apart, with one MSHR, and the cycles that each takes.
struct Apart : ScriptedWorkload {
  explicit Apart(unsigned loads) : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < loads; ++i)
      addMemory(MemorySpace::Global, MemoryOperation::Load, 4, apart(4, 128 * i),
                {static_cast<RegisterId>(i + 1)});
  }
};
struct Each : Named {
  unsigned lookupQueue;
  Cycle cycles;
};
/// A line takes 292 cycles from the tags to DRAM and back, and the way to the tags 39.
const Each kEach[] = {{"loads wait at the tags", 35, 292},
                      {"one load waits at the tags", 1, 292},
                      {"a load begins its way when the MSHR is free", 0, 292 + 39}};

}  // namespace

BOOST_DATA_TEST_CASE(a_load_that_waits_for_an_mshr, bdata::make(kEach), row) {
  CheckedSimulation simulation(platform(
      "gtx480-caches",
      {"l1.mshrs=1", "dram.frequency_mhz=700", "dram.read_bytes=64", "interconnect.answer_bytes=0",
       "l1.lookup_queue=" + std::to_string(row.lookupQueue)}));
  Apart few(4);
  Apart more(12);
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == 8 * row.cycles);
}

namespace {

/// Runs a store to global memory, then an instruction that may be a fence; returns the cycles.
Cycle storeAndThen(CheckedSimulation& simulation, bool fence) {
  ScriptedWorkload workload(1, 32);
  workload.addMemory(MemorySpace::Global, MemoryOperation::Store, 4, workload.apart(4, 0x10000000));
  workload.add(InstructionClass::Integer).what.fence = fence;
  for (unsigned i = 0; i < 100; ++i) workload.add(InstructionClass::Integer, {1}, {1});
  return simulation.run(workload).cycles;
}

}  // namespace

// The store issues in cycle 0 and leaves the L1 in 2. Its 136 bytes take the link for 2 to 5 and
// arrive at the L2 in 13. Its 4 sectors take the L2's port until 16. The answer leaves 120 cycles
// later, in 136, and arrives in 144: the fence issues then and not in 1.
BOOST_AUTO_TEST_CASE(a_fence_waits_for_memory) {
  CheckedSimulation simulation(platform("fermi-ami", {"dram.frequency_mhz=700"}));
  BOOST_TEST(storeAndThen(simulation, false) == 902U);
  BOOST_TEST(storeAndThen(simulation, true) == 902U + 143);
}

// Lines of one access in one set of a direct-mapped cache: 8 lines 256 apart.
BOOST_AUTO_TEST_CASE(one_access_can_evict_its_own_lines) {
  Single workload(256, 8, 1);
  CheckedSimulation simulation(platform("fermi-ami"));
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::L1Miss) == 8U);
  checkAccount(outcome, 2);
}
BOOST_AUTO_TEST_CASE(ami_sets_keep_them_apart) {
  Single workload(256, 8, 2);
  CheckedSimulation simulation(platform("fermi-ami", {"ami=S+32/32"}));
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::L1Miss) == 8U);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::L1Hit) == 8U);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::L1SetConflict) == 0U);
}

// Diamond et al. 2014, section VII.A. Two rows of a warp meet in the banks of the L1 when they are
// 17 (backprop), 64 (lud) or 128 words (srad) apart.
BOOST_DATA_TEST_CASE(banks_of_62_and_48_have_no_conflict,
                     bdata::make<Kernel>({"lud n=64", "backprop n=1024", "srad n=128"}) *
                         bdata::make({"ami=32/32", "ami=S+62/48"}),
                     kernel, banks) {
  CheckedSimulation simulation(platform("fermi-ami", {banks}));
  const auto open = kernel.open();
  const RunOutcome outcome = simulation.run(*open.workload);
  const bool conflicts = std::string(banks) == "ami=32/32";
  BOOST_TEST((cachesOf(outcome).of(CacheEvent::L1BankConflict) > 0) == conflicts);
  if (!conflicts) BOOST_TEST(outcome.totals.conflictPasses == outcome.totals.freePasses);
}

namespace {

/// Accesses of one warp after another, each waited for: on one of `lines` lines, or scattered over
/// 64 adjacent lines.
struct Stream : ScriptedWorkload {
  Stream(unsigned seed, unsigned lines, unsigned accesses, unsigned warps = 1)
      : ScriptedWorkload(1, 32 * warps) {
    std::mt19937 random(seed);
    for (unsigned a = 0; a < accesses; ++a) {
      std::array<std::uint64_t, kWarpLanes> lanes{};
      const std::uint64_t only = random() % lines;
      const bool scattered = random() % 4 == 0;
      for (auto& address : lanes) {
        const std::uint64_t line = scattered ? only + random() % 64 : only;
        address = 0x10000000 + line * 128 + random() % 32 * 4;
      }
      streams.push_back(lanes);
      const bool store = random() % 5 == 0;
      stores.push_back(store);
      const auto operation = store ? MemoryOperation::Store : MemoryOperation::Load;
      addMemory(MemorySpace::Global, operation, 4,
                [lanes](auto, auto, unsigned lane, auto) { return lanes[lane]; },
                store ? std::vector<RegisterId>{} : std::vector<RegisterId>{1}, {1});
    }
  }
  std::vector<std::array<std::uint64_t, kWarpLanes>> streams;
  std::vector<bool> stores;
};

}  // namespace

// 16 KB of 128-byte lines in 4 ways by modulo, one access at a time: hits and misses must be those
// of a plain cache. Stores evict.
BOOST_DATA_TEST_CASE(hits_are_those_of_a_plain_cache, bdata::make({1U, 2U, 3U}), seed) {
  Stream workload(seed, 300, 400);
  CheckedSimulation simulation(platform("gtx480-caches", {"l1.sets=", "l1.falling=false"}));
  const RunOutcome outcome = simulation.run(workload);
  PlainCache plain(4, true);
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  for (std::size_t a = 0; a < workload.streams.size(); ++a) {
    std::vector<std::uint64_t> lines;
    for (const std::uint64_t address : workload.streams[a]) {
      const std::uint64_t line = address / 128;
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    for (const std::uint64_t line : lines) {
      const auto set = static_cast<std::uint32_t>(line % 32);
      const bool hit = workload.stores[a] ? plain.present(line, set) : plain.access(line, set);
      if (workload.stores[a]) plain.drop(line, set);
      ++(hit ? hits : misses);
    }
  }
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::L1Hit) == hits);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::L1Miss) == misses);
}

// Forty-eight warps compete on both paths: nothing is lost and nothing locks up.
BOOST_DATA_TEST_CASE(random_traffic_ends, bdata::make({1U, 2U}) * bdata::make(kShapes), seed,
                     shape) {
  MixedTraffic workload(seed, 500, 60, 24);
  CheckedSimulation simulation(platform(shape.platform, shape.sets));
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(outcome.totals.globalAccesses == workload.globalAccesses);
  BOOST_TEST(outcome.totals.sharedAccesses() == workload.sharedAccesses);
  checkAccount(outcome, 2);
}

BOOST_AUTO_TEST_SUITE_END()
