#include <fermata/platforms/program/check/finding.h>

#include <fermata/platforms/program/number_text.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>

namespace fermata::platforms {

namespace {

bool endsWithPath(const std::string& path, const std::string& end) {
  if (path == end) return true;
  return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0 &&
         path[path.size() - end.size() - 1] == '/';
}

std::string reasons(const ConflictLine& line, const ConflictLimits& limits) {
  std::string why;
  if (limits.degree && line.degree > *limits.degree)
    why = fmt::format("degree {} (limit {})", line.degree, *limits.degree);
  if (limits.excessPercent && line.excessPercent() > *limits.excessPercent) {
    why += fmt::format("{}{:.1f}% excessive (limit {:g}%)", why.empty() ? "" : ", ",
                       line.excessPercent(), *limits.excessPercent);
  }
  return why;
}

}  // namespace

bool AllowedLine::covers(const ConflictLine& one) const {
  return file.empty() ? one.place() == text : one.line == line && endsWithPath(one.file, file);
}

AllowedLine parseAllowedLine(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos && colon != 0) {
    const bool isPc = text.compare(colon + 1, 3, "pc ") == 0;
    const auto number =
        parseNumber<decltype(AllowedLine::line)>(text.substr(colon + (isPc ? 4 : 1)));
    if (isPc && number) return {text, {}, 0, false};
    if (number.value_or(0) != 0) return {text, text.substr(0, colon), *number, false};
  }
  refuse(
      "--allow '{}'; expected a place as 'fermata check' prints it, for instance "
      "transpose.cu:20",
      text);
}

std::vector<CheckedLine> judge(std::vector<ConflictLine> lines, const ConflictLimits& limits,
                               std::vector<AllowedLine>& allowed) {
  std::vector<CheckedLine> checked;
  for (ConflictLine& line : lines) {
    CheckedLine one;
    one.why = reasons(line, limits);
    if (!one.why.empty()) one.verdict = CheckedLine::Verdict::Found;
    for (AllowedLine& allow : allowed) {
      if (one.why.empty() || !allow.covers(line)) continue;
      allow.found = true;
      one.verdict = CheckedLine::Verdict::Allowed;
    }
    one.line = std::move(line);
    checked.push_back(std::move(one));
  }
  return checked;
}

std::string findingMessage(const CheckedLine& finding) {
  const ConflictLine& line = finding.line;
  return fmt::format(
      "{}bank conflicts of {} in {}: {}; {} wavefronts, {} ideal, {} excessive, in {} accesses",
      line.about ? "about this line: " : "", line.opcode, line.kernel, finding.why,
      results::grouped(line.wavefronts), results::grouped(line.ideal),
      results::grouped(line.excessive()), results::grouped(line.accesses));
}

std::string findingText(const CheckedLine& finding) {
  ConflictLine line = finding.line;
  line.about = false;  // other programs parse "file:line:"; the message says "about"
  return fmt::format("{}: warning: {} [{}]", line.place(), findingMessage(finding), line.workload);
}

}  // namespace fermata::platforms
