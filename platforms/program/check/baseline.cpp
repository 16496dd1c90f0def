#include <fermata/platforms/program/check/baseline.h>

#include <fmt/format.h>

#include <algorithm>

#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/number_text.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/csv_rows.h>

namespace fermata::platforms {

namespace {

const std::vector<std::string> kHeader{"workload", "kernel",   "file",
                                       "opcode",   "source",   "line",
                                       "degree",   "accesses", "wavefronts_excessive"};
enum Column : std::size_t { Source = 4, Line, Degree, Accesses, Excessive };

/// Returns what identifies a line: the columns up to the source, or the number in its place.
std::vector<std::string> keyOf(const std::vector<std::string>& row) {
  std::vector<std::string> key(row.begin(), row.begin() + Source);
  key.push_back(row[Source].empty() ? row[Line] : row[Source]);
  return key;
}

std::vector<std::string> rowOf(const ConflictLine& line) {
  const std::uint32_t number = line.line == 0 ? line.pcs.front() : line.line;
  return {line.workload,
          line.kernel,
          line.file,
          line.opcode,
          line.source,
          csvText(number),
          csvText(line.degree),
          csvText(line.accesses),
          csvText(line.excessive())};
}

template <class Number>
Number numberOf(const traces::CsvRows& rows, const std::vector<std::string>& row, Column column) {
  if (const auto number = parseNumber<Number>(row[column])) return *number;
  rows.failLine("{} is '{}'; expected a whole number", kHeader[column], row[column]);
}

}  // namespace

Baseline::Baseline(const std::string& file) {
  traces::CsvRows rows(traces::openInput(file), file);
  bool isHeader = true;
  while (rows.next()) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < rows.size(); ++i) row.emplace_back(rows[i]);
    if (isHeader ? row != kHeader : row.size() != kHeader.size())
      rows.failLine("no baseline of 'fermata check'; expected the columns {}",
                    fmt::format("{}", fmt::join(kHeader, ",")));
    if (!isHeader)
      rows_[keyOf(row)].push_back({numberOf<unsigned>(rows, row, Degree),
                                   numberOf<std::uint64_t>(rows, row, Accesses),
                                   numberOf<std::uint64_t>(rows, row, Excessive)});
    isHeader = false;
  }
  if (isHeader) refuse("'{}' is empty; expected a baseline of 'fermata check'", file);
}

void Baseline::apply(std::vector<CheckedLine>& lines) {
  for (CheckedLine& one : lines) {
    checked_.insert(one.line.workload);
    if (one.verdict != CheckedLine::Verdict::Found) continue;
    const auto found = rows_.find(keyOf(rowOf(one.line)));
    if (found == rows_.end() || found->second.empty()) continue;
    // Equal lines of one kernel come in the order of the program, in the file as well as here.
    const Accepted was = found->second.front();
    found->second.erase(found->second.begin());
    const auto perAccess = [](std::uint64_t excessive, std::uint64_t accesses) {
      return accesses == 0 ? 0 : static_cast<double>(excessive) / static_cast<double>(accesses);
    };
    const double now = perAccess(one.line.excessive(), one.line.accesses);
    const double before = perAccess(was.excessive, was.accesses);
    if (one.line.degree <= was.degree && now <= before * (1 + 1e-9)) {
      one.verdict = CheckedLine::Verdict::Known;
      continue;
    }
    one.isWorse = true;
    one.why += one.line.degree > was.degree
                   ? fmt::format(", degree {} in the baseline", was.degree)
                   : fmt::format(", {:.3g} excessive per access where the baseline has {:.3g}", now,
                                 before);
  }
}

std::size_t Baseline::unused() const {
  std::size_t count = 0;
  for (const auto& [key, rows] : rows_) count += checked_.count(key.front()) == 0 ? 0 : rows.size();
  return count;
}

std::string baselineCsv(const std::vector<CheckedLine>& lines) {
  std::string text = csvLine(kHeader);
  for (const CheckedLine& one : lines) {
    if (one.why.empty() || one.verdict == CheckedLine::Verdict::Allowed) continue;
    const std::vector<std::string> row = rowOf(one.line);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) text += ',';
      results::appendExactField(text, row[i]);  // reads back to the same bytes
    }
    text += '\n';
  }
  return text;
}

}  // namespace fermata::platforms
