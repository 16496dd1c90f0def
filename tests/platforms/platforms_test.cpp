// The platforms that come with Fermata: each runs kernels with verified data; conflicts follow from
// its banks and lane groups.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/workloads.h>
#include "tests/platforms/sourceless.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

const char* const kPlatforms[] = {"gtx280", "gtx480", "gtx580", "hawaii", "k20"};

/// Returns the names of all other platform files, so that a new one is tested at once.
std::vector<std::string> otherPlatforms() {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(FERMATA_SOURCE_DIR "/platforms")) {
    if (file.path().extension() != ".toml") continue;
    const std::string name = file.path().stem().string();
    if (std::find(std::begin(kPlatforms), std::end(kPlatforms), name) == std::end(kPlatforms))
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

const Kernel kKernels[] = {"stride stride=5 iterations=2 blocks=3",
                           "transpose n=64 tile=16",
                           "reduction variant=1 n=8192",
                           "fwt vectors=2",
                           "hist64 n=8192",
                           "scan variant=0 n=1500",
                           "matmul n=32",
                           "genindex repeat=20"};

/// Loads `bytes` per lane, `stride` bytes apart, by one or more warps. Returns the cycles and
/// stores the conflicts in `conflicts`.
Cycle load(CheckedSimulation& simulation, unsigned bytes, unsigned stride, std::uint64_t& conflicts,
           unsigned lanes = kWarpLanes) {
  ScriptedWorkload workload(1, lanes);
  workload.grid.sharedBytesPerCta = lanes * 512;
  workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, bytes,
                     [=](auto, unsigned warp, unsigned lane, auto) {
                       return std::uint64_t{stride} * (kWarpLanes * warp + lane);
                     },
                     {1});
  const auto outcome = simulation.run(workload);
  conflicts = outcome.totals.bankConflictCycles();
  return outcome.cycles;
}

struct Load {
  const char* platform;
  unsigned bytes;
  unsigned stride;  ///< bytes
  Cycle cycles;
  std::uint64_t conflicts;
};
std::ostream& operator<<(std::ostream& out, const Load& l) {
  return out << l.platform << ", " << l.bytes << " bytes, " << l.stride << " apart";
}

// Latency of a load without a conflict, plus one cycle per further pass. The two passes of half
// warps are no conflict; nor are the four of 64-bit loads.
const Load kLoads[] = {
    // 16 banks, half warps: 18 cycles plus passes - 1.
    {"gtx280", 4, 4, 19, 0},
    {"gtx280", 4, 0, 19, 0},
    {"gtx280", 4, 8, 21, 2},
    {"gtx280", 4, 12, 19, 0},
    {"gtx280", 4, 16, 25, 6},
    {"gtx280", 4, 64, 49, 30},
    {"gtx280", 4, 128, 49, 30},
    {"gtx280", 4, 68, 19, 0},
    {"gtx280", 8, 8, 21, 0},
    {"gtx280", 16, 16, 25, 0},
    {"gtx280", 8, 64, 49, 28},
    // 32 banks of 4 bytes.
    {"gtx580", 4, 4, 26, 0},
    {"gtx580", 4, 8, 27, 1},
    {"gtx580", 4, 128, 57, 31},
    {"gtx580", 8, 8, 27, 0},
    {"gtx580", 16, 16, 33, 0},  // one more pass per quarter
    {"gtx480", 16, 128, 61, 28},
    {"gtx480", 8, 8, 27, 0},
    {"hawaii", 4, 4, 64, 0},
    {"hawaii", 4, 8, 65, 1},
    {"hawaii", 4, 128, 95, 31},
    {"hawaii", 16, 16, 67, 0},
    // 32 banks of 8 bytes: 4-byte words two apart are in different banks.
    {"k20", 4, 4, 26, 0},
    {"k20", 4, 8, 26, 0},
    {"k20", 4, 16, 27, 1},
    {"k20", 4, 128, 41, 15},
    {"k20", 4, 132, 26, 0},
    {"k20", 4, 256, 57, 31},
    {"k20", 8, 8, 26, 0},
    {"k20", 8, 16, 27, 1},
    {"k20", 16, 16, 27, 0},
    {"k20", 4, 12, 27, 1},
    // In the 4-byte mode words i and i + 32 share a row; a replay costs 14 cycles a way.
    {"k20-4byte", 4, 8, 26, 0},
    {"k20-4byte", 4, 12, 26, 0},
    {"k20-4byte", 4, 128, 26 + 15 * 14, 15},
    {"k20-4byte", 4, 256, 26 + 31 * 14, 31},
    // A replay costs 18 cycles a way.
    {"gtx580-replays", 4, 8, 26 + 18, 1},
    {"gtx580-replays", 4, 128, 26 + 31 * 18, 31},
    // By halves and quarters without extra passes; AMD's 128 bits by interleaved quarters.
    {"sm_70", 4, 4, 19, 0},
    // A pass of an access every two cycles; on sm_90 as it was measured.
    {"sm_80", 8, 8, 31, 0},
    {"sm_80", 16, 16, 35, 0},
    {"sm_80", 16, 128, 91, 28},
    {"sm_89", 16, 144, 36, 0},
    {"sm_90", 4, 4, 23, 0},
    {"sm_90", 4, 128, 85, 31},
    {"sm_90", 8, 8, 26, 0},
    {"sm_90", 16, 16, 32, 0},
    {"sm_90", 16, 128, 88, 28},
    {"mi300", 16, 16, 67, 0},
    {"mi350", 16, 16, 65, 0},
    {"rdna3", 8, 8, 65, 0},
    {"rdna4", 16, 128, 95, 28},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(shipped)

BOOST_DATA_TEST_CASE(every_kernel_runs_with_verified_data,
                     bdata::make(kPlatforms) * bdata::make(kKernels), name, kernel) {
  CheckedSimulation simulation(platform(name, {"verify=true"}));
  runVerified(simulation, kernel);
}

BOOST_DATA_TEST_CASE(later_ones_run_with_verified_data, bdata::make(otherPlatforms()), name) {
  CheckedSimulation simulation(platform(name, {"verify=true"}));
  runVerified(simulation, "reduction variant=1 n=8192");
}

// Measured conflicts of a ds_read of 64 lanes on an MI300X (nod-ai/amd-shark-ai,
// docs/empirical-lds/cdna3info.md, divided by its 64 blocks). Each half of the wave64 has half of
// them.
BOOST_AUTO_TEST_CASE(mi300_conflicts_as_it_was_measured) {
  const std::map<unsigned, std::map<unsigned, std::uint64_t>> measured{
      {4, {{4, 0}, {8, 2}, {16, 6}, {32, 14}, {64, 30}, {128, 62}, {256, 62}, {512, 62}}},
      {8, {{8, 0}, {16, 4}, {32, 12}, {64, 28}, {128, 60}, {256, 60}, {512, 60}}},
      {16, {{16, 0}, {32, 8}, {64, 24}, {128, 56}, {256, 56}, {512, 56}}}};
  CheckedSimulation simulation(platform("mi300"));
  for (const auto& [bytes, byStride] : measured) {
    for (const auto& [stride, conflicts] : byStride) {
      std::uint64_t half = 0;
      load(simulation, bytes, stride, half);
      BOOST_TEST(2 * half == conflicts, bytes << " bytes a lane, " << stride << " apart");
    }
  }
}

// 64 banks, 64 lanes: the passes are the words of the fullest bank over both halves.
BOOST_AUTO_TEST_CASE(an_mi350_reads_32_bits_of_64_lanes_at_once) {
  CheckedSimulation simulation(platform("mi350"));
  const std::map<unsigned, std::uint64_t> expected{{0, 0},    {4, 0},   {8, 1},   {12, 0},
                                                   {16, 3},   {32, 7},  {64, 15}, {128, 31},
                                                   {256, 63}, {260, 0}, {512, 63}};
  for (const auto& [stride, conflicts] : expected) {
    std::uint64_t count = 0;
    const Cycle cycles = load(simulation, 4, stride, count, 64);
    BOOST_TEST(count == conflicts, stride << " bytes apart");
    // The halves go to the port in two cycles: a pass of the second half hides behind the first.
    BOOST_TEST(cycles == 65 + (conflicts == 0 ? 0 : conflicts - 1), stride << " bytes apart");
  }
}

using Phases = std::vector<std::vector<unsigned>>;

Phases phases(std::initializer_list<std::initializer_list<unsigned>> firsts, unsigned each) {
  Phases all;
  for (const auto& phase : firsts) {
    all.emplace_back();
    for (const unsigned first : phase) {
      for (unsigned lane = first; lane < first + each; ++lane) all.back().push_back(lane);
    }
  }
  return all;
}

struct Measured {
  const char* platform;
  unsigned bytes;
  Phases phases;
};
std::ostream& operator<<(std::ostream& out, const Measured& one) {
  return out << one.platform << ", " << one.bytes << " bytes a lane";
}
// Lanes that meet at a bank: nod-ai/amd-shark-ai, docs/empirical-lds/lds_summary.md.
const Measured kMeasured[] = {
    {"mi350", 4, phases({{0}}, 64)},
    {"mi350", 8, phases({{0}, {32}}, 32)},
    {"mi350", 16, phases({{0, 12, 20, 24}, {32, 44, 52, 56}, {4, 8, 16, 28}, {36, 40, 48, 60}}, 4)},
    {"mi300", 4, phases({{0}, {32}}, 32)},
    {"mi300", 8, phases({{0}, {16}, {32}, {48}}, 16)},
    {"mi300", 16,
     phases({{0, 20}, {32, 52}, {4, 16}, {36, 48}, {8, 28}, {40, 60}, {12, 24}, {44, 56}}, 4)},
    {"rdna4", 4, phases({{0}}, 32)},
    {"rdna4", 8, phases({{0}, {16}}, 16)},
    {"rdna4", 16, phases({{0}, {8}, {16}, {24}}, 8)},
    {"rdna3", 4, phases({{0}}, 32)},
    {"rdna3", 8, phases({{0}, {16}}, 16)},
    {"rdna3", 16, phases({{0, 20}, {4, 16}, {8, 28}, {12, 24}}, 4)}};

// Repeats the measurement: two lanes alone ask for two words of a bank.
BOOST_DATA_TEST_CASE(amd_lanes_meet_as_it_was_measured, bdata::make(kMeasured), one) {
  std::map<unsigned, std::size_t> phaseOf;
  for (std::size_t p = 0; p < one.phases.size(); ++p) {
    for (const unsigned lane : one.phases[p]) phaseOf[lane] = p;
  }
  const auto lanes = static_cast<unsigned>(phaseOf.size());
  CheckedSimulation simulation(platform(one.platform));
  for (const bool together : {false, true}) {
    ScriptedWorkload workload(1, lanes);
    workload.grid.sharedBytesPerCta = 4096;
    std::uint64_t pairs = 0;
    for (unsigned a = 0; a < lanes; ++a) {
      for (unsigned b = a + 1; b < lanes; ++b) {
        if ((phaseOf[a] == phaseOf[b]) != together) continue;
        ++pairs;
        auto& load =
            workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, one.bytes,
                               [=](auto, unsigned warp, unsigned lane, auto) -> std::uint64_t {
                                 return kWarpLanes * warp + lane == b ? 1024 : 0;
                               },
                               {1});
        load.activeIn = [=](unsigned warp) {
          LaneMask mask = 0;
          for (const unsigned lane : {a, b}) {
            if (lane / kWarpLanes == warp) mask |= LaneMask{1} << lane % kWarpLanes;
          }
          return mask;
        };
      }
    }
    if (!together && one.phases.size() == 1) continue;  // no two such lanes exist
    BOOST_TEST(simulation.run(workload).totals.bankConflictCycles() == (together ? pairs : 0));
  }
}

struct Slowest {
  const char* platform;
  unsigned bytes;
  unsigned stride;  ///< bytes; a read is slowest from here on
};
std::ostream& operator<<(std::ostream& out, const Slowest& one) {
  return out << one.platform << ", " << one.bytes << " bytes a lane";
}
// nod-ai/amd-shark-ai, docs/empirical-lds: cdna4info.md, rdna3info.md and rdna4info.md. Latencies
// rise up to this stride and stay.
const Slowest kSlowest[] = {{"mi350", 8, 256},  {"rdna3", 4, 128}, {"rdna3", 8, 128},
                            {"rdna3", 16, 128}, {"rdna4", 4, 128}, {"rdna4", 8, 128},
                            {"rdna4", 16, 128}};

BOOST_DATA_TEST_CASE(amd_reads_are_slowest_from_the_stride_that_was_measured, bdata::make(kSlowest),
                     one) {
  CheckedSimulation simulation(platform(one.platform));
  const auto conflicts = [&](unsigned stride) {
    std::uint64_t count = 0;
    load(simulation, one.bytes, stride, count);
    return count;
  };
  for (unsigned stride = one.bytes; stride < one.stride; stride *= 2)
    BOOST_TEST(conflicts(stride) < conflicts(2 * stride), stride << " bytes apart");
  BOOST_TEST(conflicts(one.stride) == conflicts(2 * one.stride));
}

BOOST_DATA_TEST_CASE(a_load_takes_its_passes, bdata::make(kLoads), l) {
  std::uint64_t conflicts = 0;
  CheckedSimulation simulation(platform(l.platform));
  BOOST_TEST(load(simulation, l.bytes, l.stride, conflicts) == l.cycles);
  BOOST_TEST(conflicts == l.conflicts);
}

// Two warps: one scheduler for each, or one for both as the halves of a wave64.
BOOST_DATA_TEST_CASE(a_wavefront_has_one_scheduler, bdata::make({1U, 2U}), warps) {
  constexpr unsigned kInstructions = 100;
  const Configuration configuration =
      platform("gtx480", {"scheduler.wavefront_warps=" + std::to_string(warps)});
  ScriptedWorkload workload(1, 64);
  for (unsigned i = 0; i < kInstructions; ++i)
    workload.add(InstructionClass::Integer, {static_cast<RegisterId>(i % 32)});
  CheckedSimulation simulation(configuration);
  const auto& pipelines = configuration.parameters().core.issue.pipelines;
  BOOST_TEST(simulation.run(workload).cycles ==
             kInstructions * warps - 1 + pipelines.of(InstructionClass::Integer).latency);
}

BOOST_AUTO_TEST_CASE(every_figure_has_a_source) {
  std::vector<std::string> names = otherPlatforms();
  names.insert(names.end(), std::begin(kPlatforms), std::end(kPlatforms));
  for (const std::string& name : names) {
    std::string group;
    std::istringstream lines(platform(name).text());
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.front() == '[') {
        group = line;
        continue;
      }
      const auto is = [&](const char* start) { return line.find(start) == 0; };
      if (group.empty() || group == "[rtl]" ||
          std::any_of(std::begin(kChosen), std::end(kChosen), is))
        continue;
      BOOST_TEST(has(line, "source = \""), name << " " << group << line);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_gtx580_is_a_gtx480_at_another_clock) {
  const auto a = platform("gtx480").parameters();
  const auto b = platform("gtx580").parameters();
  BOOST_TEST(b.clock.frequencyMhz == 772);
  BOOST_TEST(b.scratchpad.bytes == a.scratchpad.bytes);
  BOOST_TEST(b.scratchpad.latency == a.scratchpad.latency);
  BOOST_TEST(b.core.limits.warps == a.core.limits.warps);
  BOOST_TEST(b.memory.cyclesPerSegment == a.memory.cyclesPerSegment);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(micro_benchmark)

/// Returns the cycles of one warp's dependent chain in van den Braak et al. 2016, section 2.
Cycle genIndex(Simulation& simulation, unsigned way, unsigned stride) {
  const std::string text = "genindex repeat=50 ctas=1 fill=0 way=" + std::to_string(way) +
                           " stride=" + std::to_string(stride);
  const auto open = Kernel(text.c_str()).open();
  return simulation.run(*open.workload).cycles;
}

/// Returns the distinct words of `bankBytes` in the fullest bank, from the definition of GenIndex.
unsigned degree(unsigned way, unsigned stride, unsigned bankBytes) {
  std::vector<std::set<unsigned>> bank(32);
  for (unsigned thread = 0; thread < 32; ++thread) {
    const unsigned word = (thread < way ? thread * stride : thread) * 4 / bankBytes;
    bank[word % 32].insert(word);
  }
  std::size_t most = 0;
  for (const auto& words : bank) most = std::max(most, words.size());
  return static_cast<unsigned>(most);
}

// Figures 1 and 2: each step of the chain costs the load's latency plus degree - 1 cycles, for
// every way and stride.
BOOST_DATA_TEST_CASE(a_step_costs_latency_and_degree,
                     bdata::make({"hawaii", "k20"}) ^ bdata::make({64U, 26U}) ^
                         bdata::make({4U, 8U}),
                     name, latency, bankBytes) {
  Simulation simulation(platform(name));
  const Cycle start =
      platform(name).parameters().core.issue.pipelines.of(InstructionClass::Integer).latency;
  for (unsigned way = 1; way <= 32; ++way) {
    for (unsigned stride = 1; stride <= 32; ++stride) {
      const Cycle step = latency + degree(way, stride, bankBytes) - 1;
      BOOST_REQUIRE_EQUAL(genIndex(simulation, way, stride), start + 50 * step);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
