// global.memory = "dram": segments cross the interconnect to DRAM, and no cache keeps them.
#include <fermata/models/memory/line_pool.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/platforms/compose/parameters.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

const Sets kDram{"global.memory=dram"};

/// Returns warps that each load 128 bytes, `repeat` times: one after another through `bytes` bytes,
/// each CTA 256 bytes further on than the one before, lest all meet in one channel.
ScriptedWorkload loads(unsigned ctas, unsigned warps, unsigned repeat, std::uint64_t bytes) {
  ScriptedWorkload workload(ctas, warps * 32);
  workload.repeat = repeat;
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                     [=](auto cta, unsigned warp, unsigned lane, unsigned repetition) {
                       const auto access = (std::uint64_t{repetition} * ctas + cta) * warps + warp;
                       return (128 * access + 256 * cta) % bytes + 4 * std::uint64_t{lane};
                     },
                     {1});
  return workload;
}

void refuses(const char* base, const Refusal& refused) {
  BOOST_CHECK_EXCEPTION(platform(base, {refused.input}), InputError, says(refused.says));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uncached_dram)

namespace {

struct Crossing {
  Sets sets;
  Cycle cycles;
};
std::ostream& operator<<(std::ostream& out, const Crossing& crossing) {
  return out << (crossing.sets.empty() ? "" : crossing.sets.front());
}

constexpr Cycle kNear = 28;  ///< with no latency but the commands of the DRAM

// The interconnect counts each way; 924 cycles of the DRAM's 924 MHz are 700 of the core's 700 MHz.
const Crossing kCrossings[] = {
    {{"interconnect.latency=0", "dram.latency=0"}, kNear},
    {{"interconnect.latency=5", "dram.latency=0"}, kNear + 10},
    {{"interconnect.latency=0", "dram.latency=924"}, kNear + 700},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_load_crosses_the_interconnect_both_ways, bdata::make(kCrossings), crossing) {
  CheckedSimulation simulation(platform("gtx480", kDram + crossing.sets));
  ScriptedWorkload workload = loads(1, 1, 1, 128);
  BOOST_TEST(simulation.run(workload).cycles == crossing.cycles);
}

BOOST_AUTO_TEST_CASE(nothing_keeps_a_line) {
  ScriptedWorkload workload = loads(1, 1, 50, 128);
  CheckedSimulation simulation(platform("gtx480", kDram));
  const RunOutcome outcome = simulation.run(workload);
  const auto& counts = outcome.dram->counts().totals();
  BOOST_TEST(counts.of(CacheEvent::DramRead) == 50U);
  BOOST_TEST(counts.l1Accesses() + counts.l2Accesses() == 0U);
  BOOST_TEST((outcome.l1 == nullptr && outcome.l2 == nullptr));
}

namespace {

struct Bandwidth {
  const char* set;
  double gigabytes;  ///< per second
};
std::ostream& operator<<(std::ostream& out, const Bandwidth& bandwidth) {
  return out << bandwidth.set;
}

// The loads of 8 KB are in one row of each channel: nothing but the bus limits them. Table 3 has
// 4 channels, 8 bytes per transmission, two transmissions per cycle of 800 MHz.
const Bandwidth kBandwidths[] = {
    {"dram.channels=4", 51.2},
    {"dram.channels=2", 25.6},
    {"dram.burst_bytes=64", 102.4},
};

}  // namespace

BOOST_DATA_TEST_CASE(table_3_has_its_51_gigabytes_a_second, bdata::make(kBandwidths), bandwidth) {
  CheckedSimulation simulation(platform("elastic-chip", {bandwidth.set}));
  ScriptedWorkload workload = loads(16, 32, 16, 8192);
  const double bytes = 16.0 * 32 * 16 * 128;
  const double most = bandwidth.gigabytes * 1e9 / 325e6;  // per cycle
  const double reached = bytes / static_cast<double>(simulation.run(workload).cycles);
  BOOST_TEST(reached < most);
  BOOST_TEST(reached > 0.9 * most);
}

BOOST_AUTO_TEST_CASE(several_runs_are_alike) {
  CheckedSimulation simulation(platform("elastic-chip", {"chip.sms=3"}));
  ScriptedWorkload first = loads(6, 4, 4, 65536);
  ScriptedWorkload again = loads(6, 4, 4, 65536);
  const Cycle cycles = simulation.run(first).cycles;
  BOOST_TEST(simulation.run(again).cycles == cycles);
  BOOST_TEST(simulation.simulation.memory()->quiet());
}

BOOST_AUTO_TEST_CASE(lines_name_their_instruction_only_for_a_memory_that_counts) {
  WarpAccess access;
  access.instruction.pc = 17;
  access.program = 3;
  LineJoin join;
  join.access = &access;
  for (const bool instructions : {false, true}) {
    LinePool pool(64, instructions);
    tlm::tlm_generic_payload& line = pool.acquire(join, 128);
    const auto* request = line.get_extension<LineRequest>();
    BOOST_TEST((request != nullptr) == instructions);
    if (request != nullptr) BOOST_TEST((request->pc == 17U && request->program == 3U));
    line.release();
  }
}

namespace {

const Refusal kRefused[] = {
    {"l1.bytes=32768",
     "l1.bytes has no effect, for global.memory is dram; expected global.memory "
     "= \"l1\" or \"caches\""},
    {"l2.bytes=65536", "l2.bytes has no effect, for global.memory is dram"},
    {"global.latency=50",
     "global.latency has no effect, for global.memory is dram; expected global.memory = \"flat\" "
     "or "
     "\"l1\""},
    {"global.cycles_per_segment=9", "global.cycles_per_segment has no effect"},
    {"ami=33/32", "the platform has no L1 (global.memory is dram)"},
    {"dram.banks=3", "dram.banks = 3; expected"},
    {"dram.bank_groups=16", "dram.bank_groups = 16 with dram.banks = 8; expected"},
};

}  // namespace

BOOST_DATA_TEST_CASE(contradictions_are_refused, bdata::make(kRefused), refused) {
  refuses("elastic-chip", refused);
}

BOOST_AUTO_TEST_CASE(flat_memory_takes_nothing_of_dram) {
  const Refusal refused{"dram.channels=8",
                        "dram.channels has no effect, for global.memory is flat; expected "
                        "global.memory = \"dram\" or \"caches\""};
  refuses("gtx480", refused);
}

BOOST_AUTO_TEST_SUITE_END()
