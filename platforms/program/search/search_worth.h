// Whether a mapping found is worth having.
#pragma once

#include <optional>
#include <string>

#include <fermata/platforms/program/search/search_job.h>

namespace fermata::platforms {

/// What a mapping can save, without a run in time.
struct Worth {
  /// Conflicts that the mapping removes, as percent of the cycles that the workloads need at least:
  /// as many as their warp instructions take issue slots, and their accesses passes. The cycles
  /// that a run saves are fewer as a rule, since it waits for more than these.
  double mostPercent = 0;
  /// Percent of the conflicts that come from accesses that data decide: instructions half of whose
  /// accesses or more follow no stride and no block, and whose access sets come less than twice
  /// each on average.
  double dataPercent = 0;
  /// Where that is half of the conflicts or more: percent of the conflicts of every second access
  /// set that a mapping found on the others removes. Data of another run are others, too; of noise
  /// nothing is left. mostPercent is that of this share.
  std::optional<double> otherHalfPercent;
};

/// Of a row of the report.
Worth worthOf(const SearchRequest& request, const SearchReport& report, const SearchRow& row);

/// A sentence or two for a person, each a line.
std::string worthText(const SearchRequest& request, const Worth& worth);

}  // namespace fermata::platforms
