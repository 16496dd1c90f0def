// Parameters of an SM's core and its parts, and the choices among them. No SystemC.
#pragma once

#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/warp_policy.h>
#include <fermata/models/vocabulary/choice.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fermata {

// Units

/// Organisation of the units: what a busy one holds up. Decoupled: units are independent, and a
/// conflict holds the memory port only (decoupled_execution.h). The others are in-order pipelines
/// (staged_pipeline.h).
enum class PipelineOrganisation : std::uint8_t { Decoupled, Unified, Split, Elastic };

/// True for the in-order pipelines.
constexpr bool isStaged(PipelineOrganisation organisation) {
  return organisation == PipelineOrganisation::Unified ||
         organisation == PipelineOrganisation::Split ||
         organisation == PipelineOrganisation::Elastic;
}

/// Latency: cycles from issue to a dependent issue. Interval: cycles until the unit takes its next
/// instruction.
struct ClassTiming {
  unsigned latency = 9;
  unsigned interval = 1;
};

struct PipelineParameters {
  PipelineOrganisation organisation = PipelineOrganisation::Decoupled;
  unsigned aluUnits = 2;  ///< integer, float, division, branch, barrier, exit
  unsigned specialUnits = 1;
  unsigned doubleUnits = 1;
  unsigned tensorUnits = 0;  ///< 0: instructions of class Tensor are refused
  /// Interval of warp group products (wgmma): cycles per 16x16 by 16x8 halves; 0: these
  /// instructions are refused.
  unsigned groupInterval = 0;
  /// Factor by which products with f32 sums hold their unit longer: 2 on GeForce boards (NVIDIA
  /// Ampere GA102 whitepaper, second hand).
  unsigned floatSums = 1;
  /// Timing by InstructionClass; Memory is not used. Defaults: Fermi, as in platforms/gtx480.toml,
  /// which names the sources. Fermi has no Tensor class: its timing is that of a product of 16x16
  /// by 16x8 halves at 256 multiply-adds per cycle (NVIDIA A100 whitepaper, 2020: a tensor core),
  /// and the latency is an assumption.
  std::array<ClassTiming, kInstructionClasses> timing{
      {{9, 1}, {9, 1}, {18, 4}, {13, 4}, {9, 1}, {1, 1}, {1, 1}, {1, 1}, {32, 8}, {145, 8}}};

  ClassTiming& of(InstructionClass c) { return timing[static_cast<unsigned>(c)]; }
  const ClassTiming& of(InstructionClass c) const { return timing[static_cast<unsigned>(c)]; }
  /// Returns the timing of an instruction. A matrix product holds its unit for its share of the
  /// interval of 16x8x16 halves, rounded up to a cycle. Its latency is shorter or longer by as many
  /// cycles. Products of a warp group add to their sums within the unit, so the next one begins
  /// when the unit is free.
  ClassTiming of(const StaticInstruction& instruction) const {
    const ClassTiming& whole = of(instruction.instructionClass);
    if (instruction.tensorWork == 0) return whole;
    constexpr unsigned kWhole = StaticInstruction::kTensorWork;
    const bool ofGroup = instruction.space != MemorySpace::None;
    const unsigned one = ofGroup ? groupInterval : whole.interval;
    const unsigned interval = (one * instruction.tensorWork + kWhole - 1) / kWhole;
    const unsigned held = instruction.floatSums ? interval * floatSums : interval;
    if (ofGroup) return {std::max(held, whole.latency), held};
    const unsigned latency = whole.latency + interval;
    return {latency > whole.interval ? latency - whole.interval : 1, held};
  }
};

// In-order pipeline

struct StageParameters {
  unsigned stages = 24;       ///< from issue to WB; at least memoryStages + 3
  unsigned memoryStages = 4;  ///< 2 or more
  unsigned simdWidth = 8;     ///< lanes of a subwarp: a power of two up to 32
  unsigned writebackPorts = 1;
  std::optional<unsigned> nonmemQueue;  ///< elastic: entries of the queue; unset: equation 2
  std::optional<unsigned> prememQueue;  ///< elastic: entries of the queue; unset: equation 3

  unsigned subwarps() const { return kWarpLanes / simdWidth; }
  /// Default M = the number of memory stages (equation 2).
  unsigned nonmemEntries() const { return nonmemQueue.value_or(memoryStages); }
  /// Default N = warp size / SIMD width - 1, rounded up (equation 3).
  unsigned prememEntries() const { return prememQueue.value_or(subwarps() - 1); }
};

/// Strict: at most one instruction of a warp is in the pipeline. Relaxed: a warp issues as long as
/// its registers allow it, but not behind a branch (Gou and Gaydadjiev, CF 2011, section 6).
enum class BarrelProcessing : std::uint8_t { Strict, Relaxed };
/// Any: an instruction may write back before an older one of its warp. InOrder: a warp waits until
/// its memory instructions have written back (section 6, second choice).
enum class CommitOrder : std::uint8_t { Any, InOrder };

/// Rule by which the kept executions give a prediction. Mean: rounded up.
enum class HistoryRule : std::uint8_t { Latest, Greatest, Mean };

/// Parameters of the conflict history (conflict_history.h).
struct HistoryParameters {
  unsigned sets = 256;  ///< a power of two; 0: there is no cache, nothing is ever found
  unsigned ways = 2;    ///< 1 or more
  unsigned degree = 0;  ///< prediction for an instruction that is not found
  unsigned length = 1;  ///< executions kept per instruction, 1 or more
  HistoryRule rule = HistoryRule::Latest;
};

/// Source of the prediction. History: past executions of the PC. Perfect: the access itself, as no
/// machine could. None: no conflict is ever predicted.
enum class ConflictPrediction : std::uint8_t { History, Perfect, None };

/// Parameters of the safe distance (memory_spacing.h).
struct SpacingParameters {
  ConflictPrediction prediction = ConflictPrediction::History;
  /// If only memory instructions are ready, issues one despite the distance (footnote 10).
  bool letThrough = false;
  HistoryParameters history;
};

struct InOrderParameters {
  StageParameters stages;
  BarrelProcessing barrel = BarrelProcessing::Strict;
  CommitOrder commit = CommitOrder::Any;
  SpacingParameters spacing;
};

// Accesses

/// Order among replays and new instructions.
enum class ReplayPriority : std::uint8_t {
  Old,  ///< replays before new instructions, in the order in which they came to the buffer
  Age,  ///< replays before new instructions, in the order in which the accesses first issued
  New,  ///< new instructions before replays
};

struct ReplayParameters {
  ReplayPriority priority = ReplayPriority::Old;
  /// Entries; 0: no limit. Each access needs an entry from its issue until it is known that the
  /// access leaves no lane. A full buffer holds up the issue of memory instructions.
  unsigned capacity = 0;
  unsigned latency = 0;    ///< least cycles from a try to the issue of the next try
  unsigned detection = 0;  ///< cycles from a try until the core knows its outcome
};

struct LoadStoreParameters {
  /// Accesses per path that can wait before the memory port; 0: the issue stage waits instead.
  unsigned queue = 0;
  ReplayParameters replay;
};

struct InstructionCacheParameters {
  unsigned bytes = 0;  ///< capacity; 0: every instruction is always present
  unsigned lineBytes = 128;
  unsigned ways = 4;              ///< lines of a set; the least recently used one is replaced
  unsigned instructionBytes = 8;  ///< size of an instruction
  unsigned firstLatency = 300;    ///< cycles to fetch a line for the first time
  unsigned latency = 200;         ///< cycles to fetch a line that was replaced since
};

// The core

struct WarpSchedulerParameters {
  Chosen<WarpPolicy> policy;
  /// Picks the warps if `policy` only says which instructions may go.
  Chosen<WarpPolicy> basePolicy;
  PolicyValues policyValues;
  unsigned schedulers = 2;
  /// Adjacent warps that form one wavefront and belong to one scheduler: 2 for wave64.
  unsigned wavefrontWarps = 1;
  unsigned issueWidth = 1;  ///< instructions per scheduler and cycle, from different warps
  PipelineParameters pipelines;
  InOrderParameters inOrder;     ///< read unless pipelines.organisation is Decoupled
  unsigned constantLatency = 9;  ///< cycles of a constant or parameter load that hits
  LoadStoreParameters loadStore;
  InstructionCacheParameters instructions;
  unsigned reorderBuffer = 0;  ///< entries per warp (reorder_buffer.h); 0: no buffer
};

struct CoreParameters {
  WarpSchedulerParameters issue;
  OccupancyLimits limits;
  bool verify = false;  ///< accesses carry data
};

template <>
struct ChoiceTable<PipelineOrganisation> {
  static const std::vector<NamedChoice<PipelineOrganisation>>& table();
};
template <>
struct ChoiceTable<BarrelProcessing> {
  static const std::vector<NamedChoice<BarrelProcessing>>& table();
};
template <>
struct ChoiceTable<CommitOrder> {
  static const std::vector<NamedChoice<CommitOrder>>& table();
};
template <>
struct ChoiceTable<HistoryRule> {
  static const std::vector<NamedChoice<HistoryRule>>& table();
};
template <>
struct ChoiceTable<ConflictPrediction> {
  static const std::vector<NamedChoice<ConflictPrediction>>& table();
};
template <>
struct ChoiceTable<ReplayPriority> {
  static const std::vector<NamedChoice<ReplayPriority>>& table();
};

}  // namespace fermata
