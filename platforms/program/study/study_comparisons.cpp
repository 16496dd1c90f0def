// The comparisons of a study file: published figures, selections that form ours, and notes.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include <fermata/platforms/program/number_text.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

const Choices<Summary> kSummaries{{"mean", Summary::Mean},
                                  {"geometric_mean", Summary::GeometricMean},
                                  {"largest", Summary::Largest},
                                  {"smallest", Summary::Smallest},
                                  {"sum", Summary::Sum}};

/// Reads the measure of a selection; absent: the comparison's, or the first that the study prints.
Measure readMeasure(TomlTable& table, const Study& study, const Selection* comparison) {
  if (!table.has("measure")) {
    if (comparison != nullptr) return comparison->measure;
    if (!study.measures.empty()) return study.measures.front();
  }
  return parseMeasure(table.text("measure"), table.where("measure"));
}

/// Reads a comparison's selection, or that of a figure of its note. A figure that names no variant
/// or no measure has that of `comparison`.
Selection readSelection(TomlTable& table, const Study& study,
                        const Selection* comparison = nullptr) {
  Selection selection;
  selection.variant =
      comparison != nullptr ? table.text("variant", comparison->variant) : table.text("variant");
  selection.platform = table.text("platform", "");
  const auto onIt = [&](const StudyWorkload& w) { return w.platform == selection.platform; };
  if (!selection.platform.empty() &&
      std::none_of(study.workloads.begin(), study.workloads.end(), onIt)) {
    refuse(table.where("platform"), "no workload runs on '{}'; expected a platform of this file",
           selection.platform);
  }
  selection.workloads = knownLabels(table, "only", study);
  selection.measure = readMeasure(table, study, comparison);
  selection.summary =
      choose(table.text("summary", "mean"), kSummaries, table.where("summary"), "summary");
  selection.parameter = table.text("parameter", "");
  const bool isExtreme =
      selection.summary == Summary::Largest || selection.summary == Summary::Smallest;
  if (!selection.parameter.empty() && (!isExtreme || selection.variant == kBestOfSweep))
    refuse(table.where("parameter"),
           "'parameter' is of the largest or the smallest figure of one variant; expected summary "
           "= \"largest\" or \"smallest\" and a variant's label");
  const auto same = [&](const StudyVariant& v) {
    return selection.variant == kBestOfSweep ? v.swept : v.label == selection.variant;
  };
  if (std::none_of(study.variants.begin(), study.variants.end(), same))
    refuse(table.where("variant"), "no variant has the label '{}'; expected one of this file",
           selection.variant);
  return selection;
}

/// Reads a number, or a text for digits that a number would lose ("1.10").
std::string printedNumber(TomlTable& table, const std::string& key) {
  const toml::node* node = table.find(key);
  if (node == nullptr) return "";
  if (node->is_string()) {
    const std::string text = table.text(key);
    const auto parsed = parseNumber<double>(text);
    if (parsed && std::isfinite(*parsed)) return text;
    refuse(table.where(key), "'{}'; expected a number as it is printed", text);
  }
  const double value = table.real(key, 0);
  if (!std::isfinite(value)) refuse(table.where(key), "'{}' is not finite; expected a number", key);
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

/// Checks that every {NAME} of a note is a figure, and that the note uses every figure.
void checkNote(const Comparison& comparison, const SourceLocation& where) {
  std::set<std::string> named;
  const std::string& note = comparison.note;
  for (std::size_t at = note.find('{'); at != std::string::npos; at = note.find('{', at + 1)) {
    const std::size_t end = note.find('}', at);
    const std::string name = note.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    if (end == std::string::npos || comparison.figures.count(name) == 0)
      refuse(where, "the note says {{{}}}; expected a name of 'figures'", name);
    named.insert(name);
  }
  for (const auto& [name, figure] : comparison.figures) {
    if (named.count(name) == 0)
      refuse(where, "the note has no {{{}}}; expected each of 'figures' in it", name);
  }
}

}  // namespace

void readComparisons(TomlTable& file, Study& study) {
  for (TomlTable& table : file.tablesOrRows("compare", "a comparison")) {
    Comparison comparison;
    static_cast<Selection&>(comparison) = readSelection(table, study);
    comparison.where = table.where();
    comparison.claim = table.text("claim", "");
    if (comparison.claim.empty()) {
      comparison.subject = table.text("subject");
      comparison.published = printedNumber(table, "published");
      comparison.place = table.text("place");
      comparison.unit =
          table.text("unit", comparison.parameter.empty() ? unit(comparison.measure) : "");
    }
    comparison.times = table.real("times", 1);
    if (!(comparison.times > 0) || !std::isfinite(comparison.times))
      refuse(table.where("times"), "'times' is no factor; expected a number above 0");
    comparison.each = table.flag("each", false);
    comparison.note = table.text("note", "");
    if (auto figures = table.table("figures", "'figures'")) {
      for (const std::string& name : figures->keys()) {
        auto figure = figures->table(name, "figure '" + name + "'");
        comparison.figures[name] = readSelection(*figure, study, &comparison);
        figure->refuseOtherKeys();
      }
    }
    checkNote(comparison, table.where("note"));
    table.refuseOtherKeys();
    study.comparisons.push_back(std::move(comparison));
  }
}

void readFollowed(TomlTable& file, Study& study) {
  auto table = file.table("followed", "'followed'");
  if (!table) return;
  for (const std::string& label : table->keys()) {
    const auto same = [&](const StudyWorkload& w) { return w.label == label; };
    if (std::none_of(study.workloads.begin(), study.workloads.end(), same))
      refuse(table->where(label), "no workload has the label '{}'; expected one of this file",
             label);
    study.followed[label] = table->text(label);
  }
}

}  // namespace fermata::platforms
