// global.memory = "l1" on the machines of today: hits of the L1 take the larger of their passes at
// the data banks and of their cycles at the tag arrays, and share the array with the scratchpad.
#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/traces/csv_rows.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

constexpr unsigned kWarps = 16;

Sets withL1(Sets more = {}) {
  more.insert(more.begin(), "global.memory=l1");
  return more;
}

/// Returns warps of a CTA that repeat loads without waiting for their data: from global memory,
/// lane i at `apart` * i, if that is not 0; from shared memory, lane i at `sharedApart` * i, if
/// that is not 0.
ScriptedWorkload l1Loads(unsigned apart, unsigned sharedApart, unsigned repeat,
                         unsigned warps = kWarps) {
  ScriptedWorkload workload(1, warps * 32);
  workload.grid.sharedBytesPerCta = 8192;
  workload.repeat = repeat;
  const auto lanes = [](unsigned bytes) {
    return [=](auto, unsigned, unsigned lane, unsigned) { return std::uint64_t{bytes} * lane; };
  };
  if (apart != 0) workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, lanes(apart));
  if (sharedApart != 0)
    workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, lanes(sharedApart));
  return workload;
}

/// Returns the cycles per repetition and warp when all lines are present.
double cyclesOf(const char* name, unsigned apart, unsigned sharedApart, const Sets& sets = {},
                unsigned warps = kWarps) {
  constexpr unsigned few = 100;
  constexpr unsigned more = 400;
  CheckedSimulation simulation(platform(name, withL1(sets)));
  ScriptedWorkload first = l1Loads(apart, sharedApart, few, warps);
  const Cycle begin = simulation.run(first).cycles;
  ScriptedWorkload second = l1Loads(apart, sharedApart, few + more, warps);
  return static_cast<double>(simulation.run(second).cycles - begin) / (more * warps);
}

/// Returns the cycles that a load of lanes `apart` bytes apart takes, by the rules as measured.
unsigned passesOf(unsigned apart) {
  std::array<std::set<unsigned>, 32> words;
  std::array<std::set<unsigned>, 4> lines;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned address = lane * apart;
    words[address / 4 % 32].insert(address / 4);
    unsigned array = 0;
    for (const unsigned bit : {7, 9, 11, 12, 14, 16, 18, 19, 20}) array ^= address >> bit & 1;
    for (const unsigned bit : {7, 8, 9, 10, 12, 13, 15, 16, 17, 18, 20})
      array ^= (address >> bit & 1) << 1;
    lines[array].insert(address / 128);
  }
  std::size_t most = 1;
  for (const auto& bank : words) most = std::max(most, bank.size());
  for (const auto& array : lines) most = std::max(most, array.size());
  return static_cast<unsigned>(most);
}

const char* const kMachines[] = {"sm_70", "sm_80", "sm_86", "sm_89", "sm_90"};
const char* const kFull[] = {"sm_70", "sm_80", "sm_90"};  ///< those of 128 bytes per cycle

}  // namespace

BOOST_AUTO_TEST_SUITE(l1_array)

BOOST_DATA_TEST_CASE(a_hit_takes_its_passes_or_its_tags,
                     bdata::make({1U, 2U, 3U, 5U, 8U, 9U, 17U, 31U, 32U, 33U, 40U, 64U}), stride) {
  BOOST_TEST(cyclesOf("sm_90", 4 * stride, 0) == passesOf(4 * stride), tt::tolerance(0.01));
}

BOOST_DATA_TEST_CASE(the_banks_of_a_t4_take_two_cycles_per_pass, bdata::make({1U, 2U, 8U}), ways) {
  BOOST_TEST(cyclesOf("sm_75", 4 * ways, 0) == 2.0 * ways, tt::tolerance(0.01));
}

// An A40 and an L40 return 64 bytes per cycle.
BOOST_DATA_TEST_CASE(a_load_takes_two_cycles_on_a_ga102,
                     bdata::make({"sm_86", "sm_89"}) * bdata::make({1U, 2U, 3U, 4U, 32U}), name,
                     stride) {
  BOOST_TEST(cyclesOf(name, 4 * stride, 0) == std::max(2U, passesOf(4 * stride)),
             tt::tolerance(0.01));
}

// Hits of a passes and shared loads of b passes hold the one array for a + b cycles.
BOOST_DATA_TEST_CASE(hits_and_shared_loads_take_turns,
                     bdata::make(kFull) * bdata::make({1U, 4U}) * bdata::make({1U, 4U}), name, hits,
                     shared) {
  BOOST_TEST(cyclesOf(name, 4 * hits, 4 * shared) == 1.0 * hits + shared, tt::tolerance(0.06));
}

// results/silicon/l1_shared.csv: repetitions of some hits and some shared loads, on an H100, where
// the loop around few of them takes half a cycle.
BOOST_AUTO_TEST_CASE(hits_beside_shared_loads_take_what_an_h100_takes) {
  // Without the queues before the port, with which an iteration of a warp takes a cycle more.
  CheckedSimulation simulation(
      platform("sm_90", withL1({"subcore.queue=0", "scheduler.policy=lrr"})));
  const std::string path = FERMATA_SOURCE_DIR "/results/silicon/l1_shared.csv";
  traces::CsvRows rows(traces::openInput(path), path);
  BOOST_REQUIRE(rows.next());  // the header
  unsigned count = 0;
  for (; rows.next(); ++count) {
    const auto number = [&](unsigned column) {
      return static_cast<unsigned>(std::stoul(std::string(rows[column])));
    };
    const auto cycles = [&](unsigned repeat) {
      ScriptedWorkload workload = l1Loads(0, 0, repeat, 32);
      for (unsigned i = 0; i < number(1); ++i)
        workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                           ScriptedWorkload::apart(4 * number(2)));
      for (unsigned i = 0; i < number(3); ++i) workload.addSharedLoad(number(4));
      return static_cast<double>(simulation.run(workload).cycles);
    };
    constexpr unsigned more = 60;
    const double measured = std::stod(std::string(rows[5]));
    const double ours = (cycles(40 + more) - cycles(40)) / (more * 32);
    BOOST_TEST_CONTEXT(rows[1] << " hits of " << rows[2] << " ways, " << rows[3]
                               << " shared loads of " << rows[4] << " ways")
    BOOST_TEST(std::abs(ours - measured) <= 0.02 * measured + 0.5, ours << " " << measured);
  }
  BOOST_TEST(count == 88U);
}

// One warp alone: in one array a pass of either kind comes two cycles after the warp's pass before.
// In two arrays it waits for its registers: three of them, two cycles each.
BOOST_DATA_TEST_CASE(passes_of_a_warp_keep_their_distance_over_both, bdata::make({false, true}),
                     own) {
  Sets sets{"core.access_spacing=0"};
  if (own) sets.insert(sets.end(), {"l1.array=own", "l1.conflict_policy=serialize"});
  BOOST_TEST(cyclesOf("sm_90", 16, 4, sets, 1) == (own ? 6.0 : 10.0), tt::tolerance(0.01));
}

BOOST_DATA_TEST_CASE(a_hit_has_the_latency_that_was_measured, bdata::make(kMachines), name) {
  const std::map<std::string, Cycle> measured{
      {"sm_70", 28}, {"sm_80", 33}, {"sm_86", 33}, {"sm_89", 34}, {"sm_90", 32}};
  CheckedSimulation simulation(platform(name, withL1()));
  const auto cycles = [&](unsigned repeat) {
    ScriptedWorkload workload(1, 32);
    workload.repeat = repeat;
    workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, ScriptedWorkload::apart(0),
                       {1}, {1});
    return simulation.run(workload).cycles;
  };
  const Cycle few = cycles(20);
  BOOST_TEST(cycles(120) - few == 100 * measured.at(name));
}

// An H100 takes 29.25 cycles, two per pass and one per lookup in the fullest tag array.
BOOST_DATA_TEST_CASE(passes_and_lookups_add_up_to_the_latency,
                     bdata::make({1U, 2U, 9U, 33U}) ^ bdata::make({32U, 34U, 34U, 39U}), stride,
                     measured) {
  CheckedSimulation simulation(platform("sm_90", withL1()));
  const auto cycles = [&](unsigned repeat) {
    ScriptedWorkload workload(1, 32);
    workload.repeat = repeat;
    workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                       ScriptedWorkload::apart(4 * stride), {1}, {1});
    return simulation.run(workload).cycles;
  };
  const Cycle few = cycles(20);
  BOOST_TEST(cycles(120) - few == 100 * measured);
}

BOOST_AUTO_TEST_CASE(lines_of_one_kernel_are_gone_in_the_next) {
  CheckedSimulation simulation(platform("sm_80", withL1()));
  const auto misses = [&](unsigned launches) {
    ScriptedWorkload workload = l1Loads(4, 0, 100);
    workload.launches = launches;
    const RunOutcome outcome = simulation.run(workload);
    BOOST_REQUIRE(outcome.l1 != nullptr);
    BOOST_TEST((outcome.l2 == nullptr && outcome.dram == nullptr));
    const auto& counts = outcome.l1->counts().totals();
    BOOST_TEST(counts.l1Accesses() == 100U * kWarps * launches);
    BOOST_TEST(counts.of(CacheEvent::L1Hit) > 0U);
    return counts.of(CacheEvent::L1Miss);
  };
  const std::uint64_t one = misses(1);
  BOOST_TEST(one > 0U);
  BOOST_TEST(misses(3) == 3 * one);
}

BOOST_AUTO_TEST_CASE(impossible_arrays_and_tags_are_refused) {
  const Refusal refusals[] = {
      {"l1.tags=mod 8", "l1.tags maps lines onto 8 tag arrays, l1.tag_arrays = 4"},
      {"l1.tags=pairs 0^40,1", "l1.tags = \"pairs 0^40,1\""},
      {"l1.indexer=ami 33", "l1.indexer has 33 banks of 4 bytes, the scratchpad 32 of 4"},
      {"l1.fetch=line", "expected l1.fetch = \"sectors\""},
      {"l1.carveouts=0 x", "l1.carveouts = \"0 x\": 'x' is no carve-out; expected KB from 0"},
      {"l1.carveouts=8 8", "'8' is not above the carve-out before it; expected KB in rising order"},
      {"l1.carveouts=0 192", "with l1.array_bytes = 196608; expected an array larger than"},
      {"l1.carveouts=0 100",
       "scratchpad.bytes = 167936, but the largest of l1.carveouts has 102400"},
      {"l1.array_bytes=196736", "less 0 KB is no whole number of lines for 4 sets of lines of 128"},
      {"l1.bytes=65536", "l1.bytes = 65536, but the largest of l1.carveouts leaves 28672"},
      {"l1.split=16/48", "with l1.split = \"16/48\"; expected one of them"},
      {"rtl.crossbar=rtl", "RTL serves no hits of the L1"},
      {"l1.conflict_policy=ideal", "l1.array is scratchpad"},
      {"l2.bytes=65536", "l2.bytes has no effect, for global.memory is l1"},
      {"global.segment_bytes=64", "global.segment_bytes has no effect, for global.memory is l1"}};
  for (const Refusal& refused : refusals) {
    BOOST_TEST_CONTEXT(refused.input)
    BOOST_CHECK_EXCEPTION(platform("sm_80", withL1({refused.input})), InputError,
                          says(refused.says));
  }
}

BOOST_AUTO_TEST_CASE(a_platform_without_sizes_has_no_l1) {
  BOOST_CHECK_EXCEPTION(platform("gtx480", {"global.memory=l1"}), InputError,
                        says("nothing says what caches gtx480 has; expected l1.bytes in"));
}

BOOST_AUTO_TEST_SUITE_END()
