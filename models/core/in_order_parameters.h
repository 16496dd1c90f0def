// Parameters of the in-order pipelines and of the distance between memory instructions. No SystemC.
#pragma once

#include <fermata/models/vocabulary/choice.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <cstdint>
#include <optional>

namespace fermata {

struct StageParameters {
  unsigned stages = 24;       ///< from issue to WB; at least memoryStages + 3
  unsigned memoryStages = 4;  ///< 2 or more
  unsigned simdWidth = 8;     ///< lanes of a subwarp: a power of two up to 32
  unsigned writebackPorts = 1;
  std::optional<unsigned> nonmemQueue;  ///< elastic: entries of the queue; unset: equation 2
  std::optional<unsigned> prememQueue;  ///< elastic: entries of the queue; unset: equation 3

  /// Cycles for which a subwarp of class special or double holds a unit that all share. The unit
  /// stands in the place of MEM0. 0: units are as wide as the pipeline.
  unsigned unitCycles = 0;

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

template <>
inline constexpr NamedChoice<BarrelProcessing> kChoices<BarrelProcessing>[] = {
    {BarrelProcessing::Strict, "strict"}, {BarrelProcessing::Relaxed, "relaxed"}};
template <>
inline constexpr NamedChoice<CommitOrder> kChoices<CommitOrder>[] = {
    {CommitOrder::Any, "any"}, {CommitOrder::InOrder, "in-order"}};
template <>
inline constexpr NamedChoice<HistoryRule> kChoices<HistoryRule>[] = {
    {HistoryRule::Latest, "latest"},
    {HistoryRule::Greatest, "greatest"},
    {HistoryRule::Mean, "mean"}};
template <>
inline constexpr NamedChoice<ConflictPrediction> kChoices<ConflictPrediction>[] = {
    {ConflictPrediction::History, "history"},
    {ConflictPrediction::Perfect, "perfect"},
    {ConflictPrediction::None, "none"}};

}  // namespace fermata
