// The work of a study: searches and runs, each in its own process, and their figures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/study/study.h>
#include <fermata/platforms/program/study/study_energy.h>

namespace fermata::platforms {

/// One workload under one variant. Figures of several runs are averaged.
struct StudyCell {
  std::string mapping;   ///< mapping text; empty: the platform's own
  double accesses = 0;   ///< shared accesses by warps; searches: access sets
  double conflicts = 0;  ///< passes beyond the first of each lane group
  double cycles = 0;     ///< in the study's unit; 0: not run
  double warpInstructions = 0;
  bool estimate = false;      ///< conflicts come from a sample of the access sets
  std::size_t baseline = 0;   ///< index of the variant that it is measured against
  double globalAccesses = 0;  ///< by warps: to global, local and texture memory
  double l1Conflicts = 0;     ///< conflicts of the L1
  double replays = 0;
  double squashes = 0;
  // Memory accesses by the lanes that share a value; 0 if no measure needs them.
  double vectorBroadcasts = 0;
  double warpBroadcasts = 0;
  double laneBroadcasts = 0;
  double scatters = 0;
  double maxDegree = 0;
  // Shared atomics with locks; otherwise 0.
  double atomicRounds = 0;
  double lockTries = 0;
  double lockFailuresPosition = 0;
  double lockFailuresAlias = 0;
  double lockFailuresOtherWarp = 0;
  double wavefronts = 0;
  double wavefrontsIdeal = 0;
  double threadInstructions = 0;
  double sharedThreads = 0;  ///< active lanes of the shared accesses; 0 if no measure needs them
  double globalBytes = 0;    ///< asked for by lanes of global accesses; 0 if no measure needs them
  double megahertz = 0;      ///< the platform's issue clock
  // Figures of a pipeline of stages, or of the history of a conflict-aware schedule; otherwise
  // empty.
  std::optional<double> stallBankConflict{};
  std::optional<double> stallScheduleFail{};
  std::optional<double> stallWriteback{};
  std::optional<double> historyHits{};
  std::optional<double> historyMisses{};
  std::optional<double> historyWrong{};
  std::optional<double> subwarps{};     ///< issue cycles per warp
  std::string locks{};                  ///< mapping text of the locks, as `mapping`
  std::optional<StudyEnergy> energy{};  ///< empty if the study has no prices

  double allAccesses() const { return accesses + globalAccesses; }
  double allConflicts() const { return conflicts + l1Conflicts; }
  double repeats() const { return replays + squashes; }
  double issued() const { return warpInstructions + repeats(); }
  std::optional<double> stalls() const {
    if (!stallBankConflict || !stallScheduleFail || !stallWriteback) return {};
    return *stallBankConflict + *stallScheduleFail + *stallWriteback;
  }
};

/// cells[workload][variant]; empty if the variant is not for the workload.
using StudyCells = std::vector<std::vector<std::optional<StudyCell>>>;

/// Receives a text for the user, and the work done and total.
using StudyProgress = std::function<void(const std::string&, std::size_t done, std::size_t total)>;

/// Runs a study of runs or of searches. `connector` puts the platforms together; null: built as
/// configured. Throws InputError.
StudyCells runStudy(const Study& study, const StudyProgress& progress,
                    Connector* connector = nullptr);

/// Returns the measure of a cell against its baseline: same workload, first variant unless the
/// cell's variant names another. Time is measured against the first workload. Returns nothing if
/// the measure is undefined (no conflict to remove, no run).
std::optional<double> measureOf(const StudyCells& cells, std::size_t workload, std::size_t variant,
                                Measure measure);

/// A published configuration beside ours, from a table like table 5 of van den Braak et al., IEEE
/// TC 2016.
struct ConfigurationRow {
  std::string workload;
  std::string search;     ///< "pairs.givargis"
  std::string published;  ///< mapping text
  std::string ours;
  std::uint64_t before = 0;          ///< conflicts of word mod banks on our accesses
  std::uint64_t publishedAfter = 0;  ///< conflicts of the published configuration on our accesses
  std::uint64_t oursAfter = 0;
  bool publishedLegal = true;  ///< the published bank bits are independent
  /// Result of the comparison. "equal"; "order": same bits in another order; "tie": equal in the
  /// search's own measure on our accesses; "accesses": the search prefers another on our accesses;
  /// "dependent": not a mapping. A remark follows if the heuristic as published may also choose it
  /// on our accesses.
  std::string verdict;
};

/// Compares the study's workloads, each with every column of its published file.
std::vector<ConfigurationRow> compareConfigurations(const Study& study,
                                                    const StudyProgress& progress);

}  // namespace fermata::platforms
