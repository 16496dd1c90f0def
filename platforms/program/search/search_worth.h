// Decides whether a mapping found is worth having.
#pragma once

#include <optional>
#include <string>

#include <fermata/platforms/program/search/search_apply.h>

namespace fermata::platforms {

/// Savings of a mapping, and how far they hold for other data.
struct Worth {
  /// Percent of the cycles of the run without the mapping; empty: not known.
  std::optional<double> savedPercent;
  /// Percent of the conflicts that stem from data-dependent accesses. These are instructions with
  /// at least half of their accesses following no stride and no block, and with access sets that
  /// occur at most twice each on average.
  double dataPercent = 0;
  /// Percent of the conflicts removed from every second access set by a mapping that was found on
  /// the other sets. It stands for a run with other data: a mapping fitted to noise removes
  /// nothing. Set if dataPercent is at least 50.
  std::optional<double> otherHalfPercent;
  /// savedPercent times the share of the removed conflicts that other data would keep removed.
  /// Empty if either is unknown or nothing is saved.
  std::optional<double> savedOfOthersPercent;

  /// Returns false if the mapping is known to save less than `percent`.
  bool reaches(double percent) const;
};

/// Judges `row`, the best in the kernel or in hardware. `applied`: the runs with it.
Worth worthOf(const SearchRequest& request, const SearchReport& report, const SearchRow& row,
              const Applied& applied);

/// Returns one or two sentences for a person, one per line.
std::string worthText(const SearchRequest& request, const Applied& applied, const Worth& worth);

}  // namespace fermata::platforms
