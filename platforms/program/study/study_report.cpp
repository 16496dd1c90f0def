#include <fermata/platforms/program/study/study_report.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/study/study_measures.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/results/csv.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

/// With more variants than this, a table has one row per variant and its columns are the workloads.
constexpr std::size_t kMostColumns = 12;

const char* summaryName(Summary how) {
  return how == Summary::Sum ? "sum" : how == Summary::Mean ? "mean" : "geometric mean";
}

/// Returns the summary of the last row; nothing if it would be meaningless.
std::optional<Summary> lastRow(Measure measure) {
  switch (traits(measure).form) {
    case MeasureTraits::Form::Count:
      return Summary::Sum;
    case MeasureTraits::Form::Factor:
      return Summary::GeometricMean;
    case MeasureTraits::Form::Percent:
    case MeasureTraits::Form::Rate:
    case MeasureTraits::Form::Share:
      return Summary::Mean;
    default:
      return {};
  }
}

/// A row or column of summaries: over all workloads, or over those whose layout followed nothing.
struct LastRow {
  std::string name;
  Selection selection;
};

/// Returns the summaries of a measure; none if they would be meaningless.
std::vector<LastRow> lastRows(const Study& study, Measure measure) {
  const std::optional<Summary> how = lastRow(measure);
  if (!how) return {};
  std::vector<LastRow> rows{{summaryName(*how), {"", "", {}, measure, *how, ""}}};
  if (study.followed.empty()) return rows;
  rows.push_back(rows.front());
  rows.back().name += " of rows that followed nothing";
  for (const StudyWorkload& workload : study.workloads) {
    if (study.followed.count(workload.label) == 0)
      rows.back().selection.workloads.push_back(workload.label);
  }
  return rows;
}

std::string label(const Study& study, std::size_t workload, bool platforms) {
  const StudyWorkload& w = study.workloads[workload];
  return platforms ? w.label + " " + w.platform : w.label;
}

/// Prints a table with one row per variant, for sweeps.
void printLong(const Study& study, const StudyCells& cells, Measure measure, bool platforms,
               std::ostream& out) {
  std::vector<results::TableColumn> columns{{"variant", results::Align::Left}};
  for (std::size_t w = 0; w < cells.size(); ++w) columns.push_back({label(study, w, platforms)});
  std::vector<LastRow> summaries = lastRows(study, measure);
  for (const LastRow& summary : summaries) columns.push_back({summary.name});
  results::Table table(std::move(columns));
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    std::vector<std::string> row{study.variants[v].label};
    for (std::size_t w = 0; w < cells.size(); ++w) {
      row.push_back(shown(measureOf(cells, w, v, measure), measure));
    }
    for (LastRow& summary : summaries) {
      summary.selection.variant = study.variants[v].label;
      row.push_back(shown(summarise(study, cells, summary.selection), measure));
    }
    table.row(std::move(row));
  }
  table.print(out);
}

void printMeasure(const Study& study, const StudyCells& cells, Measure measure, bool platforms,
                  std::ostream& out) {
  out << '\n' << heading(study, measure) << '\n';
  if (study.variants.size() > kMostColumns) {
    printLong(study, cells, measure, platforms, out);
    return;
  }
  std::vector<results::TableColumn> columns{{"workload", results::Align::Left}};
  if (platforms) columns.push_back({"platform", results::Align::Left});
  for (const StudyVariant& variant : study.variants) columns.push_back({variant.label});
  results::Table table(std::move(columns));
  for (std::size_t w = 0; w < cells.size(); ++w) {
    std::vector<std::string> row{study.workloads[w].label};
    if (platforms) row.push_back(study.workloads[w].platform);
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      const bool estimate = cells[w][v] && cells[w][v]->estimate;
      row.push_back((estimate ? "~" : "") + shown(measureOf(cells, w, v, measure), measure));
    }
    table.row(std::move(row));
  }
  for (LastRow& summary : lastRows(study, measure)) {
    std::vector<std::string> row{summary.name};
    if (platforms) row.emplace_back("");
    for (const StudyVariant& variant : study.variants) {
      summary.selection.variant = variant.label;
      row.push_back(shown(summarise(study, cells, summary.selection), measure));
    }
    table.row(std::move(row));
  }
  table.print(out);
}

}  // namespace

void printHeading(const Study& study, std::ostream& out) {
  out << study.title << '\n' << "source: " << study.source << '\n';
  if (!study.note.empty()) out << study.note << '\n';
}

void printCells(const Study& study, const StudyCells& cells, std::ostream& out) {
  const bool platforms =
      std::any_of(study.workloads.begin(), study.workloads.end(),
                  [&](const auto& w) { return w.platform != study.workloads.front().platform; });
  for (const Measure measure : study.measures) printMeasure(study, cells, measure, platforms, out);
  const auto estimate = [](const std::optional<StudyCell>& cell) { return cell && cell->estimate; };
  const bool any = std::any_of(cells.begin(), cells.end(), [&](const auto& row) {
    return std::any_of(row.begin(), row.end(), estimate);
  });
  if (any && !study.measures.empty()) out << "~: an estimate from a sample of the access sets\n";
}

namespace {

/// Verdicts and conflicts of one search of a published table, over some of its rows.
struct ConfigurationSummary {
  std::size_t rows = 0;
  std::map<std::string, unsigned> verdicts;
  double published = 0;  ///< sum of the percentages of conflicts removed, over `legal` rows
  double ours = 0;       ///< the same, over the same rows
  std::size_t legal = 0;

  void add(const ConfigurationRow& row) {
    ++rows;
    ++verdicts[row.verdict];
    if (!row.publishedLegal || row.before == 0) return;
    const auto removed = [&](std::uint64_t after) {
      return 100 * (1 - static_cast<double>(after) / static_cast<double>(row.before));
    };
    ++legal;
    published += removed(row.publishedAfter);
    ours += removed(row.oursAfter);
  }
  std::string mean(double sum) const {
    return legal == 0 ? "-" : fmt::format("{:.1f}", sum / static_cast<double>(legal));
  }
};

/// Prints conflicts removed by search: of all rows, and of those whose layout followed nothing.
void printRemoved(const Study& study, const std::vector<ConfigurationRow>& rows,
                  std::ostream& out) {
  std::vector<std::string> searches;
  std::map<std::string, std::pair<ConfigurationSummary, ConfigurationSummary>> sums;
  for (const ConfigurationRow& row : rows) {
    if (sums.count(row.search) == 0) searches.push_back(row.search);
    auto& [all, independent] = sums[row.search];
    all.add(row);
    if (study.followed.count(row.workload) == 0) independent.add(row);
  }
  results::Table table({{"search", results::Align::Left},
                        {"published, percent"},
                        {"ours"},
                        {"rows that followed nothing: published"},
                        {"ours"}});
  for (const std::string& search : searches) {
    const auto& [all, independent] = sums[search];
    table.row({search, all.mean(all.published), all.mean(all.ours),
               independent.mean(independent.published), independent.mean(independent.ours)});
  }
  out << "\nconflicts removed on our accesses, mean over the rows whose published bank bits are "
         "independent\n";
  table.print(out);
}

}  // namespace

void printConfigurations(const Study& study, const std::vector<ConfigurationRow>& rows,
                         std::ostream& out) {
  results::Table table({{"workload", results::Align::Left},
                        {"search", results::Align::Left},
                        {"published", results::Align::Left},
                        {"ours", results::Align::Left},
                        {"verdict", results::Align::Left},
                        {"conflicts"},
                        {"left by published"},
                        {"left by ours"},
                        {"difference"}});
  ConfigurationSummary all;
  ConfigurationSummary independent;
  for (const ConfigurationRow& r : rows) {
    all.add(r);
    const bool followed = study.followed.count(r.workload) != 0;
    if (!followed) independent.add(r);
    table.row(
        {r.workload + (followed ? " *" : ""), r.search, r.published, r.ours, r.verdict,
         results::grouped(r.before), r.publishedLegal ? results::grouped(r.publishedAfter) : "-",
         results::grouped(r.oursAfter),
         r.publishedLegal ? fmt::format("{:+d}", static_cast<std::int64_t>(r.oursAfter) -
                                                     static_cast<std::int64_t>(r.publishedAfter))
                          : "-"});
  }
  out << '\n';
  table.print(out);
  out << '\n' << all.rows << " configurations:";
  for (const auto& [verdict, count] : all.verdicts) out << ' ' << count << ' ' << verdict;
  if (!study.followed.empty()) {
    out << "\n" << independent.rows << " of rows that followed nothing:";
    for (const auto& [verdict, count] : independent.verdicts) out << ' ' << count << ' ' << verdict;
  }
  out << "\nequal: the same text; order: the same bits in another order; tie: the search's own "
         "measure does not tell\nthem apart on our accesses; accesses: on our accesses the search "
         "prefers another; dependent: the published\nbank bits are not independent and would map "
         "different words onto one place\n";
  printRemoved(study, rows, out);
  if (study.followed.empty()) return;
  out << "\n*: of our layouts, taken from the published table:\n";
  for (const auto& [label, what] : study.followed) out << "  " << label << ": " << what << '\n';
}

void writeCells(const Study& study, const StudyCells& cells, files::OutputSet& files,
                const fs::path& folder) {
  std::vector<std::string> header{"workload", "platform",  "variant", "mapping",
                                  "accesses", "conflicts", "cycles",  "warp_instructions"};
  for (const Measure measure : study.measures) {
    if (measure != Measure::Conflicts && measure != Measure::Cycles) {
      header.emplace_back(name(measure));
    }
  }
  header.emplace_back("estimate");
  const bool locks = std::any_of(study.variants.begin(), study.variants.end(),
                                 [](const StudyVariant& v) { return v.lockSearch.has_value(); });
  if (locks) header.emplace_back("lock_mapping");
  std::string text = csvLine(header);
  for (std::size_t w = 0; w < cells.size(); ++w) {
    for (std::size_t v = 0; v < cells[w].size(); ++v) {
      if (!cells[w][v]) continue;
      const StudyCell& c = *cells[w][v];
      std::vector<std::string> row{
          study.workloads[w].label,
          study.workloads[w].platform,
          study.variants[v].label,
          c.mapping,
          results::number(c.accesses),
          results::number(c.conflicts),
          c.cycles == 0 ? "" : results::number(c.cycles),
          c.warpInstructions == 0 ? "" : results::number(c.warpInstructions)};
      for (const Measure measure : study.measures) {
        if (measure != Measure::Conflicts && measure != Measure::Cycles) {
          row.push_back(csvText(measureOf(cells, w, v, measure)));
        }
      }
      row.emplace_back(c.estimate ? "1" : "0");
      if (locks) row.push_back(c.locks);
      text += csvLine(row);
    }
  }
  files.add(folder / "table.csv").write(text);
}

void writeConfigurations(const Study& study, const std::vector<ConfigurationRow>& rows,
                         files::OutputSet& files, const fs::path& folder) {
  std::string text =
      "workload,search,published,ours,verdict,conflicts_before,published_conflicts_after,"
      "ours_conflicts_after,difference,followed\n";
  for (const ConfigurationRow& r : rows) {
    const auto followed = study.followed.find(r.workload);
    const auto difference =
        static_cast<std::int64_t>(r.oursAfter) - static_cast<std::int64_t>(r.publishedAfter);
    text += csvLine(r.workload, r.search, r.published, r.ours, r.verdict, r.before,
                    r.publishedLegal ? csvText(r.publishedAfter) : "", r.oursAfter,
                    r.publishedLegal ? csvText(difference) : "",
                    followed == study.followed.end() ? "" : followed->second);
  }
  files.add(folder / "table.csv").write(text);
}

}  // namespace fermata::platforms
