// The gnuplot script of a study's picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/results/csv.h>
#include <fermata/results/gnuplot.h>

namespace fermata::platforms {

namespace {

constexpr std::size_t kLeastWidth = 1000;  ///< in pixels, as all sizes here
constexpr std::size_t kCell = 600;         ///< width of a panel that has one beside it
constexpr std::size_t kColours = 8;

/// Points of series, in an order in which neighbours differ in form: full circle, square,
/// triangles, diamond, then the open ones.
constexpr int kPoints[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
constexpr std::size_t kPointKinds = std::size(kPoints);
constexpr std::size_t kDashes = 5;  ///< the first is a full line

/// Sizes of a picture. Letters grow with it, so that it can be read at half of a page.
struct Sheet {
  std::size_t width = kLeastWidth;
  std::size_t columns = 1;  ///< of panels
  double font() const { return std::max(15.0, static_cast<double>(width) / 66); }
  double letter() const { return 0.57 * font(); }
  double line() const { return 1.38 * font(); }  ///< gnuplot's unit of margins
  double cell() const { return static_cast<double>(width / columns); }
};

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, text.size());
  return most;
}

std::size_t longest(const std::vector<PictureSeries>& series) {
  std::size_t most = 0;
  for (const PictureSeries& one : series) most = std::max(most, one.name.size());
  return most;
}

bool isBars(const PicturePanel& panel) {
  return panel.style != PicturePanel::Style::Lines;
}

bool isStacked(const PicturePanel& panel) {
  return panel.style == PicturePanel::Style::Stacked;
}

bool hasValues(const PictureSeries& series) {
  return std::any_of(series.values.begin(), series.values.end(),
                     [](const auto& value) { return value.has_value(); });
}

bool isDrawn(const PicturePanel& panel) {
  return std::any_of(panel.series.begin(), panel.series.end(), hasValues);
}

std::size_t widthOf(const PicturePanel& panel) {
  const bool clustered = panel.style == PicturePanel::Style::Bars;
  const std::size_t place =
      clustered ? std::max<std::size_t>(30, 6 * panel.series.size() + 10) : 30;
  return 150 + place * panel.places.size();
}

Sheet sheetOf(const std::vector<PicturePanel>& panels) {
  std::size_t widest = 0;
  for (const PicturePanel& panel : panels) widest = std::max(widest, widthOf(panel));
  if (panels.size() > 3 && widest <= kCell) return {2 * kCell, 2};
  return {std::max(kLeastWidth, widest), 1};
}

/// Says how much is below a panel, in lines of text.
struct Foot {
  bool turned = false;  ///< labels of places that would meet
  bool key = false;     ///< below the panel, else beside it
  std::size_t keyColumns = 1;
  double lines = 0;
};

/// True if the heading names the only series.
bool isKeyless(const PicturePanel& panel) {
  return panel.series.size() == 1 && panel.series.front().name == panel.heading;
}

Foot footOf(const PicturePanel& panel, const Sheet& sheet) {
  Foot foot;
  const auto text = static_cast<double>(longest(panel.places)) * sheet.letter();
  const auto places = static_cast<double>(std::max<std::size_t>(1, panel.places.size()));
  const double entry =
      static_cast<double>(longest(panel.series)) * sheet.letter() + 5 * sheet.font();
  foot.key = !isKeyless(panel) &&
             (isStacked(panel) || entry > sheet.cell() / 4 || panel.series.size() > 16);
  foot.turned = text + 0.3 * sheet.letter() > sheet.cell() * (foot.key ? 0.85 : 0.7) / places;
  foot.lines = foot.turned ? 1 + 0.7 * text / sheet.line() : 1.5;
  if (!panel.axis.empty()) foot.lines += 1.5;
  if (!foot.key) return foot;
  foot.keyColumns = std::max<std::size_t>(1, static_cast<std::size_t>(0.75 * sheet.cell() / entry));
  foot.keyColumns = std::min(foot.keyColumns, panel.series.size());
  foot.lines += 1.5 + std::ceil(static_cast<double>(panel.series.size()) /
                                static_cast<double>(foot.keyColumns));
  return foot;
}

/// Smallest and largest value of a panel; of stacked ones, their sums.
struct Extent {
  double least = 0;
  double most = 0;
};

Extent extentOf(const PicturePanel& panel) {
  std::vector<double> all;
  for (std::size_t place = 0; place < panel.places.size(); ++place) {
    double sum = 0;
    for (const PictureSeries& series : panel.series) {
      const auto& value = series.values.at(place);
      sum += value.value_or(0);
      if (value && !isStacked(panel)) all.push_back(*value);
    }
    if (isStacked(panel)) all.push_back(sum);
  }
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return {*least, *most};
}

/// Returns the range of the values' axis. Bars begin at 0, lines of ratios show 1. gnuplot would
/// take a range of its own for equal values, and more than 100 percent for sums that round.
std::string rangeOf(const PicturePanel& panel, double scale) {
  const Extent extent = extentOf(panel);
  if (isStacked(panel) && std::abs(extent.most - 100) < 1e-6) return "[0:100]";
  if (extent.least < extent.most)
    return panel.isFactor && !isBars(panel) ? "[*<0.9:1.1<*]" : "[*<0:0<*]";
  const double value = extent.most / scale;
  if (value == 0) return "[0:1]";
  return value > 0 ? fmt::format("[0:{:.4g}]", 1.2 * value)
                   : fmt::format("[{:.4g}:0]", 1.2 * value);
}

/// Names a unit of the values that leaves few digits at the axis.
struct Scale {
  double by = 1;
  const char* name = "";
};

Scale scaleOf(const PicturePanel& panel) {
  const Extent extent = extentOf(panel);
  const double most = std::max(std::abs(extent.least), std::abs(extent.most));
  if (most >= 2e6) return {1e6, "million "};
  if (most >= 2e4) return {1e3, "thousand "};
  return {};
}

void addData(const PicturePanel& panel, std::size_t index, std::string& script) {
  script += fmt::format("\n$panel{} << END\n", index);
  for (std::size_t place = 0; place < panel.places.size(); ++place) {
    script += results::gnuplotText(panel.places[place]);
    for (const PictureSeries& series : panel.series) {
      const auto& value = series.values.at(place);
      script += ' ' + (value ? results::number(*value) : "?");
    }
    script += '\n';
  }
  script += "END\n";
}

/// Returns how series `i` is drawn. Lines that coincide are told apart: a later one is thinner,
/// dashed, and has smaller points of another form, so that the one below shows.
std::string drawn(const PicturePanel& panel, std::size_t i, double scale) {
  const std::size_t colour = i % kColours + 1;
  const std::string column =
      scale == 1 ? std::to_string(i + 2) : fmt::format("(${}/{:.0f})", i + 2, scale);
  if (isBars(panel)) {
    const std::string fill = i < kColours ? "" : fmt::format(" fs pattern {}", i / kColours + 3);
    return fmt::format("{}:xtic(1) lc {}{}", column, colour, fill);
  }
  const auto count = static_cast<double>(panel.series.size());
  const double lower = (count - static_cast<double>(i)) / count;  // 1: the lowest line
  const double most = panel.places.size() > 16 ? 0.7 : 1.1;
  return fmt::format("0:{}:xtic(1) with linespoints lc {} pt {} dt {} ps {:.2f} lw {:.1f}", column,
                     colour, kPoints[i % kPointKinds], i % kDashes + 1, 0.4 + most * lower,
                     1.2 + 1.8 * lower);
}

void addPanel(const PicturePanel& panel, std::size_t index, const Sheet& sheet,
              std::string& script) {
  addData(panel, index, script);
  const Foot foot = footOf(panel, sheet);
  const Scale scale = scaleOf(panel);
  script += fmt::format(
      "set title {}\nset xlabel {}\nset ylabel {}\nset yrange {}\nset xtics {}\nset bmargin "
      "{:.1f}\n",
      results::gnuplotText(panel.heading), results::gnuplotText(panel.axis),
      results::gnuplotText(scale.name + panel.unit), rangeOf(panel, scale.by),
      fmt::format("scale {} {}", isBars(panel) ? 0 : 1,
                  foot.turned ? "rotate by 45 right" : "norotate"),
      foot.lines);
  if (isKeyless(panel)) {
    script += "unset key\n";
  } else if (foot.key) {
    script +=
        fmt::format("set key bmargin left horizontal Left reverse maxcols {}\n", foot.keyColumns);
  } else {
    script += "set key outside right top vertical Left reverse maxcols auto\n";
  }
  if (isBars(panel)) {
    script += fmt::format(
        "set style data histogram\nset style histogram {}\nset boxwidth {} relative\n"
        "set style fill solid 1.0 border lc rgb '#ffffff'\n",
        isStacked(panel) ? "rowstacked" : "clustered gap 1", isStacked(panel) ? "0.8" : "1");
  }
  std::vector<std::string> plots;
  if (panel.isFactor) plots.push_back("1 with lines lc rgb '#444444' lw 1.5 notitle");
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    if (!hasValues(panel.series[i])) continue;  // gnuplot complains
    plots.push_back(fmt::format("$panel{} using {} title {}", index, drawn(panel, i, scale.by),
                                results::gnuplotText(panel.series[i].name)));
  }
  script += fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
}

}  // namespace

std::string gnuplotScript(const std::string& name, const std::string& title,
                          const std::vector<PicturePanel>& all) {
  std::vector<PicturePanel> panels;
  std::copy_if(all.begin(), all.end(), std::back_inserter(panels), isDrawn);
  if (panels.empty()) return {};
  const Sheet sheet = sheetOf(panels);
  double lines = 0;  // below the panel that has most
  for (const PicturePanel& panel : panels) lines = std::max(lines, footOf(panel, sheet).lines);
  const std::size_t rows = (panels.size() + sheet.columns - 1) / sheet.columns;
  const double height =
      3 * sheet.font() + static_cast<double>(rows) * (20 * sheet.font() + lines * sheet.line());
  std::string script = results::gnuplotHead(
      "picture.gp", name,
      {sheet.width, static_cast<std::size_t>(height), static_cast<std::size_t>(sheet.font())},
      {rows, sheet.columns}, title);
  script += "set xzeroaxis lt 1 lc rgb '#444444'\n";
  for (std::size_t i = 0; i < panels.size(); ++i) addPanel(panels[i], i, sheet, script);
  return script + "unset multiplot\n";
}

}  // namespace fermata::platforms
