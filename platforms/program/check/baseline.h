// Lines whose conflicts a project has accepted: `fermata check --baseline FILE` fails only on
// others.
#pragma once

#include <fermata/platforms/program/check/finding.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A CSV file, one row per line of source: workload, kernel, file, opcode, source, line, degree,
/// accesses, wavefronts_excessive. `source` is the text of the line, without the blanks around it.
/// A line is found again by it, wherever it stands by then; by its number where no text is known.
class Baseline {
 public:
  /// Reads the file. Throws InputError with the line of a row that is none.
  explicit Baseline(const std::string& file);
  Baseline() = default;

  /// Marks findings that are no worse than their row as known. Tells the others what they were.
  void apply(std::vector<CheckedLine>& lines);
  /// Returns how many rows of workloads that were checked no finding has used.
  std::size_t unused() const;

 private:
  struct Accepted {
    unsigned degree = 0;
    std::uint64_t accesses = 0;
    std::uint64_t excessive = 0;
  };
  std::map<std::vector<std::string>, std::vector<Accepted>> rows_;  ///< by what identifies a line
  std::set<std::string> checked_;                                   ///< workloads seen by apply()
};

/// Returns the file for lines that exceed a limit and are not allowed.
std::string baselineCsv(const std::vector<CheckedLine>& lines);

}  // namespace fermata::platforms
