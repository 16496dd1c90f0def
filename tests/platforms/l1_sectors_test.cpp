// Sectors and carve-outs of an L1 on a platform, against an H200, and the bytes that loads find.
#include <fermata/platforms/compose/carveouts.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/traces/csv_rows.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

constexpr std::uint64_t kBase = 0x10000000;

const Sets kH200 = {"global.memory=l1", "global.latency=273", "global.cycles_per_segment=3"};

/// One lane of one warp, which waits for each access.
struct OneLane : ScriptedWorkload {
  OneLane() : ScriptedWorkload(1, 32) {}
  void access(MemoryOperation operation, std::uint64_t at, bool passesL1 = false) {
    Instruction& one = addMemory(MemorySpace::Global, operation, 4, apart(0, kBase + at), {1}, {1});
    one.active = 1;
    one.what.passesL1 = passesL1;
    add(InstructionClass::Integer, {2}, {1}).what.fence = true;
  }
};

/// Rows of a file of results/silicon.
template <class Visit>
unsigned forEachRow(const char* file, Visit visit) {
  const std::string path = std::string(FERMATA_SOURCE_DIR "/results/silicon/") + file;
  traces::CsvRows rows(traces::openInput(path), path);
  BOOST_REQUIRE(rows.next());  // the header
  unsigned count = 0;
  for (; rows.next(); ++count) visit(rows);
  return count;
}
template <class Rows>
unsigned number(Rows& rows, unsigned column) {
  return static_cast<unsigned>(std::stoul(std::string(rows[column])));
}

void prepare(OneLane& workload, const std::string& before) {
  const auto begins = [&](const char* word) { return before.rfind(word, 0) == 0; };
  if (begins("load")) workload.access(MemoryOperation::Load, 0);
  if (before == "store" || before == "load and store") workload.access(MemoryOperation::Store, 0);
  if (before == "load and atomic") workload.access(MemoryOperation::Atomic, 0);
  for (unsigned word = 0; word < 8 && begins("stores"); ++word)
    workload.access(MemoryOperation::Store, 4 * word);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(l1_sectors)

// The clock around a load takes 28 cycles of those measured: a hit takes 32 (l1.csv). A load behind
// an atomic takes 119 cycles more than another miss even 3000 cycles later: that is the L2's doing.
BOOST_AUTO_TEST_CASE(a_load_finds_what_it_finds_on_an_h200) {
  CheckedSimulation simulation(platform("sm_90", kH200));
  const auto cycles = [&](const std::string& before, unsigned behind, bool load) {
    OneLane workload;
    prepare(workload, before);
    if (load) workload.access(MemoryOperation::Load, behind);
    workload.add(InstructionClass::Integer, {3}, {2});
    return static_cast<double>(simulation.run(workload).cycles);
  };
  const double hit = cycles("load", 0, true) - cycles("load", 0, false);
  const double miss = cycles("nothing", 0, true) - cycles("nothing", 0, false);
  BOOST_TEST(miss > hit + 200);
  unsigned hits = 0;
  const unsigned count = forEachRow("sectors.csv", [&](auto& rows) {
    const std::string before(rows[1]);
    const double ours =
        cycles(before, number(rows, 2), true) - cycles(before, number(rows, 2), false);
    const unsigned measured = number(rows, 3);
    hits += measured < 100 ? 1 : 0;
    BOOST_TEST_CONTEXT(before << ", " << number(rows, 2) << " bytes behind") {
      BOOST_TEST(std::abs(ours - (measured < 100 ? hit : miss)) <= 4, ours << " " << measured);
      const double others = measured > 400 ? 119 : 0;
      BOOST_TEST(std::abs(ours - (measured - 28 - others)) <= 20, ours << " " << measured);
    }
  });
  BOOST_TEST(count == 36U);
  BOOST_TEST(hits == 7U);
}

// Several loads of one sector: those that pass the L1 find and leave nothing there.
BOOST_DATA_TEST_CASE(a_load_may_pass_the_l1,
                     bdata::make({"sm_90", "sm_70", "gtx480-caches", "fermi-ami"}), name) {
  CheckedSimulation simulation(std::string(name) == "sm_90" ? platform(name, kH200)
                                                            : platform(name, {"global.memory=l1"}));
  const auto cycles = [&](const std::vector<bool>& loads) {  // true: passes
    OneLane workload;
    for (const bool passes : loads) workload.access(MemoryOperation::Load, 0, passes);
    workload.add(InstructionClass::Integer, {3}, {2});
    return static_cast<double>(simulation.run(workload).cycles);
  };
  const double miss = cycles({false}) - cycles({});
  const double hit = cycles({false, false}) - cycles({false});
  BOOST_TEST(miss > hit + 100);
  const auto isMiss = [&](double its) { return std::abs(its - miss) <= 32; };  // without a replay
  BOOST_TEST(isMiss(cycles({true}) - cycles({})));
  BOOST_TEST(isMiss(cycles({false, true}) - cycles({false})));
  BOOST_TEST(isMiss(cycles({true, false}) - cycles({true})));
  BOOST_TEST(cycles({false, true, false}) - cycles({false, true}) == hit);
}

namespace {

/// Loads of `lines` lines twice, by one lane that waits for each: misses of the second round.
std::uint64_t missesOf(CheckedSimulation& simulation, unsigned lines, unsigned shared,
                       unsigned threads, std::int32_t carveout = kNoCarveout) {
  ScriptedWorkload workload(1, threads);
  workload.grid.carveout = carveout;
  workload.grid.sharedBytesPerCta = shared;
  workload.repeat = 2 * lines;
  workload.skips = [](unsigned warp) { return warp != 0; };
  auto& load = workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                                  [=](auto, auto, auto, unsigned repetition) {
                                    return kBase + std::uint64_t{128} * (repetition % lines);
                                  },
                                  {1}, {1});
  load.active = 1;
  return simulation.run(workload).l1->counts().totals().of(CacheEvent::L1Miss) - lines;
}

}  // namespace

// Sizes below which some lines of an H200 miss at once (16, 32 and 227 KB) are left out.
BOOST_AUTO_TEST_CASE(an_l1_keeps_the_lines_that_an_h200_keeps) {
  CheckedSimulation simulation(platform("sm_90", kH200));
  unsigned none = 0;
  forEachRow("l1_size.csv", [&](auto& rows) {
    const unsigned shared = number(rows, 1);
    const unsigned lines = number(rows, 2);
    const unsigned measured = number(rows, 3);
    if (shared == 16384 || shared == 32768 || shared == 232448 || lines % 128 != 0) return;
    const std::uint64_t ours = missesOf(simulation, lines, shared, 32);
    BOOST_TEST_CONTEXT(shared << " bytes, " << lines << " lines: " << ours << ", " << measured)
    BOOST_TEST((ours == 0) == (measured == 0));
    none += measured == 0 ? 1 : 0;
  });
  BOOST_TEST(none == 27U);
}

// sm_70 takes nothing for the system: a kernel without shared memory has the whole 128 KB.
BOOST_AUTO_TEST_CASE(a_kernel_without_shared_memory_has_the_whole_array) {
  CheckedSimulation simulation(platform("sm_70", {"global.memory=l1"}));
  BOOST_TEST(missesOf(simulation, 1024, 0, 32) == 0U);
  BOOST_TEST(missesOf(simulation, 1088, 0, 32) > 0U);
  // 32 CTAs of 1 KB take 32 KB, two of 1024 threads take 8 KB, which hold 2 KB.
  BOOST_TEST(missesOf(simulation, 768, 1024, 32) == 0U);
  BOOST_TEST(missesOf(simulation, 896, 1024, 32) > 0U);
  BOOST_TEST(missesOf(simulation, 960, 1024, 1024) == 0U);
  BOOST_TEST(missesOf(simulation, 1024, 1024, 1024) > 0U);
}

// sm_70, CTAs of 1 KB: 0 % keeps 8 KB for them, 33 % (31.7 KB) 32, 34 % 64, 100 % 96 KB.
BOOST_AUTO_TEST_CASE(a_program_may_ask_for_a_split) {
  CheckedSimulation simulation(platform("sm_70", {"global.memory=l1"}));
  const std::pair<std::int32_t, unsigned> splits[] = {{0, 960}, {33, 768}, {34, 512}, {100, 256}};
  for (const auto& [percent, lines] : splits) {
    BOOST_TEST_CONTEXT(percent << " percent, " << lines << " lines") {
      BOOST_TEST(missesOf(simulation, lines, 1024, 32, percent) == 0U);
      BOOST_TEST(missesOf(simulation, lines + 64, 1024, 32, percent) > 0U);
    }
  }
  BOOST_TEST(missesOf(simulation, 256, 65537, 32, 0) == 0U);  // one CTA needs 96 KB
  BOOST_TEST(missesOf(simulation, 320, 65537, 32, 0) > 0U);
}

// sm_80 takes 1 KB for each CTA: 8 KB hold one CTA of 4 KB, 100 % hold 32 of 5 KB in 164.
BOOST_AUTO_TEST_CASE(as_many_ctas_reside_as_the_split_holds) {
  const PlatformParameters p = platform("sm_80", {"global.memory=l1"}).parameters();
  Grid grid;
  grid.ctas = 1000;
  grid.threadsPerCta = 32;
  grid.sharedBytesPerCta = 4096;
  const auto ctas = [&](std::int32_t percent) {
    grid.carveout = percent;
    return occupancy(grid, limitsOf(grid, p)).ctas;
  };
  BOOST_TEST(ctas(kNoCarveout) == 32U);
  BOOST_TEST(ctas(0) == 1U);
  BOOST_TEST(ctas(10) == 6U);  // 16.4 KB: 32
  BOOST_TEST(ctas(100) == 32U);
  CheckedSimulation simulation(platform("sm_80", {"global.memory=l1"}));
  const auto cycles = [&](std::int32_t percent) {
    ScriptedWorkload workload(40, 32);
    workload.grid.sharedBytesPerCta = 4096;
    workload.grid.carveout = percent;
    workload.addSharedLoad(1);
    return simulation.run(workload).cycles;
  };
  BOOST_TEST(cycles(0) > 10 * cycles(kNoCarveout));
}

BOOST_AUTO_TEST_CASE(without_carve_outs_the_l1_has_its_own_size) {
  CheckedSimulation simulation(platform("sm_70", {"global.memory=l1", "l1.carveouts="}));
  BOOST_TEST(missesOf(simulation, 256, 0, 32) == 0U);
  BOOST_TEST(missesOf(simulation, 320, 0, 32) > 0U);
}

// A line takes the memory three cycles, a sector a quarter of that.
BOOST_DATA_TEST_CASE(memory_is_taken_by_bytes,
                     bdata::make({"line", "sectors"}) ^ bdata::make({3.0, 0.75}), fetch, each) {
  CheckedSimulation simulation(
      platform("sm_90", kH200 + Sets{std::string("l1.fetch=") + fetch, "l1.write_policy=through"}));
  ScriptedWorkload workload(1, 1024);
  workload.repeat = 50;
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                     [](auto, unsigned warp, unsigned lane, unsigned repetition) {
                       return kBase + std::uint64_t{128} * ((repetition * 32 + warp) * 32 + lane);
                     });
  const double least = each * 50 * 32 * 32;
  const auto cycles = static_cast<double>(simulation.run(workload).cycles);
  BOOST_TEST(cycles >= least);
  BOOST_TEST(cycles <= 1.4 * least);
}

namespace {

/// Warps that load, store and add at random bytes of a few lines. Memory is as the executor has it.
/// `apart`: each of eight warps has 16 bytes of each line for itself. Where lanes are replayed,
/// bytes of several warps would depend on who comes first.
struct RandomBytes : ScriptedWorkload {
  RandomBytes(unsigned seed, unsigned lines, unsigned accesses, unsigned warps, bool apart)
      : ScriptedWorkload(1, 32 * warps), bytes_(std::size_t{lines} * 128) {
    std::mt19937 random(seed);
    for (unsigned a = 0; a < accesses; ++a) {
      const unsigned width = 1U << random() % 5;
      const unsigned choice = random() % 16;
      const bool atomic = choice == 0 && width >= 4 && width < 16;
      const bool store = !atomic && choice < 6;
      const unsigned first = random() % lines;
      const unsigned spread = 1 + random() % 3;
      const unsigned own = random();
      const auto into = static_cast<RegisterId>(1 + random() % 24);
      const std::vector<RegisterId> waits(random() % 4 == 0 ? 1 : 0, into);
      addMemory(
          MemorySpace::Global,
          atomic  ? MemoryOperation::Atomic
          : store ? MemoryOperation::Store
                  : MemoryOperation::Load,
          width,
          [=](auto, unsigned warp, unsigned lane, unsigned) {
            std::minstd_rand lanes(own + warp * 977 + lane * 131 + 1);
            lanes.discard(2);
            const unsigned line = (first + lanes() % spread) % lines;
            const unsigned room = apart ? 16 : 128;
            const unsigned from = apart ? 16 * warp : 0;
            return kBase + line * 128 + from + lanes() % (room / width) * width;
          },
          store ? std::vector<RegisterId>{} : std::vector<RegisterId>{into}, waits)
          .active = static_cast<LaneMask>(random() | 1U) & static_cast<LaneMask>(random() | 1U);
    }
  }

  void execute(unsigned slot, WarpInstruction& out) override {
    ScriptedWorkload::execute(slot, out);
    out.hasData = true;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((out.active >> lane & 1) == 0) continue;
      std::uint8_t* const here = &bytes_[out.address[lane] - kBase];
      if (out.operation != MemoryOperation::Load) {
        for (unsigned b = 0; b < out.bytesPerLane; ++b)
          here[b] = static_cast<std::uint8_t>(here[b] + 1 + executed + lane);
      }
      std::copy_n(here, out.bytesPerLane, out.data[lane].begin());
    }
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

const char* const kMachines[] = {"gtx480-caches", "fermi-ami"};  // waits, replays
const char* const kPolicies[] = {"evict", "through", "allocate"};

}  // namespace

BOOST_DATA_TEST_CASE(loads_find_the_bytes_of_the_executor,
                     bdata::make(kMachines) * bdata::make(kPolicies) *
                         bdata::make({"miss", "fill"}) * bdata::xrange(1U, 9U),
                     machine, policy, allocate, seed) {
  const auto set = [](const char* path, auto value) {
    std::ostringstream text;
    text << path << '=' << value;
    return text.str();
  };
  CheckedSimulation simulation(platform(
      machine,
      {"verify=true", "l1.split=free", "l1.fetch=sectors", set("l1.write_policy", policy),
       set("l1.allocate", allocate), set("l1.bytes", seed % 2 == 0 ? 512 : 2048), "l1.ways=2",
       "l1.sets=", set("l1.mshrs", seed % 4 == 0 ? 1 : 6), set("l1.merges", seed % 3)}));
  const bool replays = std::string(machine) == "fermi-ami";
  RandomBytes workload(seed, 8 + 6 * (seed % 4), 300, 8, replays);
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST(outcome.compared > 1000U);
  BOOST_TEST(cachesOf(outcome).l1Accesses() == outcome.totals.globalSegments);
}

BOOST_AUTO_TEST_SUITE_END()
