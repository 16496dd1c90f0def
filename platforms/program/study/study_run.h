// The work of a study: searches and runs, each in a process of its own, and the figures they give.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/study/study.h>
#include <fermata/platforms/program/study/study_energy.h>

namespace fermata::platforms {

/// One workload under one variant; figures of several runs are averaged.
struct StudyCell {
  std::string mapping;   ///< mapping text; empty: the platform's own
  double accesses = 0;   ///< of shared memory, by warps; searches: access sets
  double conflicts = 0;  ///< passes beyond the first of each group of lanes
  double cycles = 0;     ///< in the study's unit; 0: not run
  double warpInstructions = 0;
  bool estimate = false;      ///< conflicts: from a sample of the access sets
  std::size_t baseline = 0;   ///< variant that it is measured against, of the same workload
  double globalAccesses = 0;  ///< by warps: of global, local and texture memory
  double l1Conflicts = 0;     ///< as `conflicts`, of the L1
  double replays = 0;
  double squashes = 0;
  // Accesses to memory by who shares a value; 0 where no measure asks.
  double vectorBroadcasts = 0;
  double warpBroadcasts = 0;
  double laneBroadcasts = 0;
  double scatters = 0;
  double maxDegree = 0;
  // Where shared atomics take locks; else 0.
  double atomicRounds = 0;
  double lockTries = 0;
  double lockFailuresPosition = 0;
  double lockFailuresAlias = 0;
  double lockFailuresOtherWarp = 0;
  double wavefronts = 0;
  double wavefrontsIdeal = 0;
  double threadInstructions = 0;
  double sharedThreads = 0;  ///< lanes of the shared accesses; 0 where no measure asks
  // Of a pipeline of stages, and of the history of a conflict-aware schedule; else nothing.
  std::optional<double> stallBankConflict{};
  std::optional<double> stallScheduleFail{};
  std::optional<double> stallWriteback{};
  std::optional<double> historyHits{};
  std::optional<double> historyMisses{};
  std::optional<double> historyWrong{};
  std::optional<double> subwarps{};     ///< of a warp: cycles that its issue takes
  std::string locks{};                  ///< as `mapping`, of the locks
  std::optional<StudyEnergy> energy{};  ///< where the study has prices; else nothing

  double allConflicts() const { return conflicts + l1Conflicts; }
  double repeats() const { return replays + squashes; }
  double issued() const { return warpInstructions + repeats(); }
  std::optional<double> stalls() const {
    if (!stallBankConflict || !stallScheduleFail || !stallWriteback) return {};
    return *stallBankConflict + *stallScheduleFail + *stallWriteback;
  }
};

/// cells[workload][variant]; nothing where a variant is not for the workload.
using StudyCells = std::vector<std::vector<std::optional<StudyCell>>>;

/// (what, done, total)
using StudyProgress = std::function<void(const std::string&, std::size_t done, std::size_t total)>;

/// Studies of runs and of searches. `connector` puts the platforms together; null: as they come.
/// Throws InputError.
StudyCells runStudy(const Study& study, const StudyProgress& progress,
                    Connector* connector = nullptr);

/// The measure of a cell against its baseline (the first variant unless its own names another, same
/// workload), or for Time against the first workload; nothing where it is undefined (no conflict to
/// remove, no run).
std::optional<double> measureOf(const StudyCells& cells, std::size_t workload, std::size_t variant,
                                Measure measure);

/// One published configuration of a table like table 5 of van den Braak et al., IEEE TC 2016,
/// beside ours.
struct ConfigurationRow {
  std::string workload;
  std::string search;     ///< "pairs.givargis"
  std::string published;  ///< mapping text
  std::string ours;
  std::uint64_t before = 0;          ///< conflicts of word mod banks on our accesses
  std::uint64_t publishedAfter = 0;  ///< of the published configuration on our accesses
  std::uint64_t oursAfter = 0;
  bool publishedLegal = true;  ///< its bank bits are independent
  /// "equal", "order" (the same bits in another order), "tie" (the search's own measure does not
  /// tell them apart on our accesses), "accesses" (it prefers another there), or "dependent" (it is
  /// no mapping), with a remark when the heuristic as published may choose it on our accesses too.
  std::string verdict;
};

/// The study's workloads, each with every column of its published file.
std::vector<ConfigurationRow> compareConfigurations(const Study& study,
                                                    const StudyProgress& progress);

}  // namespace fermata::platforms
