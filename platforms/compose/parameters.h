// Parameters of a platform: those of its modules, and what only a platform has. Meaning, unit and
// legal range of a field stand in one place, describe(); reading, overriding, printing and checking
// follow from it. A default stands in the module.
#pragma once

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/rtl/implementation.h>
#include <fermata/models/transaction/scratchpad_shape.h>
#include <fermata/platforms/compose/cache_parameters.h>
#include <fermata/platforms/compose/stage_parameters.h>

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
  unsigned sms = 1;  ///< streaming multiprocessors
  SmCore::Parameters core;
  AddressGenerationUnit::Parameters agu;
  Crossbar::Parameters crossbar;
  ScratchpadParameters scratchpad;
  LockParameters lock;
  Coalescer::Parameters coalescer;
  GlobalMemory globalMemory = GlobalMemory::Flat;
  FlatMemory::Parameters memory;
  L1Parameters l1;
  Interconnect::Parameters interconnect;
  L2Parameters l2;
  DramParameters dram;
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

/// Calls visit(path, field, unit, range, meaning) for every numeric field, and visit(path, field,
/// meaning) for every choice, text and flag. Their order is that of the printed configuration.
template <class Visitor>
void describe(PlatformParameters& p, Visitor& visit) {
  const Range latency{0, 100000};
  const Range interval{1, 10000};
  WarpScheduler::Parameters& issue = p.core.issue;
  PipelineParameters& pipelines = issue.pipelines;
  OccupancyLimits& limits = p.core.limits;
  visit("clock.frequency_mhz", p.clock.frequencyMhz, "MHz", Range{1, 100000}, "issue clock");
  visit("chip.sms", p.sms, "SMs", Range{1, 16},
        "streaming multiprocessors, each with all that is not of l2, dram and interconnect; those "
        "are "
        "shared");
  visit("scheduler.policy", issue.policy,
        "loose round robin, greedy then oldest, two-level, or one of them that keeps memory "
        "instructions apart behind bank conflicts");
  visit("scheduler.base_policy", issue.ofPolicy.base, "what a conflict-aware scheduler does else");
  visit("scheduler.schedulers", issue.schedulers, "", Range{1, 8}, "warp schedulers");
  visit("scheduler.wavefront_warps", issue.wavefrontWarps, "warps", Range{1, 2},
        "of a wavefront, which one scheduler issues: 2 where it has 64 lanes");
  visit("scheduler.issue_width", issue.issueWidth, "instructions/cycle", Range{1, 4},
        "issues of one scheduler, from different warps");
  visit("scheduler.active_warps", issue.ofPolicy.activeWarps, "warps", Range{1, 64},
        "active set of a two-level scheduler");
  describeSpacing(issue.staged.spacing, visit);
  visit("limits.warps", limits.warps, "warps", Range{1, 64}, "resident warps");
  visit("limits.threads", limits.threads, "threads", Range{32, 2048}, "resident threads");
  visit("limits.ctas", limits.ctas, "CTAs", Range{1, 64}, "resident CTAs");
  visit("limits.registers", limits.registers, "registers", Range{64, 1048576}, "32-bit registers");
  visit("limits.register_unit", limits.registerUnit, "registers", Range{1, 4096},
        "granularity of a warp's registers");
  visit("limits.shared_unit", limits.sharedUnit, "bytes", Range{16, 65536, true},
        "granularity of a CTA's shared memory");
  visit("limits.shared_reserved", limits.sharedReserved, "bytes", Range{0, 65536},
        "of shared memory that the system takes for each CTA");
  visit("core.memory_queue", issue.loadStore.queue, "accesses", Range{0, 64},
        "that wait before the memory port, by path; 0: the issue stage waits instead");
  visit("core.reorder_buffer", issue.reorderBuffer, "instructions", Range{0, 1024},
        "of a warp that have issued and not retired, which they do in order; a full buffer holds "
        "the warp; 0: no limit");
  visit("replay.capacity", issue.loadStore.replay.capacity, "accesses", Range{0, 4096},
        "that may be on their way or left; a full buffer holds memory instructions; 0: no limit");
  visit("replay.priority", issue.loadStore.replay.priority,
        "replays before new instructions (old: as they came to the buffer; age: as they issued), "
        "or after them (new)");
  visit("replay.latency", issue.loadStore.replay.latency, "cycles", latency,
        "from a try that fails to the first cycle in which its replay can issue");
  visit("replay.detection", issue.loadStore.replay.detection, "cycles", latency,
        "from a try to its outcome");
  visit("pipeline.organisation", pipelines.organisation,
        "what a busy unit holds up: memory instructions (decoupled), all behind it (unified), "
        "memory instructions and who would write back with it (split), or nothing while queues "
        "have room (elastic)");
  describeStages(issue.staged, visit);
  visit("pipelines.alu_units", pipelines.aluUnits, "units", Range{1, 16},
        "integer, float, division, branch, barrier, exit");
  visit("pipelines.special_units", pipelines.specialUnits, "units", Range{1, 16},
        "special functions, float division");
  visit("pipelines.double_units", pipelines.doubleUnits, "units", Range{1, 16}, "double precision");
  visit("pipelines.tensor_units", pipelines.tensorUnits, "units", Range{0, 64},
        "products of matrices; 0: kernels with such instructions are refused");
  const auto timing = [&](const char* latencyPath, const char* intervalPath, InstructionClass c,
                          const char* what) {
    visit(latencyPath, pipelines.of(c).latency, "cycles", Range{1, 100000}, what);
    visit(intervalPath, pipelines.of(c).interval, "cycles", interval,
          "until the same unit takes the next");
  };
  timing("integer.latency", "integer.interval", InstructionClass::Integer,
         "issue to dependent issue");
  timing("float.latency", "float.interval", InstructionClass::Float, "issue to dependent issue");
  timing("special.latency", "special.interval", InstructionClass::Special,
         "issue to dependent issue");
  timing("double.latency", "double.interval", InstructionClass::Double, "issue to dependent issue");
  timing("division.latency", "division.interval", InstructionClass::Division,
         "issue to dependent issue of an integer division or remainder");
  timing("tensor.latency", "tensor.interval", InstructionClass::Tensor,
         "issue to dependent issue of a product of 16x16 by 16x8 halves; that of others differs by "
         "as much as their interval, which is in proportion to multiply-adds and bits");
  visit("tensor.group_interval", pipelines.groupInterval, "cycles", Range{0, 100000},
        "interval of wgmma, whose products add to their sums without a pause; 0: kernels with such "
        "instructions are refused");
  visit("tensor.float_sums", pipelines.floatSums, "", Range{1, 8},
        "times the interval of others: that of products whose sums are f32");
  timing("branch.latency", "branch.interval", InstructionClass::Branch,
         "issue to the warp's next issue");
  timing("barrier.latency", "barrier.interval", InstructionClass::Barrier,
         "last arrival to the next issue");
  timing("exit.latency", "exit.interval", InstructionClass::Exit, "issue to retirement");
  visit("agu.latency", p.agu.latency, "cycles", latency,
        "base plus offset; the indexer adds its own");
  visit("crossbar.latency", p.crossbar.latency, "cycles", latency, "traversal");
  visit(
      "crossbar.groups_32", p.crossbar.groups.bits32,
      "lanes that the banks are offered at once, group after group: accesses of 32 bits and less");
  visit("crossbar.groups_64", p.crossbar.groups.bits64,
        "lanes that the banks are offered at once, group after group: accesses of 64 bits");
  visit("crossbar.groups_128", p.crossbar.groups.bits128,
        "lanes that the banks are offered at once, group after group: accesses of 128 bits");
  visit(
      "crossbar.groups_128_stores", p.crossbar.groups.bits128Stores,
      "lanes that the banks are offered at once, group after group: stores of 128 bits; empty: as "
      "crossbar.groups_128");
  visit("crossbar.extra_passes_128", p.crossbar.groups.extraPasses128, "passes", Range{0, 32},
        "that each group of a 128-bit access takes beyond the words of its worst bank");
  visit("crossbar.pairs_pack", p.crossbar.groups.pairsPack,
        "loads of 128 bits in which all lanes n and n^1, or all n and n^2, have equal addresses "
        "are offered by halves of the warp");
  visit(
      "crossbar.wire", p.wire,
      "count the wire that words switch in the crossbar, laid out as one grid of lanes and banks");
  visit("scratchpad.indexer", p.scratchpad.indexer, "mapping text; see fermata map");
  visit("scratchpad.banks", p.scratchpad.banks, "banks", Range{1, 4096},
        "of mappings that do not name a count themselves");
  visit("scratchpad.bank_bytes", p.scratchpad.bankBytes, "bytes", Range{4, 8, true},
        "width of a bank");
  visit("scratchpad.row_words", p.crossbar.rowWords, "words", Range{1, 4, true},
        "of scratchpad.bank_bytes in a row of a bank, which delivers them in one pass");
  visit("scratchpad.bytes", p.scratchpad.bytes, "bytes", Range{1024, 1048576}, "capacity");
  visit("scratchpad.ports", p.crossbar.ports, "words/cycle", Range{1, 4},
        "words, or rows of words, that a bank delivers");
  visit("scratchpad.latency", p.scratchpad.latency, "cycles", latency, "last pass to registers");
  visit("scratchpad.conflict_policy", p.crossbar.conflictPolicy,
        "what happens to lanes that lose a bank");
  visit("scratchpad.atomics", p.crossbar.atomics,
        "what atomics are (load: an access with the passes of a load, in which lanes on a word "
        "merge; native: one in which each lane takes its bank for a pass; locked: a loop of reads "
        "that lock and writes that unlock, lock.*)");
  visit(
      "scratchpad.instruction_hashes", p.scratchpad.instructionHashes,
      "hash numbers of instructions, each confined to its region of an indexer with regions: "
      "KERNEL=N, KERNEL:PC=N, KERNEL:PC-PC=N, FILE@LINE=N, FILE@LINE-LINE=N, separated by blanks; "
      "all others have hash 0; empty: none");
  visit(
      "scratchpad.conflict_free", p.scratchpad.conflictFree,
      "instructions whose accesses take no more passes than without a conflict, to see what their "
      "conflicts cost: KERNEL, KERNEL:PC, KERNEL:PC-PC, FILE@LINE, FILE@LINE-LINE, separated by "
      "blanks; empty: none");
  visit("lock.locks", p.lock.locks, "locks", Range{1, 4096},
        "of mappings that do not name a count themselves");
  visit("lock.indexer", p.lock.indexer, "mapping text, from words of the scratchpad to locks");
  visit("lock.winner", p.lock.unit.winner, "which of several lanes of a warp on a lock gets it");
  visit("lock.read_latency", p.lock.unit.readLatency, "cycles", latency,
        "of a read that locks, for each level of bank conflict; or the path's where that is more");
  visit(
      "lock.write_latency", p.lock.unit.writeLatency, "cycles", latency,
      "of a write that unlocks, for each level of bank conflict; or the path's where that is more");
  visit("global.memory", p.globalMemory,
        "what global memory is: one latency and bandwidth (global.*), or caches and DRAM (l1.*, "
        "interconnect.*, l2.*, dram.*)");
  visit("global.coalescer_latency", p.coalescer.latency, "cycles", latency, "lanes to segments");
  visit("global.segment_bytes", p.coalescer.segmentBytes, "bytes", Range{32, 4096, true},
        "coalescing unit");
  visit("global.latency", p.memory.latency, "cycles", latency, "a segment's turn to its data");
  visit("global.cycles_per_segment", p.memory.cyclesPerSegment, "cycles", interval,
        "inverse bandwidth");
  describeL1(p.l1, visit);
  describeL2(p.interconnect, p.l2, visit);
  describeDram(p.dram, visit);
  visit("instruction.bytes", issue.instructions.bytes, "bytes", Range{0, 1048576},
        "capacity of the instruction cache; 0: every instruction is there");
  visit("instruction.line_bytes", issue.instructions.lineBytes, "bytes", Range{8, 4096, true},
        "of a line");
  visit("instruction.ways", issue.instructions.ways, "lines", Range{1, 4096}, "of a set");
  visit("instruction.instruction_bytes", issue.instructions.instructionBytes, "bytes",
        Range{4, 16, true}, "of an instruction");
  visit("instruction.first_latency", issue.instructions.firstLatency, "cycles", latency,
        "to fetch a line for the first time");
  visit("instruction.latency", issue.instructions.latency, "cycles", latency,
        "to fetch a line again");
  visit("constant.latency", issue.constantLatency, "cycles", Range{1, 100000},
        "constant or parameter load that hits");
  visit(
      "rtl.indexer", p.rtl.indexer,
      "who maps words to banks: the model, a block of RTL in its place (rtl), or both, until they "
      "differ (lockstep)");
  visit("rtl.crossbar", p.rtl.crossbar,
        "who makes the passes of an access: the model, a block of RTL (rtl), or both (lockstep)");
  visit("rtl.scratchpad", p.rtl.scratchpad,
        "who holds the data, which are compared: the model, a block of RTL (rtl), or both "
        "(lockstep)");
  visit("rtl.lock", p.rtl.lock,
        "who gets a lock: the model, a block of RTL (rtl), or both (lockstep)");
  visit(
      "run.stall_limit", p.stallLimit, "cycles", Range{0, 1000000000},
      "without a warp that gets on, after which a run ends with an error that says what each warp "
      "and each access waits for; rounds of an atomic that serve no lane do not count; 0: no "
      "limit");
  visit("power.clock_gating", p.clockGating,
        "where energy is booked: the clock of what does nothing stands still; false: the clock of "
        "every component takes energy in each cycle");
  visit("verify", p.verify, "compare every shared load with what was stored at (bank, row)");
}

}  // namespace fermata::platforms
