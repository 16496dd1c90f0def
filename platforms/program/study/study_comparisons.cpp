// The comparisons of a study file: published figures, selections that form ours, and notes.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

#include <fermata/platforms/program/number_text.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/stimuli/launch/expression.h>
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
  selection.workloads = chosenLabels(table, study);
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
    refuse(table.where(key),
           "'{}'; expected a number as it is printed; what is computed is a 'formula'", text);
  }
  const double value = table.real(key, 0);
  if (!std::isfinite(value)) refuse(table.where(key), "'{}' is not finite; expected a number", key);
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

/// Returns every NAME that stands as {NAME} in a text. Throws InputError if it is no figure.
std::set<std::string> figuresIn(const std::string& text, const Comparison& comparison,
                                const SourceLocation& where) {
  std::set<std::string> named;
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    const std::string name = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    if (end == std::string::npos || comparison.figures.count(name) == 0)
      refuse(where, "the text says {{{}}}; expected a name of 'figures'", name);
    named.insert(name);
  }
  return named;
}

bool isOtherRun(const Selection& figure, const Comparison& comparison) {
  return std::tie(figure.variant, figure.platform, figure.workloads) !=
         std::tie(comparison.variant, comparison.platform, comparison.workloads);
}

/// Checks that note and cause name every figure and no other, and that a run shows the cause.
void checkTexts(const Comparison& comparison, TomlTable& table) {
  std::set<std::string> named = figuresIn(comparison.note, comparison, table.where("note"));
  const auto causes = figuresIn(comparison.cause, comparison, table.where("cause"));
  const auto shows = [&](const std::string& name) {
    return isOtherRun(comparison.figures.at(name), comparison);
  };
  if (!comparison.cause.empty() && std::none_of(causes.begin(), causes.end(), shows))
    refuse(table.where("cause"),
           "no run shows this cause; expected {{NAME}} of a figure with another variant, platform "
           "or 'only'");
  if (comparison.each && !(comparison.note + comparison.cause + comparison.headline).empty())
    refuse(table.where("each"), "'each' gives many rows; expected no note, cause or headline");
  named.insert(causes.begin(), causes.end());
  for (const auto& [name, figure] : comparison.figures) {
    if (named.count(name) == 0)
      refuse(table.where("figures"),
             "neither note nor cause has {{{}}}; expected each of 'figures' in one of them", name);
  }
}

/// Reads which of a claim's numbers is compared; 0: its only one.
std::size_t partOf(TomlTable& table) {
  constexpr std::int64_t kMost = 9;
  const std::int64_t part = table.constant("part", 0);
  if (part < 0 || part > kMost || (part == 0 && table.has("part")))
    refuse(table.where("part"), "'part' is {}; expected 1 for the claim's first number", part);
  return static_cast<std::size_t>(part);
}

/// Reads the figure of the source: as printed, or computed by one of its formulas.
void readPublished(TomlTable& table, Comparison& comparison) {
  comparison.subject = table.text("subject");
  comparison.published = printedNumber(table, "published");
  comparison.place = table.text("place");
  if (const std::string formula = table.text("formula", ""); !formula.empty()) {
    const auto where = table.where("formula");
    if (!comparison.published.empty())
      refuse(where, "'formula' stands beside 'published'; expected one of them");
    comparison.formula =
        static_cast<double>(launch::Expression::parse(formula, where).evaluate({}));
  }
  const bool isPrinted = comparison.place != "-" && comparison.place.rfind("what-if", 0) != 0;
  if (!comparison.published.empty() && !isPrinted)
    refuse(table.where("place"),
           "'{}' is no place of a published figure; expected where it is printed",
           comparison.place);
}

}  // namespace

void readComparisons(TomlTable& file, Study& study) {
  for (TomlTable& table : file.tablesOrRows("compare", "a comparison")) {
    Comparison comparison;
    static_cast<Selection&>(comparison) = readSelection(table, study);
    comparison.where = table.where();
    comparison.claim = table.text("claim", "");
    if (!comparison.claim.empty()) {
      comparison.part = partOf(table);
      comparison.subject = table.text("subject", "");
    } else {
      readPublished(table, comparison);
      comparison.unit =
          table.text("unit", comparison.parameter.empty() ? unit(comparison.measure) : "");
    }
    comparison.times = table.real("times", 1);
    if (!(comparison.times > 0) || !std::isfinite(comparison.times))
      refuse(table.where("times"), "'times' is no factor; expected a number above 0");
    comparison.each = table.flag("each", false);
    comparison.headline = table.text("headline", "");
    comparison.note = table.text("note", "");
    comparison.cause = table.text("cause", "");
    if (auto figures = table.table("figures", "'figures'")) {
      for (const std::string& name : figures->keys()) {
        auto figure = figures->table(name, "figure '" + name + "'");
        comparison.figures[name] = readSelection(*figure, study, &comparison);
        figure->refuseOtherKeys();
      }
    }
    checkTexts(comparison, table);
    table.refuseOtherKeys();
    study.comparisons.push_back(std::move(comparison));
  }
}

void readFollowed(TomlTable& file, bool isBase, Study& study) {
  auto table = file.table("followed", "'followed'");
  if (!table) return;
  for (const std::string& label : table->keys()) {
    const auto same = [&](const StudyWorkload& w) { return w.label == label; };
    const std::string what = table->text(label);
    if (std::any_of(study.workloads.begin(), study.workloads.end(), same)) {
      study.followed[label] = what;
    } else if (!isBase) {
      refuse(table->where(label), "no workload has the label '{}'; expected one of this file",
             label);
    }
  }
}

}  // namespace fermata::platforms
