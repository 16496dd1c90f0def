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

/// A line that is always allowed: "file:line", where `file` may be any trailing part of the path,
/// or "kernel:pc 24" where the source is unknown.
struct AllowedLine {
  std::string text;
  std::string file;  ///< empty: `text` is the place
  std::uint32_t line = 0;
  bool found = false;  ///< the line would have been a finding

  bool covers(const ConflictLine& line) const;
};
/// Parses "file:line" or "kernel:pc 24". Throws InputError.
AllowedLine parseAllowedLine(const std::string& text);

struct CheckedLine {
  enum class Verdict { Passed, Found, Allowed, Known };  ///< Known: no worse than the baseline
  ConflictLine line;
  Verdict verdict = Verdict::Passed;
  bool isWorse = false;  ///< than in the baseline
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
/// Returns "::warning file=F,line=N,title=bank conflict::...", GitHub's command for an annotation.
std::string githubAnnotation(const CheckedLine& finding);
/// Returns every checked line as CSV, with its verdict: passed, found, allowed or known.
std::string findingsCsv(const std::vector<CheckedLine>& lines);
/// Returns SARIF 2.1.0: findings, and allowed lines as suppressed results. `compared`: against a
/// baseline, so that each result says whether it is new.
std::string sarif(const std::vector<CheckedLine>& lines, const std::string& version,
                  bool compared = false);
/// Returns JUnit XML: one suite per workload, one case per checked line.
std::string junit(const std::vector<CheckedLine>& lines);

}  // namespace fermata::platforms
