#include <fermata/platforms/program/study/study_report.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <fermata/results/csv.h>
#include <fermata/results/output_file.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

std::string cellText(std::optional<double> value) {
  return value ? results::number(*value) : "";
}

std::string shown(std::optional<double> value, Measure measure) {
  if (!value) return "-";
  switch (measure) {
    case Measure::Conflicts:
    case Measure::Cycles:
      return results::grouped(static_cast<std::uint64_t>(std::llround(*value)));
    case Measure::Speedup:
    case Measure::Time:
      return results::fixed(*value, 3);
    case Measure::ConflictFree:
      return *value == 1 ? "yes" : "no";
    default:
      return results::fixed(*value, 1);
  }
}

const char* heading(Measure measure) {
  switch (measure) {
    case Measure::ConflictsRemoved:
      return "bank conflicts removed, percent of the baseline's";
    case Measure::Speedup:
      return "speed-up: cycles of the baseline / cycles";
    case Measure::Slowdown:
      return "cycles more than the baseline, percent";
    case Measure::Conflicts:
      return "bank conflicts: passes beyond the first of each group of lanes";
    case Measure::Cycles:
      return "cycles";
    case Measure::Time:
      return "cycles / cycles of the first row";
    case Measure::ConflictFree:
      return "without any bank conflict";
  }
  return "";
}

bool isFactor(Measure measure) {
  return measure == Measure::Speedup || measure == Measure::Time;
}

std::optional<double> summary(const std::vector<double>& values, Summary how) {
  if (values.empty()) return {};
  double sum = 0;
  double logs = 0;
  for (const double value : values) {
    sum += value;
    logs += std::log(value);
  }
  const auto count = static_cast<double>(values.size());
  switch (how) {
    case Summary::Mean:
      return sum / count;
    case Summary::GeometricMean:
      return std::exp(logs / count);
    case Summary::Largest:
      return *std::max_element(values.begin(), values.end());
    case Summary::Sum:
      return sum;
  }
  return {};
}

std::vector<double> valuesOf(const Study& study, const StudyCells& cells, std::size_t variant,
                             Measure measure, const std::string& platform = {},
                             const std::vector<std::string>& only = {}) {
  std::vector<double> values;
  for (std::size_t w = 0; w < cells.size(); ++w) {
    const StudyWorkload& workload = study.workloads[w];
    if (!platform.empty() && workload.platform != platform) continue;
    if (!only.empty() && std::find(only.begin(), only.end(), workload.label) == only.end()) {
      continue;
    }
    if (const auto value = measureOf(cells, w, variant, measure)) values.push_back(*value);
  }
  return values;
}

void printMeasure(const Study& study, const StudyCells& cells, Measure measure, bool platforms,
                  std::ostream& out) {
  out << '\n' << heading(measure) << '\n';
  std::vector<results::TableColumn> columns{{"workload", results::Align::Left}};
  if (platforms) columns.push_back({"platform", results::Align::Left});
  for (const StudyVariant& variant : study.variants) columns.push_back({variant.label});
  results::Table table(std::move(columns));
  for (std::size_t w = 0; w < cells.size(); ++w) {
    std::vector<std::string> row{study.workloads[w].label};
    if (platforms) row.push_back(study.workloads[w].platform);
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      row.push_back(shown(measureOf(cells, w, v, measure), measure));
    }
    table.row(std::move(row));
  }
  if (measure != Measure::Cycles && measure != Measure::ConflictFree) {
    const Summary how = measure == Measure::Conflicts ? Summary::Sum
                        : isFactor(measure)           ? Summary::GeometricMean
                                                      : Summary::Mean;
    std::vector<std::string> row{how == Summary::Sum    ? "sum"
                                 : how == Summary::Mean ? "mean"
                                                        : "geometric mean"};
    if (platforms) row.emplace_back("");
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      row.push_back(shown(summary(valuesOf(study, cells, v, measure), how), measure));
    }
    table.row(std::move(row));
  }
  table.print(out);
}

std::string line(const std::vector<std::string>& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) text += ',';
    results::appendField(text, fields[i]);
  }
  return text + '\n';
}

void write(const fs::path& file, const std::string& text) {
  results::OutputFile out(file);
  out.write(text);
  out.commit();
}

}  // namespace

std::optional<double> summarise(const Study& study, const StudyCells& cells,
                                const Comparison& comparison) {
  const auto variant = std::find_if(study.variants.begin(), study.variants.end(),
                                    [&](const auto& v) { return v.label == comparison.variant; });
  const auto index = static_cast<std::size_t>(variant - study.variants.begin());
  return summary(
      valuesOf(study, cells, index, comparison.measure, comparison.platform, comparison.workloads),
      comparison.summary);
}

std::vector<ComparedFigure> compare(const Study& study, const StudyCells& cells) {
  const std::map<std::string, Claim> claims = readClaims();
  std::vector<ComparedFigure> figures;
  for (const Comparison& comparison : study.comparisons) {
    ComparedFigure figure;
    figure.id = comparison.claim;
    figure.note = comparison.note;
    figure.ours = summarise(study, cells, comparison);
    if (comparison.claim.empty()) {
      figure.subject = comparison.subject;
      figure.published = comparison.published;
      figure.place = comparison.place;
      figure.unit = comparison.unit;
    } else {
      const auto claim = claims.find(comparison.claim);
      if (claim == claims.end()) {
        throw InputError(comparison.where, "unknown claim '" + comparison.claim +
                                               "'; expected an id of published/claims.csv");
      }
      figure.subject = claim->second.quantity + ": " + claim->second.subject;
      figure.published = claim->second.number();
      figure.place = claim->second.place;
      figure.unit = claim->second.unit;
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

void printHeading(const Study& study, std::ostream& out) {
  out << study.title << '\n' << "source: " << study.source << '\n';
  if (!study.note.empty()) out << study.note << '\n';
}

void printCells(const Study& study, const StudyCells& cells, std::ostream& out) {
  const bool platforms =
      std::any_of(study.workloads.begin(), study.workloads.end(),
                  [&](const auto& w) { return w.platform != study.workloads.front().platform; });
  for (const Measure measure : study.measures) printMeasure(study, cells, measure, platforms, out);
}

void printFigures(const std::vector<ComparedFigure>& figures, std::ostream& out) {
  if (figures.empty()) return;
  const auto number = [](std::optional<double> value) {
    return value ? fmt::format("{:.7g}", *value) : std::string("-");
  };
  results::Table table({{"figure", results::Align::Left},
                        {"where", results::Align::Left},
                        {"published"},
                        {"ours"},
                        {"difference"},
                        {"unit", results::Align::Left}});
  for (const ComparedFigure& f : figures) {
    std::optional<double> difference;
    if (f.published && f.ours) difference = *f.ours - *f.published;
    table.row({f.subject, f.place, f.text.empty() ? number(f.published) : f.text, number(f.ours),
               difference ? fmt::format("{:+.4g}", *difference) : "-", f.unit});
  }
  out << '\n';
  table.print(out);
  for (const ComparedFigure& f : figures) {
    if (!f.note.empty()) out << "\n" << f.subject << ": " << f.note << '\n';
  }
}

void printConfigurations(const std::vector<ConfigurationRow>& rows, std::ostream& out) {
  results::Table table({{"workload", results::Align::Left},
                        {"search", results::Align::Left},
                        {"published", results::Align::Left},
                        {"ours", results::Align::Left},
                        {"verdict", results::Align::Left},
                        {"conflicts"},
                        {"left by published"},
                        {"left by ours"},
                        {"difference"}});
  std::map<std::string, unsigned> verdicts;
  for (const ConfigurationRow& r : rows) {
    ++verdicts[r.verdict];
    table.row(
        {r.workload, r.search, r.published, r.ours, r.verdict, results::grouped(r.before),
         r.publishedLegal ? results::grouped(r.publishedAfter) : "-", results::grouped(r.oursAfter),
         r.publishedLegal ? fmt::format("{:+d}", static_cast<std::int64_t>(r.oursAfter) -
                                                     static_cast<std::int64_t>(r.publishedAfter))
                          : "-"});
  }
  out << '\n';
  table.print(out);
  out << '\n' << rows.size() << " configurations:";
  for (const auto& [verdict, count] : verdicts) out << ' ' << count << ' ' << verdict;
  out << "\nequal: the same text; order: the same bits in another order; tie: the search's own "
         "measure does not tell\nthem apart on our accesses; accesses: on our accesses the search "
         "prefers another; dependent: the published\nbank bits are not independent and would map "
         "different words onto one place\n";
}

void writeCells(const Study& study, const StudyCells& cells, const fs::path& folder) {
  std::vector<std::string> header{"workload", "platform",  "variant", "mapping",
                                  "accesses", "conflicts", "cycles",  "warp_instructions"};
  for (const Measure measure : study.measures) {
    if (measure != Measure::Conflicts && measure != Measure::Cycles) {
      header.emplace_back(name(measure));
    }
  }
  std::string text = line(header);
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
          row.push_back(cellText(measureOf(cells, w, v, measure)));
        }
      }
      text += line(row);
    }
  }
  write(folder / "table.csv", text);
}

void writeFigures(const std::vector<ComparedFigure>& figures, const fs::path& folder) {
  std::string text = "claim,where,figure,published,ours,difference,unit,note\n";
  for (const ComparedFigure& f : figures) {
    std::optional<double> difference;
    if (f.published && f.ours) difference = *f.ours - *f.published;
    text += line({f.id, f.place, f.subject, f.text.empty() ? cellText(f.published) : f.text,
                  cellText(f.ours), cellText(difference), f.unit, f.note});
  }
  write(folder / "comparison.csv", text);
}

void writeConfigurations(const std::vector<ConfigurationRow>& rows, const fs::path& folder) {
  std::string text =
      "workload,search,published,ours,verdict,conflicts_before,published_conflicts_after,"
      "ours_conflicts_after,difference\n";
  for (const ConfigurationRow& r : rows) {
    const auto difference =
        static_cast<std::int64_t>(r.oursAfter) - static_cast<std::int64_t>(r.publishedAfter);
    text += line({r.workload, r.search, r.published, r.ours, r.verdict, std::to_string(r.before),
                  r.publishedLegal ? std::to_string(r.publishedAfter) : "",
                  std::to_string(r.oursAfter), r.publishedLegal ? std::to_string(difference) : ""});
  }
  write(folder / "table.csv", text);
}

}  // namespace fermata::platforms
