// The parameters of a platform: plain structs with named fields. What a field means, its unit and
// its legal range stand in one place, describe(), from which reading, overriding, printing and
// checking all follow.
#pragma once

#include <cstdint>
#include <string>

namespace fermata::platforms {

struct ClockParameters {
  double frequencyMhz = 700;
};

struct SchedulerParameters {
  std::string policy = "lrr";
  std::uint32_t schedulers = 2;
  std::uint32_t issueWidth = 1;
  std::uint32_t activeWarps = 8;
};

struct LimitParameters {
  std::uint32_t warps = 48;
  std::uint32_t threads = 1536;
  std::uint32_t ctas = 8;
  std::uint32_t registers = 32768;
  std::uint32_t registerUnit = 64;
  std::uint32_t sharedUnit = 128;
};

struct PipelineUnitParameters {
  std::uint32_t alu = 2;
  std::uint32_t special = 1;
  std::uint32_t doublePrecision = 1;
};

struct TimingParameters {
  std::uint32_t latency = 9;
  std::uint32_t interval = 1;
};

struct AguParameters {
  std::uint32_t latency = 1;
};

struct CrossbarParameters {
  std::uint32_t latency = 1;
  std::string wideAccess = "split";
  std::uint32_t lanes = 32;
};

struct ScratchpadParameters {
  std::string indexer = "mod 32";
  std::uint32_t banks = 32;
  std::uint32_t bankBytes = 4;
  std::uint32_t bytes = 49152;
  std::uint32_t ports = 1;
  std::uint32_t latency = 24;
  std::string conflictPolicy = "serialize";
  std::string instructionHashes;
};

struct GlobalParameters {
  std::uint32_t coalescerLatency = 1;
  std::uint32_t segmentBytes = 128;
  std::uint32_t latency = 400;
  std::uint32_t cyclesPerSegment = 8;
};

struct ConstantParameters {
  std::uint32_t latency = 9;
};

/// Everything that one streaming multiprocessor and its memory need.
struct PlatformParameters {
  std::string name = "custom";
  std::string description;
  ClockParameters clock;
  SchedulerParameters scheduler;
  LimitParameters limits;
  PipelineUnitParameters units;
  TimingParameters integer{9, 1};
  TimingParameters floating{9, 1};
  TimingParameters special{18, 4};
  TimingParameters doublePrecision{9, 4};
  TimingParameters branch{9, 1};
  TimingParameters barrier{1, 1};
  TimingParameters exit{1, 1};
  AguParameters agu;
  CrossbarParameters crossbar;
  ScratchpadParameters scratchpad;
  GlobalParameters global;
  ConstantParameters constant;
  bool verify = false;
};

/// Range of an integer or real parameter.
struct Range {
  double least;
  double most;
  bool powerOfTwo = false;
};

/// Calls visit(path, field, unit, range, meaning) for every numeric field and visit(path, field,
/// choices, meaning) for every text; `choices` separates the legal values by '|', empty: any. Order
/// is that of the printed configuration.
template <class Parameters, class Visitor>
void describe(Parameters& p, Visitor& visit) {
  const Range latency{0, 100000};
  const Range interval{1, 10000};
  visit("clock.frequency_mhz", p.clock.frequencyMhz, "MHz", Range{1, 100000}, "issue clock");
  visit("scheduler.policy", p.scheduler.policy, "lrr|gto|two-level",
        "loose round robin, greedy then oldest, or two-level");
  visit("scheduler.schedulers", p.scheduler.schedulers, "", Range{1, 8}, "warp schedulers");
  visit("scheduler.issue_width", p.scheduler.issueWidth, "instructions/cycle", Range{1, 4},
        "issues of one scheduler, from different warps");
  visit("scheduler.active_warps", p.scheduler.activeWarps, "warps", Range{1, 64},
        "active set of a two-level scheduler");
  visit("limits.warps", p.limits.warps, "warps", Range{1, 64}, "resident warps");
  visit("limits.threads", p.limits.threads, "threads", Range{32, 2048}, "resident threads");
  visit("limits.ctas", p.limits.ctas, "CTAs", Range{1, 64}, "resident CTAs");
  visit("limits.registers", p.limits.registers, "registers", Range{64, 1048576},
        "32-bit registers");
  visit("limits.register_unit", p.limits.registerUnit, "registers", Range{1, 4096},
        "granularity of a warp's registers");
  visit("limits.shared_unit", p.limits.sharedUnit, "bytes", Range{16, 65536, true},
        "granularity of a CTA's shared memory");
  visit("pipelines.alu_units", p.units.alu, "units", Range{1, 16},
        "integer, float, branch, barrier, exit");
  visit("pipelines.special_units", p.units.special, "units", Range{1, 16},
        "special functions, division");
  visit("pipelines.double_units", p.units.doublePrecision, "units", Range{1, 16},
        "double precision");
  const auto timing = [&](const char* latencyPath, const char* intervalPath, auto& t,
                          const char* what) {
    visit(latencyPath, t.latency, "cycles", Range{1, 100000}, what);
    visit(intervalPath, t.interval, "cycles", interval, "until the same unit takes the next");
  };
  timing("integer.latency", "integer.interval", p.integer, "issue to dependent issue");
  timing("float.latency", "float.interval", p.floating, "issue to dependent issue");
  timing("special.latency", "special.interval", p.special, "issue to dependent issue");
  timing("double.latency", "double.interval", p.doublePrecision, "issue to dependent issue");
  timing("branch.latency", "branch.interval", p.branch, "issue to the warp's next issue");
  timing("barrier.latency", "barrier.interval", p.barrier, "last arrival to the next issue");
  timing("exit.latency", "exit.interval", p.exit, "issue to retirement");
  visit("agu.latency", p.agu.latency, "cycles", latency,
        "base plus offset; the indexer adds its own");
  visit("crossbar.latency", p.crossbar.latency, "cycles", latency, "traversal");
  visit("crossbar.wide_access", p.crossbar.wideAccess, "split|merged",
        "64- and 128-bit accesses: by halves and quarters of the warp, or all words at once");
  visit("crossbar.lanes", p.crossbar.lanes, "lanes", Range{16, 32, true},
        "served together: the warp, or one half of it after the other");
  visit("scratchpad.indexer", p.scratchpad.indexer, "", "mapping text; see fermata map");
  visit("scratchpad.banks", p.scratchpad.banks, "banks", Range{1, 4096},
        "of mappings that do not name a count themselves");
  visit("scratchpad.bank_bytes", p.scratchpad.bankBytes, "bytes", Range{4, 8, true},
        "width of a bank");
  visit("scratchpad.bytes", p.scratchpad.bytes, "bytes", Range{1024, 1048576}, "capacity");
  visit("scratchpad.ports", p.scratchpad.ports, "words/cycle", Range{1, 4},
        "words that a bank delivers");
  visit("scratchpad.latency", p.scratchpad.latency, "cycles", latency, "last pass to registers");
  visit("scratchpad.conflict_policy", p.scratchpad.conflictPolicy, "serialize",
        "what happens to lanes that lose a bank");
  visit(
      "scratchpad.instruction_hashes", p.scratchpad.instructionHashes, "",
      "hash numbers of instructions, each confined to its region of an indexer with regions: "
      "KERNEL=N, KERNEL:PC=N, KERNEL:PC-PC=N, FILE@LINE=N, FILE@LINE-LINE=N, separated by blanks; "
      "all others have hash 0; empty: none");
  visit("global.coalescer_latency", p.global.coalescerLatency, "cycles", latency,
        "lanes to segments");
  visit("global.segment_bytes", p.global.segmentBytes, "bytes", Range{32, 4096, true},
        "coalescing unit");
  visit("global.latency", p.global.latency, "cycles", latency, "a segment's turn to its data");
  visit("global.cycles_per_segment", p.global.cyclesPerSegment, "cycles", interval,
        "inverse bandwidth");
  visit("constant.latency", p.constant.latency, "cycles", Range{1, 100000},
        "constant or parameter load that hits");
  visit("verify", p.verify, "compare every shared load with what was stored at (bank, row)");
}

}  // namespace fermata::platforms
