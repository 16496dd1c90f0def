#include <fermata/platforms/program/study/study_picture.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <fermata/platforms/program/study/study_measures.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using Style = StudyPicture::Style;

const Choices<Style> kStyles{{"bars", Style::Bars},
                             {"stacked", Style::Stacked},
                             {"lines-over-variants", Style::OverVariants},
                             {"lines-over-workloads", Style::OverWorkloads}};

/// Returns the indices of the elements with a label in `only`; all if `only` is empty.
template <class Labelled>
std::vector<std::size_t> drawn(const std::vector<Labelled>& all,
                               const std::vector<std::string>& only) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (only.empty() || std::find(only.begin(), only.end(), all[i].label) != only.end()) {
      indices.push_back(i);
    }
  }
  return indices;
}

bool isIn(const std::string& group, const StudyWorkload& workload) {
  return workload.label.compare(0, group.size(), group) == 0;
}

std::vector<std::size_t> drawnWorkloads(const Study& study, const StudyPicture& picture,
                                        const std::string& group) {
  std::vector<std::size_t> indices = drawn(study.workloads, picture.workloads);
  indices.erase(std::remove_if(indices.begin(), indices.end(),
                               [&](std::size_t w) { return !isIn(group, study.workloads[w]); }),
                indices.end());
  return indices;
}

std::vector<std::size_t> drawnWorkloads(const Study& study, const std::string& group = {}) {
  return drawnWorkloads(study, *study.picture, group);
}

/// Returns the names in "slope=100 picture=1", joined by blanks; empty if it is no such text.
std::string namesIn(const std::string& place) {
  std::string names;
  for (const std::string& piece : split(place, ' ')) {
    const std::size_t equals = piece.find('=');
    if (equals == 0 || equals == std::string::npos) return "";
    names += (names.empty() ? "" : " ") + piece.substr(0, equals);
  }
  return names;
}

/// Leaves only the values in places that name the same parameters. The axis names these, if it has
/// no name.
void shorten(PicturePanel& panel) {
  const std::string names = panel.places.empty() ? "" : namesIn(panel.places.front());
  const auto differs = [&](const std::string& place) { return namesIn(place) != names; };
  if (names.empty() || std::any_of(panel.places.begin(), panel.places.end(), differs)) return;
  for (std::string& place : panel.places) {
    std::string values;
    for (const std::string& piece : split(place, ' '))
      values += (values.empty() ? "" : " ") + piece.substr(piece.find('=') + 1);
    place = values;
  }
  if (panel.axis.empty()) panel.axis = names;
}

/// Fills a panel with one place per workload of the group and one series per variant.
void overWorkloads(const Study& study, const StudyCells& cells, Measure measure,
                   const std::string& group, PicturePanel& panel) {
  const auto workloads = drawnWorkloads(study, group);
  for (const std::size_t w : workloads)
    panel.places.push_back(study.workloads[w].label.substr(group.size()));
  for (const std::size_t v : drawn(study.variants, study.picture->variants)) {
    PictureSeries series{study.variants[v].label, {}};
    for (const std::size_t w : workloads) series.values.push_back(measureOf(cells, w, v, measure));
    panel.series.push_back(std::move(series));
  }
  if (study.picture->published.empty()) return;
  PictureSeries series{study.picture->publishedName, {}};
  for (const double value : study.picture->published) series.values.emplace_back(value);
  panel.series.push_back(std::move(series));
}

/// Fills a panel with one line per prefix of labels and variant; the places are what follows the
/// prefix.
void overLines(const Study& study, const StudyCells& cells, Measure measure, PicturePanel& panel) {
  const auto variants = drawn(study.variants, study.picture->variants);
  for (const std::string& line : study.picture->lines) {
    const auto workloads = drawnWorkloads(study, line);
    if (panel.places.empty()) {
      for (const std::size_t w : workloads)
        panel.places.push_back(study.workloads[w].label.substr(line.size()));
    }
    for (const std::size_t v : variants) {
      const std::string name = line.substr(0, line.find_last_not_of(' ') + 1);
      PictureSeries series{variants.size() == 1 ? name : study.variants[v].label + ", " + name, {}};
      for (const std::size_t w : workloads)
        series.values.push_back(measureOf(cells, w, v, measure));
      panel.series.push_back(std::move(series));
    }
  }
}

/// Fills a panel with one place per variant of the sweep and one series per workload.
void overVariants(const Study& study, const StudyCells& cells, Measure measure,
                  PicturePanel& panel) {
  for (const StudyVariant& variant : study.variants) {
    if (variant.swept) panel.places.push_back(variant.label);
  }
  for (const std::size_t w : drawnWorkloads(study)) {
    PictureSeries series{study.workloads[w].label, {}};
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      if (study.variants[v].swept) series.values.push_back(measureOf(cells, w, v, measure));
    }
    panel.series.push_back(std::move(series));
  }
}

/// Returns a panel of stacked measures: one place per workload, for the first variant or for each
/// named one.
PicturePanel stacked(const Study& study, const StudyCells& cells) {
  PicturePanel panel;
  panel.style = PicturePanel::Style::Stacked;
  panel.axis = study.picture->axis;
  panel.unit = unitLabel(study, study.picture->measures.front());
  const bool named = !study.picture->variants.empty();
  const auto variants =
      named ? drawn(study.variants, study.picture->variants) : std::vector<std::size_t>{0};
  std::vector<std::optional<std::pair<std::size_t, std::size_t>>> bars;
  for (const std::size_t w : drawnWorkloads(study)) {
    if (!bars.empty() && variants.size() > 1) {  // a gap between the bars of workloads
      bars.emplace_back();
      panel.places.emplace_back();
    }
    for (const std::size_t v : variants) {
      bars.emplace_back(std::pair(w, v));
      panel.places.push_back(study.workloads[w].label +
                             (named ? ", " + study.variants[v].label : ""));
    }
  }
  for (const Measure measure : study.picture->measures) {
    PictureSeries series{shortHeading(measure), {}};
    for (const auto& bar : bars)
      series.values.push_back(bar ? measureOf(cells, bar->first, bar->second, measure)
                                  : std::nullopt);
    panel.series.push_back(std::move(series));
  }
  return panel;
}

/// Returns the beginnings of labels at `key`. Each must have a workload.
std::vector<std::string> beginnings(TomlTable& picture, const std::string& key,
                                    const Study& study) {
  std::vector<std::string> texts = picture.texts(key);
  for (const std::string& text : texts) {
    const auto in = [&](const StudyWorkload& workload) { return isIn(text, workload); };
    if (std::any_of(study.workloads.begin(), study.workloads.end(), in)) continue;
    refuse(picture.where(key),
           "no workload's label begins with '{}'; expected the beginning of one of this file",
           text);
  }
  return texts;
}

/// Reads the groups of workloads that get panels of their own, and those that get lines.
void readGroups(TomlTable& picture, const Study& study, StudyPicture& out) {
  out.groups = beginnings(picture, "groups", study);
  const bool overVariants = out.style == Style::OverVariants || out.style == Style::Stacked;
  if (!out.groups.empty() && overVariants)
    refuse(picture.where("groups"),
           "groups have panels of workloads; expected the style bars or lines-over-workloads");
  out.lines = beginnings(picture, "lines", study);
  if (out.lines.empty()) return;
  if (out.style != Style::OverWorkloads || !out.groups.empty())
    refuse(picture.where("lines"), "expected the style lines-over-workloads, without groups");
  const std::size_t places = drawnWorkloads(study, out, out.lines.front()).size();
  for (const std::string& line : out.lines) {
    if (drawnWorkloads(study, out, line).size() == places) continue;
    refuse(picture.where("lines"), "'{}' has {} workloads and '{}' has {}; expected as many", line,
           drawnWorkloads(study, out, line).size(), out.lines.front(), places);
  }
}

/// Reads a line of published figures, one per workload drawn.
void readPublished(TomlTable& picture, const Study& study, StudyPicture& out) {
  auto table = picture.table("published", "'published'");
  if (!table) return;
  out.publishedName = table->text("name");
  const toml::node& values = table->require("values");
  if (const toml::array* array = values.as_array()) {
    for (const toml::node& value : *array) {
      const auto number = value.value<double>();
      if (!number || !std::isfinite(*number))
        refuse(table->where(value), "'values' has {}; expected numbers",
               number ? "a number that is not finite" : describeType(value));
      out.published.push_back(*number);
    }
  }
  const std::size_t places = out.workloads.empty() ? study.workloads.size() : out.workloads.size();
  if (out.style != Style::OverWorkloads || out.measures.size() != 1 || !out.groups.empty() ||
      !out.lines.empty() || out.published.size() != places) {
    refuse(table->where("values"),
           "'values' has {} numbers; expected one of each of {} workloads, under "
           "lines-over-workloads of one measure, without groups",
           out.published.size(), places);
  }
  table->refuseOtherKeys();
}

}  // namespace

void readPicture(TomlTable& file, Study& study) {
  auto table = file.table("picture", "'picture'");
  if (!table) return;
  StudyPicture picture;
  picture.style = choose(table->text("style"), kStyles, table->where("style"), "style");
  for (const std::string& text : table->texts("measures")) {
    picture.measures.push_back(parseMeasure(text, table->where("measures")));
  }
  if (picture.measures.empty()) picture.measures = study.measures;
  picture.axis = table->text("axis", "");
  picture.workloads = chosenLabels(*table, study);
  picture.variants = table->texts("variants");
  for (const std::string& label : picture.variants) {
    const auto same = [&](const StudyVariant& variant) { return variant.label == label; };
    if (std::any_of(study.variants.begin(), study.variants.end(), same)) continue;
    refuse(table->where("variants"), "no variant has the label '{}'; expected one of this file",
           label);
  }
  readGroups(*table, study, picture);
  readPublished(*table, study, picture);
  const bool swept = std::any_of(study.variants.begin(), study.variants.end(),
                                 [](const StudyVariant& variant) { return variant.swept; });
  if (picture.style == Style::OverVariants && !swept)
    refuse(table->where("style"),
           "lines over the variants of no sweep; expected a variant with 'sweep'");
  table->refuseOtherKeys();
  study.picture = std::move(picture);
}

std::vector<PicturePanel> panels(const Study& study, const StudyCells& cells) {
  std::vector<PicturePanel> all;
  if (!study.picture) return all;
  if (study.picture->style == Style::Stacked) return {stacked(study, cells)};
  std::vector<std::pair<Measure, std::string>> wanted;
  for (const Measure measure : study.picture->measures) {
    if (study.picture->groups.empty()) wanted.emplace_back(measure, "");
    for (const std::string& group : study.picture->groups) wanted.emplace_back(measure, group);
  }
  for (const auto& [measure, group] : wanted) {
    PicturePanel panel;
    panel.heading = group + heading(study, measure);
    panel.axis = study.picture->axis;
    panel.unit = unitLabel(study, measure);
    panel.isFactor = traits(measure).form == MeasureTraits::Form::Factor;
    const bool bars = study.picture->style == Style::Bars;
    panel.style = bars ? PicturePanel::Style::Bars : PicturePanel::Style::Lines;
    if (study.picture->style == Style::OverVariants) {
      overVariants(study, cells, measure, panel);
    } else if (!study.picture->lines.empty()) {
      overLines(study, cells, measure, panel);
    } else {
      overWorkloads(study, cells, measure, group, panel);
    }
    shorten(panel);
    all.push_back(std::move(panel));
  }
  return all;
}

void writePicture(const Study& study, const std::vector<PicturePanel>& panels,
                  files::OutputSet& files, const std::filesystem::path& folder) {
  const std::string script = gnuplotScript(study.name, study.title, panels);
  if (!script.empty()) files.add(folder / "picture.gp").write(script);
}

}  // namespace fermata::platforms
