// Lines that conflict more than a project allows, and how they are reported.
#pragma once

#include <fermata/platforms/program/check/conflict_lines.h>

#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Limits of a line's accesses; at least one is set.
struct ConflictLimits {
  std::optional<unsigned> degree;       ///< highest degree that an access may have
  std::optional<double> excessPercent;  ///< percent of its wavefronts that may be excessive
};

/// A line that is always allowed: "file:line". `file` may be any trailing part of the path.
struct AllowedLine {
  std::string text;
  std::string file;
  std::uint32_t line = 0;
  bool found = false;  ///< the line would have been a finding

  bool covers(const ConflictLine& line) const;
};
/// Parses "file:line". Throws InputError.
AllowedLine parseAllowedLine(const std::string& text);

struct CheckedLine {
  enum class Verdict { Passed, Found, Allowed };
  ConflictLine line;
  Verdict verdict = Verdict::Passed;
  /// The limits exceeded: "degree 32 (limit 1)"; empty: none.
  std::string why;
};

/// Judges the lines, in their order. Sets `found` in the entries of `allowed` that were needed.
std::vector<CheckedLine> judge(std::vector<ConflictLine> lines, const ConflictLimits& limits,
                               std::vector<AllowedLine>& allowed);

/// Returns "file:line: warning: ...", the form of compilers.
std::string findingText(const CheckedLine& finding);
/// Returns only the sentence of the warning.
std::string findingMessage(const CheckedLine& finding);
/// Returns SARIF 2.1.0: findings, and allowed lines as suppressed results.
std::string sarif(const std::vector<CheckedLine>& lines, const std::string& version);
/// Returns JUnit XML: one suite per workload, one case per checked line.
std::string junit(const std::vector<CheckedLine>& lines);

}  // namespace fermata::platforms
