#include <fermata/platforms/program/study/validation.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/report/page_text.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

ValidatedRow rowOf(const Claim& claim, const std::string& study, const ComparedFigure& figure) {
  ValidatedRow row{claim, study, figure.text, figure.ours, {}, "not run", ""};
  row.why = figure.cause.empty() ? figure.note : figure.cause;
  if (!figure.published || !figure.ours) return row;
  const double off = std::abs(*figure.ours - *figure.published);
  row.error = off == 0 ? 0 : 100 * off / std::abs(*figure.published);
  row.verdict = *row.error <= kMetPercent ? "met" : "differs";
  return row;
}

std::string oursOf(const ValidatedRow& row) {
  return row.ours ? fmt::format("{:.4g}", *row.ours) : "";
}

std::string errorOf(const ValidatedRow& row) {
  return row.error ? fmt::format("{:.1f}", *row.error) : "";
}

/// Returns how many rows have each verdict: "20 met, 3 differs, 5 not run".
std::string counts(const std::vector<ValidatedRow>& rows) {
  std::string text;
  for (const char* verdict : {"met", "differs", "not run"}) {
    const auto count = std::count_if(rows.begin(), rows.end(),
                                     [&](const auto& row) { return row.verdict == verdict; });
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
  }
  return text;
}

/// Returns the counts of each study, a line each.
std::string countsByStudy(const std::vector<ValidatedRow>& rows) {
  std::map<std::string, std::vector<ValidatedRow>> studies;
  for (const ValidatedRow& row : rows) {
    if (!row.study.empty()) studies[row.study].push_back(row);
  }
  std::string text;
  for (const auto& [study, own] : studies) text += study + ": " + counts(own) + '\n';
  return text;
}

}  // namespace

std::vector<ValidatedRow> validated(const Claims& silicon,
                                    const std::vector<ReproducedStudy>& studies) {
  std::vector<ValidatedRow> rows;
  std::set<std::string> seen;
  for (const ReproducedStudy& study : studies) {
    for (const ComparedFigure& figure : study.figures) {
      const auto claim = silicon.find(figure.id);
      if (claim == silicon.end()) continue;
      seen.insert(figure.id);
      rows.push_back(rowOf(claim->second, study.study.name, figure));
    }
  }
  for (const auto& [id, claim] : silicon) {
    if (seen.count(id) != 0) continue;
    const bool isExcused = !claim.notCompared.empty();
    rows.push_back({claim,
                    "",
                    claim.value,
                    {},
                    {},
                    "not run",
                    isExcused ? claim.notCompared : "its study has failed"});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.claim.id < b.claim.id; });
  return rows;
}

std::string validationTable(const std::vector<ValidatedRow>& rows) {
  using results::Align;
  results::Table table({{"row", Align::Left},
                        {"machine", Align::Left},
                        {"measured"},
                        {"ours"},
                        {"error %"},
                        {"unit", Align::Left},
                        {"verdict", Align::Left},
                        {"why", Align::Left}});
  for (const ValidatedRow& row : rows)
    table.row({row.claim.id, row.claim.place, row.measured, oursOf(row), errorOf(row),
               row.claim.unit, row.verdict, row.why});
  std::ostringstream text;
  table.print(text);
  text << '\n' << countsByStudy(rows) << '\n' << counts(rows) << '\n';
  return text.str();
}

std::string validationCsv(const std::vector<ValidatedRow>& rows) {
  std::string text =
      "row,machine,quantity,conditions,measured,ours,error_percent,unit,verdict,why,study,source,"
      "standing\n";
  for (const ValidatedRow& row : rows)
    text += csvLine(row.claim.id, row.claim.place, row.claim.quantity, row.claim.subject,
                    row.measured, row.ours, row.error, row.claim.unit, row.verdict, row.why,
                    row.study, row.claim.source, row.claim.note);
  return text;
}

std::string validationPage(const std::vector<ValidatedRow>& rows,
                           const std::vector<ReproducedStudy>& studies,
                           const ReproductionStamp& stamp, const std::filesystem::path& folder) {
  std::string lines;
  const auto cell = [&](const std::string& text, const char* kind) {
    lines += fmt::format("<td class=\"{}\">{}</td>", kind, forHtml(text));
  };
  for (const ValidatedRow& row : rows) {
    lines += "<tr>";
    cell(row.claim.id, "");
    cell(row.claim.place, "");
    cell(row.claim.quantity + (row.claim.subject.empty() ? "" : ": " + row.claim.subject), "long");
    cell(row.measured, "number");
    cell(oursOf(row), "number");
    cell(errorOf(row), "number");
    cell(row.claim.unit, "");
    cell(row.verdict, "");
    cell(row.why, "long");
    cell(row.claim.source + (row.claim.note.empty() ? "" : "; " + row.claim.note), "long");
    lines += "</tr>\n";
  }
  const std::string content =
      filled(pagePart("validation.html"), {{"counts", counts(rows)}, {"rows", lines}});
  return figuresPage("Measured on machines, and Fermata's", content, "validation.csv", studies,
                     stamp, folder);
}

}  // namespace fermata::platforms
