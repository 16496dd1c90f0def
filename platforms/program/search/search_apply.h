// Validates a search: runs the platform with the mapping found and without, side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fermata/platforms/program/search/search_job.h>
#include <fermata/results/progress.h>

namespace fermata::platforms {

/// Figures of one workload's run.
struct RunFigures {
  std::uint64_t cycles = 0;
  std::uint64_t conflicts = 0;
  double nanojoules = 0;  ///< 0 without prices
  double seconds = 0;

  /// nJ us
  double energyDelay() const { return nanojoules * seconds * 1e6; }
};

/// Runs of the platform with the best mapping made in one place.
struct AppliedRow {
  const SearchRow* row = nullptr;
  std::vector<RunFigures> after;  ///< per workload
  double savedPercent = 0;        ///< of the cycles, over all workloads times their weights
};

/// Runs of the platform with report.baseline, and with the best mapping in the kernel and in
/// hardware.
struct Applied {
  std::vector<RunFigures> before;  ///< per workload; empty: nothing was run
  std::vector<AppliedRow> rows;    ///< those that leave fewer conflicts than the baseline
  std::string notRun;              ///< why nothing was run

  /// Returns what a row saves; empty: it was not run.
  std::optional<double> savedPercent(const SearchRow& row) const;
};

/// Runs the request's workloads with each mapping, each run in its own process. Runs nothing if no
/// mapping leaves fewer conflicts than the baseline. Throws what the runs throw.
Applied applyBest(const SearchRequest& request, const SearchReport& report,
                  results::Progress& progress);

/// Prints cycles and conflicts of the runs beside the predictions of the search. Precondition:
/// something was run.
void printApplied(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                  std::ostream& out);

}  // namespace fermata::platforms
