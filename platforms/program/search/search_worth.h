// Whether a mapping found is worth having.
#pragma once

#include <optional>
#include <string>

#include <fermata/platforms/program/search/search_apply.h>

namespace fermata::platforms {

/// What a mapping saves, and of which data that holds.
struct Worth {
  /// Percent of the cycles, of runs with the mapping and without; empty: not known.
  std::optional<double> savedPercent;
  /// Percent of the conflicts that come from accesses that data decide: instructions half of whose
  /// accesses or more follow no stride and no block, and whose access sets come less than twice
  /// each on average.
  double dataPercent = 0;
  /// Where that is half of the conflicts or more: percent of the conflicts of every second access
  /// set that a mapping found on the others removes. Data of another run are others, too; of noise
  /// nothing is left.
  std::optional<double> otherHalfPercent;
  /// savedPercent times the share of the removed conflicts that is left of other data; empty where
  /// either is not known or nothing is saved.
  std::optional<double> savedOfOthersPercent;

  /// False where a mapping is known to save less than so many percent.
  bool reaches(double percent) const;
};

/// `row`: best() of the report. `applied`: the runs with it.
Worth worthOf(const SearchRequest& request, const SearchReport& report, const SearchRow& row,
              const Applied& applied);

/// A sentence or two for a person, each a line.
std::string worthText(const SearchRequest& request, const Applied& applied, const Worth& worth);

}  // namespace fermata::platforms
