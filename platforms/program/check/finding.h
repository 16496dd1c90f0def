// Which lines conflict more than a project allows, and how that is told.
#pragma once

#include <fermata/platforms/program/check/conflict_lines.h>

#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Limits of a line's accesses; at least one is set.
struct ConflictLimits {
  std::optional<unsigned> degree;       ///< the worst that an access may have
  std::optional<double> excessPercent;  ///< of its wavefronts that may be excessive
};

/// A line that is allowed whatever it does: file:line, the file by as much of its path as is given.
struct AllowedLine {
  std::string text;
  std::string file;
  std::uint32_t line = 0;
  bool found = false;  ///< it was a finding, but for this

  bool covers(const ConflictLine& line) const;
};
/// From "file:line". Throws InputError.
AllowedLine parseAllowedLine(const std::string& text);

struct CheckedLine {
  enum class Verdict { Passed, Found, Allowed };
  ConflictLine line;
  Verdict verdict = Verdict::Passed;
  /// What is beyond the limits: "degree 32 (limit 1)"; empty where nothing is.
  std::string why;
};

/// In the order of the lines; notes in `allowed` which were needed.
std::vector<CheckedLine> judge(std::vector<ConflictLine> lines, const ConflictLimits& limits,
                               std::vector<AllowedLine>& allowed);

/// "file:line: warning: ...", as compilers have it.
std::string findingText(const CheckedLine& finding);
/// The sentence of it.
std::string findingMessage(const CheckedLine& finding);
/// SARIF 2.1.0: findings, and allowed ones as suppressed.
std::string sarif(const std::vector<CheckedLine>& lines, const std::string& version);
/// JUnit: a suite a workload, a case a line that was checked.
std::string junit(const std::vector<CheckedLine>& lines);

}  // namespace fermata::platforms
