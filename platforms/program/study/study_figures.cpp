// Published figures beside ours: computed from the cells, printed, and written as comparison.csv.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/number_text.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_report.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

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
    case Summary::Smallest:
      return *std::min_element(values.begin(), values.end());
    case Summary::Sum:
      return sum;
  }
  return {};
}

/// Summarises values. For the geometric mean, percentages of growth become factors first.
std::optional<double> summaryOf(std::vector<double> values, Measure measure, Summary how) {
  const bool growth = measure == Measure::Slowdown || measure == Measure::InstructionsAdded;
  if (!growth || how != Summary::GeometricMean) return summary(values, how);
  for (double& value : values) value = 1 + value / 100;
  const std::optional<double> mean = summary(values, how);
  if (!mean) return {};
  return 100 * (*mean - 1);
}

bool counts(const StudyWorkload& workload, const Selection& selection) {
  const auto& only = selection.workloads;
  if (!selection.platform.empty() && workload.platform != selection.platform) return false;
  return only.empty() || std::find(only.begin(), only.end(), workload.label) != only.end();
}

std::vector<double> valuesOf(const Study& study, const StudyCells& cells, std::size_t variant,
                             const Selection& selection) {
  std::vector<double> values;
  for (std::size_t w = 0; w < cells.size(); ++w) {
    if (!counts(study.workloads[w], selection)) continue;
    if (const auto value = measureOf(cells, w, variant, selection.measure))
      values.push_back(*value);
  }
  return values;
}

/// Returns the selection's parameter in the workload with the extreme figure; at a tie, the first
/// such workload. Nothing if it has no numeric value there.
std::optional<double> parameterAtExtreme(const Study& study, const StudyCells& cells,
                                         std::size_t variant, const Selection& selection) {
  std::optional<double> best;
  const StudyWorkload* at = nullptr;
  for (std::size_t w = 0; w < cells.size(); ++w) {
    if (!counts(study.workloads[w], selection)) continue;
    const auto value = measureOf(cells, w, variant, selection.measure);
    if (!value) continue;
    const bool beats = selection.summary == Summary::Largest ? *value > best : *value < best;
    if (at != nullptr && !beats) continue;
    best = value;
    at = &study.workloads[w];
  }
  if (at == nullptr) return {};
  const auto found = at->parameters.find(selection.parameter);
  return found == at->parameters.end() ? std::nullopt : parseNumber<double>(found->second);
}

}  // namespace

std::optional<double> summarise(const Study& study, const StudyCells& cells,
                                const Selection& selection) {
  std::optional<double> best;
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    const StudyVariant& variant = study.variants[v];
    if (selection.variant == kBestOfSweep ? !variant.swept : variant.label != selection.variant) {
      continue;
    }
    if (!selection.parameter.empty()) return parameterAtExtreme(study, cells, v, selection);
    const auto figure =
        summaryOf(valuesOf(study, cells, v, selection), selection.measure, selection.summary);
    if (figure && (!best || *figure > *best)) best = figure;
  }
  return best;
}

namespace {

std::string markOf(const std::string& name) {
  return "{" + name + "}";
}

/// Returns a text of the comparison with its figures filled in.
std::string filledText(std::string note, const Study& study, const StudyCells& cells,
                       const Comparison& comparison) {
  for (const auto& [name, selection] : comparison.figures) {
    const std::string mark = markOf(name);
    const std::optional<double> value = summarise(study, cells, selection);
    const std::string figure =
        selection.parameter.empty() || !value ? shown(value, selection.measure) : csvText(value);
    for (std::size_t at = note.find(mark); at != std::string::npos;
         at = note.find(mark, at + figure.size())) {
      note.replace(at, mark.size(), figure);
    }
  }
  return note;
}

/// Returns the runs behind the figures of the cause: "variant on platform: workloads; ...".
std::string causeRuns(const Comparison& comparison) {
  std::vector<std::string> runs;
  for (const auto& [name, selection] : comparison.figures) {
    if (comparison.cause.find(markOf(name)) == std::string::npos) continue;
    std::string run = selection.variant;
    if (!selection.platform.empty()) run += " on " + selection.platform;
    if (!selection.workloads.empty() && selection.workloads != comparison.workloads)
      run += fmt::format(": {}", fmt::join(selection.workloads, ", "));
    if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(std::move(run));
  }
  return fmt::format("{}", fmt::join(runs, "; "));
}

std::optional<double> oursOf(const Study& study, const StudyCells& cells,
                             const Selection& selection, double times) {
  const std::optional<double> one = summarise(study, cells, selection);
  return one ? std::optional(*one * times) : one;
}

/// Adds one row per included workload.
void addRows(const Study& study, const StudyCells& cells, const Comparison& comparison,
             const ComparedFigure& common, std::vector<ComparedFigure>& figures) {
  for (const StudyWorkload& workload : study.workloads) {
    if (!counts(workload, comparison)) continue;
    Selection selection = comparison;
    selection.workloads = {workload.label};
    ComparedFigure row = common;
    row.ours = oursOf(study, cells, selection, comparison.times);
    row.workload = workload.label;
    row.variant = comparison.variant;
    const auto followed = study.followed.find(workload.label);
    if (followed != study.followed.end()) row.followed = followed->second;
    figures.push_back(std::move(row));
  }
}

}  // namespace

std::vector<ComparedFigure> compare(const Study& study, const StudyCells& cells) {
  const PublishedFacts facts;
  std::vector<ComparedFigure> figures;
  for (const Comparison& comparison : study.comparisons) {
    ComparedFigure figure;
    figure.id = comparison.claim;
    if (comparison.claim.empty()) {
      figure.subject = comparison.subject;
      figure.text = comparison.published;
      figure.formula = comparison.formula;
      figure.place = comparison.place;
      figure.unit = comparison.unit;
    } else {
      const Claim& claim = facts.claim(comparison.claim, comparison.where);
      figure.subject =
          comparison.subject.empty() ? claim.quantity + ": " + claim.subject : comparison.subject;
      figure.text = comparison.part == 0 ? claim.value : claim.numberText(comparison.part);
      figure.place = claim.place;
      figure.unit = claim.unit;
      if (comparison.part == 0) claim.number();  // throws if the claim has several numbers
    }
    figure.headline = comparison.headline;
    figure.published = parseNumber<double>(figure.text);
    if (comparison.each) {
      addRows(study, cells, comparison, figure, figures);
      continue;
    }
    figure.note = filledText(comparison.note, study, cells, comparison);
    figure.cause = filledText(comparison.cause, study, cells, comparison);
    figure.shownBy = causeRuns(comparison);
    figure.ours = oursOf(study, cells, comparison, comparison.times);
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::string figureName(const ComparedFigure& figure) {
  if (figure.workload.empty()) return figure.subject;
  return fmt::format("{}: {}: {}", figure.subject, figure.variant, figure.workload);
}

std::string publishedText(const ComparedFigure& figure) {
  if (!figure.text.empty()) return figure.text;
  return figure.published ? fmt::format("{:.7g}", *figure.published) : "-";
}

std::string oursText(const ComparedFigure& figure) {
  if (!figure.oursText.empty()) return figure.oursText;
  return figure.ours ? fmt::format("{:.7g}", *figure.ours) : "-";
}

std::string differenceText(const ComparedFigure& figure) {
  if (!isCompared(figure)) return "-";
  if (!figure.oursText.empty()) return figure.oursText == figure.text ? "none" : "differs";
  return fmt::format("{:+.4g}", *figure.ours - *figure.published);
}

bool isCompared(const ComparedFigure& figure) {
  const bool texts = !figure.id.empty() && !figure.oursText.empty();
  return texts || (figure.published && figure.ours);
}

namespace {

/// Prints one line per workload: published, ours and difference for each variant with rows.
void printRows(const std::vector<ComparedFigure>& figures, std::ostream& out) {
  std::vector<std::string> workloads;
  std::vector<std::string> variants;
  std::map<std::pair<std::string, std::string>, const ComparedFigure*> cells;
  std::map<std::string, std::string> places;  // by subject
  bool followed = false;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const ComparedFigure& figure : figures) {
    if (figure.workload.empty()) continue;
    note(workloads, figure.workload);
    note(variants, figure.variant);
    cells[{figure.workload, figure.variant}] = &figure;
    places[figure.subject] = figure.place;
    followed = followed || !figure.followed.empty();
  }
  if (workloads.empty()) return;
  out << "\nrow by row:";
  for (const auto& [subject, place] : places) out << ' ' << subject << " (" << place << ");";
  out << '\n';
  std::vector<results::TableColumn> columns{{"workload", results::Align::Left}};
  for (const std::string& variant : variants) {
    columns.insert(columns.end(), {{variant + ": published"}, {"ours"}, {"difference"}});
  }
  if (followed) columns.push_back({"of ours, taken from the paper's table", results::Align::Left});
  results::Table table(std::move(columns));
  for (const std::string& workload : workloads) {
    std::vector<std::string> row{workload};
    std::string taken;
    for (const std::string& variant : variants) {
      const auto cell = cells.find({workload, variant});
      if (cell == cells.end()) {
        row.insert(row.end(), {"-", "-", "-"});
        continue;
      }
      const ComparedFigure& figure = *cell->second;
      row.insert(row.end(), {publishedText(figure), oursText(figure), differenceText(figure)});
      taken = figure.followed;
    }
    if (followed) row.push_back(taken);
    table.row(std::move(row));
  }
  table.print(out);
}

}  // namespace

void printFigures(const std::vector<ComparedFigure>& figures, std::ostream& out) {
  const bool formulas =
      std::any_of(figures.begin(), figures.end(), [](const auto& f) { return f.formula; });
  std::vector<results::TableColumn> columns{
      {"figure", results::Align::Left}, {"where", results::Align::Left}, {"published"}};
  if (formulas) columns.push_back({"formula"});
  columns.insert(columns.end(), {{"ours"}, {"difference"}, {"unit", results::Align::Left}});
  results::Table table(std::move(columns));
  bool any = false;
  for (const ComparedFigure& f : figures) {
    if (!f.workload.empty()) continue;
    std::vector<std::string> row{f.subject, f.place, publishedText(f)};
    if (formulas) row.push_back(f.formula ? fmt::format("{:.7g}", *f.formula) : "-");
    row.insert(row.end(), {oursText(f), differenceText(f), f.unit});
    table.row(std::move(row));
    any = true;
  }
  if (any) {
    out << '\n';
    table.print(out);
  }
  for (const ComparedFigure& f : figures) {
    if (!f.note.empty()) out << "\n" << f.subject << ": " << f.note << '\n';
    if (!f.cause.empty())
      out << "\n" << f.subject << ", cause: " << f.cause << " Shown by: " << f.shownBy << ".\n";
  }
  printRows(figures, out);
}

const std::vector<std::string>& figureColumns() {
  static const std::vector<std::string> columns{"claim",   "where",    "figure",     "published",
                                                "formula", "ours",     "difference", "unit",
                                                "cause",   "shown_by", "note"};
  return columns;
}

std::vector<std::string> figureFields(const ComparedFigure& f) {
  std::optional<double> difference;
  if (f.published && f.ours) difference = *f.ours - *f.published;
  return {f.id,
          f.place,
          figureName(f),
          f.text.empty() ? csvText(f.published) : f.text,
          csvText(f.formula),
          f.oursText.empty() ? csvText(f.ours) : f.oursText,
          csvText(difference),
          f.unit,
          f.cause,
          f.shownBy,
          f.followed.empty() ? f.note : "taken from the paper's table: " + f.followed};
}

std::string figuresCsv(const std::vector<ComparedFigure>& figures) {
  std::string text = csvLine(figureColumns());
  for (const ComparedFigure& f : figures) text += csvLine(figureFields(f));
  return text;
}

void writeFigures(const std::vector<ComparedFigure>& figures, files::OutputSet& files,
                  const fs::path& folder) {
  files.add(folder / "comparison.csv").write(figuresCsv(figures));
}

}  // namespace fermata::platforms
