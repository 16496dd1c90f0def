// Parameters of a platform: those of its modules, and what only a platform has. Meaning, unit and
// legal range of a field stand in one place, describe(); reading, overriding, printing and checking
// follow from it. A default stands in the module.
#pragma once

#include <fermata/models/core/core_description.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/rtl/implementation.h>
#include <fermata/models/transaction/scratchpad_shape.h>
#include <fermata/platforms/compose/cache_parameters.h>

#include <cstdint>
#include <string>

namespace fermata::platforms {

struct ClockParameters {
  double frequencyMhz = 700;
};

struct ScratchpadParameters : ScratchpadShape {
  std::string indexer = "mod 32";
  std::string instructionHashes;
  std::string conflictFree;
  unsigned latency = Scratchpad::Parameters{}.latency;
};

/// Locks of a scratchpad whose atomics are loops.
struct LockParameters {
  std::uint32_t locks = 1024;
  std::string indexer = "mod 1024";
  LockUnit::Parameters unit;
};

/// Implementation of each module: the model, RTL or both.
struct RtlParameters {
  rtl::Implementation indexer = rtl::Implementation::Model;
  rtl::Implementation crossbar = rtl::Implementation::Model;
  rtl::Implementation scratchpad = rtl::Implementation::Model;
  rtl::Implementation lock = rtl::Implementation::Model;
};

/// Everything that streaming multiprocessors and their memory need. A value that modules share (the
/// shape of the scratchpad, verify) is set here once; StreamingMultiprocessor hands it to each.
struct PlatformParameters {
  std::string name = "custom";
  std::string description;
  ClockParameters clock;
  double capability = 0;      ///< compute capability that programs see; 0: none
  unsigned memoryMib = 2048;  ///< device memory that programs see
  unsigned sms = 1;           ///< streaming multiprocessors
  unsigned smsOfChip = 0;     ///< of the whole chip (chip_share.h); 0: `sms`
  std::string gpcs;           ///< text of gpc_text.h; empty: none
  unsigned epoch = 0;         ///< cycles that each runs alone (epochs.h); 0: all go cycle by cycle
  CoreParameters core;
  AddressGenerationUnit::Parameters agu;
  Crossbar::Parameters crossbar;
  ScratchpadParameters scratchpad;
  LockParameters lock;
  Coalescer::Parameters coalescer;
  GlobalMemory globalMemory = GlobalMemory::Flat;
  unsigned bufferGap = 256;  ///< bytes free behind each buffer
  FlatMemory::Parameters memory;
  L1Parameters l1;
  Interconnect::Parameters interconnect;
  L2Parameters l2;
  double dramFrequencyMhz = 924;
  DramParameters dram;
  PolicyValues policyValues;  ///< of the policies for conflicts, atomics and replacement
  RtlParameters rtl;
  bool wire = false;  ///< count the wire that the crossbars switch
  bool verify = false;
  unsigned stallLimit = 10000000;  ///< cycles; 0: none
  bool clockGating = true;         ///< for energy: an idle component has no clock
};

/// Returns the limits of the core, with the capacity of the platform's scratchpad.
inline OccupancyLimits occupancyLimits(const PlatformParameters& p) {
  OccupancyLimits limits = p.core.limits;
  limits.sharedBytes = p.scratchpad.bytes;
  return limits;
}

template <class Visitor>
void describeAtomics(AtomicTable& table, Visitor& visit) {
  const Range latency{0, 100000};
  visit("atomic.merged", table.merged,
        "forms of shared atomics in which lanes on one word merge, as in a load");
  visit("atomic.loops", table.loops,
        "forms of shared atomics that are loops of a load, the operation, a compare and swap, a "
        "test and a branch");
  visit("atomic.latency", table.latency, "cycles", latency,
        "latency of a shared atomic beyond that of a load with as many passes");
  visit("atomic.swap_passes", table.swapPasses, "passes", Range{1, 3},
        "passes of a compare and swap for each pass of another atomic");
  visit("atomic.swap_latency", table.swapLatency, "cycles", latency,
        "latency of a compare and swap beyond that of a load with as many passes");
  visit("atomic.test_latency", table.testLatency, "cycles", latency,
        "in a loop of atomic.loops: latency of the test of a swap beyond that of an integer "
        "instruction");
}

/// Calls visit(path, field, unit, range, meaning) for every numeric field, and visit(path, field,
/// meaning) for every choice, text and flag. Their order is that of the printed configuration.
template <class Visitor>
void describe(PlatformParameters& p, Visitor& visit) {
  const Range latency{0, 100000};
  const Range interval{1, 10000};
  visit("clock.frequency_mhz", p.clock.frequencyMhz, "MHz", Range{1, 100000},
        "issue clock of the SMs");
  visit("device.capability", p.capability, "", Range{0, 99.9},
        "compute capability that CUDA programs see, at least 7.0; 0: none");
  visit("device.memory_mib", p.memoryMib, "MiB", Range{1, 1 << 19},
        "device memory that CUDA programs see; the host provides what they touch");
  visit("chip.sms", p.sms, "SMs", Range{1, 256},
        "streaming multiprocessors; l2, dram and interconnect are shared, every other part is per "
        "SM");
  visit("chip.of", p.smsOfChip, "SMs", Range{0, 256},
        "SMs of the chip whose memory l2.* and dram.* describe; chip.sms of them have their share "
        "of it; 0: all of it");
  visit("chip.gpcs", p.gpcs,
        "SMs of each graphics processing cluster (GPC) of the whole chip, such as 16 18; 8+8: 8 "
        "more in lone TPCs, which join no cluster of more than 2 CTAs; 18:1: near partition 1 of "
        "the L2, where others are near 0; GPCs say how CTAs come to SMs, where clusters lie, and "
        "which SMs share interconnect.gpc_*; empty: no GPCs");
  visit("chip.epoch", p.epoch, "cycles", latency,
        "time for which each SM is simulated alone, at most interconnect.latency; places of CTAs "
        "are filled at its end; 0: SMs are simulated cycle by cycle, and places filled at once");
  describeCore(p.core, visit);
  visit("agu.latency", p.agu.latency, "cycles", latency,
        "to add base and offset of an address; the indexer's latency comes in addition");
  visit("crossbar.latency", p.crossbar.latency, "cycles", latency, "traversal of the crossbar");
  visit("crossbar.groups_32", p.crossbar.groups.bits32,
        "lane groups (lanes that the banks are offered together, group after group) of accesses of "
        "at most 32 bits per lane");
  visit("crossbar.groups_64", p.crossbar.groups.bits64,
        "lane groups (lanes that the banks are offered together, group after group) of accesses of "
        "64 bits per lane");
  visit("crossbar.groups_128", p.crossbar.groups.bits128,
        "lane groups (lanes that the banks are offered together, group after group) of accesses of "
        "128 bits per lane");
  visit("crossbar.groups_128_stores", p.crossbar.groups.bits128Stores,
        "lane groups (lanes that the banks are offered together, group after group) of stores of "
        "128 bits per lane; empty: as crossbar.groups_128");
  visit("crossbar.extra_passes_128", p.crossbar.groups.extraPasses128, "passes", Range{0, 32},
        "passes that each lane group of a 128-bit access takes in addition to its degree");
  visit("crossbar.packing_64", p.crossbar.groups.packing64,
        "distances d at which 64-bit loads pack: where all active lanes n and n^d have equal "
        "addresses, lane groups come in pairs; empty: never");
  visit("crossbar.packing_128", p.crossbar.groups.packing128,
        "distances d at which 128-bit loads pack: where all active lanes n and n^d have equal "
        "addresses, lane groups come in pairs; empty: never");
  visit("crossbar.idle_groups_count", p.crossbar.groups.idleGroupsCount,
        "an access takes a pass for each of its lane groups at least, also for those without an "
        "active lane");
  visit(
      "crossbar.wire", p.wire,
      "count the wire that words switch in the crossbar, laid out as one grid of lanes and banks");
  visit("scratchpad.indexer", p.scratchpad.indexer,
        "mapping text, from words of the scratchpad to banks; see fermata map");
  visit("scratchpad.banks", p.scratchpad.banks, "banks", Range{1, 4096},
        "banks of the scratchpad; used by mappings that name no count");
  visit("scratchpad.bank_bytes", p.scratchpad.bankBytes, "bytes", Range{4, 8, true},
        "width of a scratchpad bank");
  visit("scratchpad.row_words", p.crossbar.rowWords, "words", Range{1, 4, true},
        "words of scratchpad.bank_bytes per row of a bank; a bank delivers a row in one pass");
  visit("scratchpad.bytes", p.scratchpad.bytes, "bytes", Range{1024, 1048576},
        "capacity of the scratchpad");
  visit("scratchpad.ports", p.crossbar.ports, "words/cycle", Range{1, 4},
        "words, or rows of scratchpad.row_words words, that a bank delivers per cycle");
  visit("scratchpad.latency", p.scratchpad.latency, "cycles", latency,
        "from the last pass of an access to the registers");
  visit("scratchpad.conflict_policy", p.crossbar.conflictPolicy,
        "treatment of lanes that lose a bank of the scratchpad");
  describePolicies<ConflictPolicy>(p.policyValues, visit);
  visit("scratchpad.atomics", p.crossbar.atomics,
        "execution of shared atomics: load (an access with the passes of a load, in which lanes on "
        "one word merge), native (an access in which each lane takes its bank for one pass), "
        "locked (a loop of reads that lock and writes that unlock, lock.*), by-instruction (each "
        "form of atomics as the machine serves it, atomic.*)");
  describePolicies<AtomicPolicy>(p.policyValues, visit);
  visit("scratchpad.instruction_hashes", p.scratchpad.instructionHashes,
        "hash numbers of instructions: KERNEL=N, KERNEL:PC=N, KERNEL:PC-PC=N, FILE@LINE=N, "
        "FILE@LINE-LINE=N, separated by blanks; instructions not named have hash 0; hash i "
        "confines its instructions to region i of an indexer with regions; empty: none");
  visit("scratchpad.conflict_free", p.scratchpad.conflictFree,
        "instructions whose accesses take only their ideal passes, to see what their conflicts "
        "cost: KERNEL, KERNEL:PC, KERNEL:PC-PC, FILE@LINE, FILE@LINE-LINE, separated by blanks; "
        "empty: none");
  describeAtomics(p.crossbar.atomicTable, visit);
  visit("lock.locks", p.lock.locks, "locks", Range{1, 4096},
        "lock bits; used by mappings that name no count");
  visit("lock.indexer", p.lock.indexer, "mapping text, from words of the scratchpad to locks");
  visit("lock.winner", p.lock.unit.winner,
        "lane that gets a lock which several lanes of a warp try to take");
  visit("lock.read_latency", p.lock.unit.readLatency, "cycles", latency,
        "latency per pass of a read that locks; the path's latency if that is longer");
  visit("lock.write_latency", p.lock.unit.writeLatency, "cycles", latency,
        "latency per pass of a write that unlocks; the path's latency if that is longer");
  visit("global.memory", p.globalMemory,
        "kind of global memory: flat (one latency and bandwidth, global.*), l1 (an L1 before flat "
        "memory: l1.*, global.*), dram (DRAM behind the interconnect, no caches: interconnect.*, "
        "dram.*) or caches (caches and DRAM: l1.*, interconnect.*, l2.*, dram.*)");
  visit(
      "global.buffer_gap", p.bufferGap, "bytes", Range{0, 1 << 20},
      "at least so many stay free behind each buffer, rounded up to a multiple of 256, so that an "
      "access behind its end is found; 0: buffers lie side by side");
  visit("global.coalescer_latency", p.coalescer.latency, "cycles", latency,
        "to gather the lanes of a global access into segments");
  visit("global.segment_bytes", p.coalescer.segmentBytes, "bytes", Range{32, 4096, true},
        "bytes per segment, the unit into which global accesses are coalesced");
  visit("global.latency", p.memory.latency, "cycles", latency,
        "from a segment's turn at flat memory to its data");
  visit("global.cycles_per_segment", p.memory.cyclesPerSegment, "cycles", interval,
        "inverse bandwidth of flat memory");
  describeL1(p.l1, visit);
  describeL2(p.interconnect, p.l2, visit);
  describePolicies<ReplacementPolicy>(p.policyValues, visit);
  visit("dram.frequency_mhz", p.dramFrequencyMhz, "MHz", Range{1, 100000},
        "command clock of the DRAM");
  describeDram(p.dram, visit);
  describeFetch(p.core.issue, visit);
  visit("rtl.indexer", p.rtl.indexer,
        "mapping of words to banks: done by the model, by a block of RTL in its place (rtl), or by "
        "both until they differ (lockstep)");
  visit("rtl.crossbar", p.rtl.crossbar,
        "passes of an access: made by the model, by a block of RTL in its place (rtl), or by both "
        "until they differ (lockstep)");
  visit("rtl.scratchpad", p.rtl.scratchpad,
        "data of the scratchpad: held by the model, by a block of RTL in its place (rtl), or by "
        "both until they differ (lockstep); with RTL verify is true");
  visit("rtl.lock", p.rtl.lock,
        "locks: granted by the model, by a block of RTL in its place (rtl), or by both until they "
        "differ (lockstep)");
  visit("run.stall_limit", p.stallLimit, "cycles", Range{0, 1000000000},
        "cycles without progress of any warp, after which the run ends with an error that names "
        "what each warp and each access waits for; rounds of an atomic that serve no lane are no "
        "progress; 0: no limit");
  visit("power.clock_gating", p.clockGating,
        "where energy is booked, stop the clock of an idle component; false: the clock of every "
        "component takes energy in each cycle");
  visit("verify", p.verify, "compare every shared load with what was stored at (bank, row)");
}

}  // namespace fermata::platforms
