// The gnuplot script of a study's picture.
#include <fmt/format.h>

#include <algorithm>

#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/results/csv.h>
#include <fermata/results/gnuplot.h>

namespace fermata::platforms {

namespace {

constexpr std::size_t kLeastWidth = 900;  ///< in pixels, as all sizes here
constexpr std::size_t kPanelHeight = 380;
constexpr std::size_t kLetter = 8;      ///< width of a letter of the font
constexpr std::size_t kKeySample = 70;  ///< width of a sample in the key, with its gaps
constexpr std::size_t kKeyRow = 22;
constexpr std::size_t kSideKey = 200;  ///< widest key beside a panel
constexpr std::size_t kColours = 8;

/// Points of series, in an order in which neighbours differ in form: full circle, square,
/// triangles, diamond, then the open ones.
constexpr int kPoints[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
constexpr std::size_t kPointKinds = std::size(kPoints);

std::size_t longest(const std::vector<PictureSeries>& series) {
  std::size_t most = 0;
  for (const PictureSeries& one : series) most = std::max(most, one.name.size());
  return most;
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t most = 0;
  for (const std::string& text : texts) most = std::max(most, text.size());
  return most;
}

bool isBars(const PicturePanel& panel) {
  return panel.style != PicturePanel::Style::Lines;
}

std::size_t widthOf(const PicturePanel& panel) {
  const bool clustered = panel.style == PicturePanel::Style::Bars;
  const std::size_t place =
      clustered ? std::max<std::size_t>(30, 12 * panel.series.size() + 12) : 36;
  return 200 + place * panel.places.size();
}

/// Says where the key of a panel stands, and what room it takes.
struct KeyPlace {
  bool below = false;
  std::size_t rows = 0;  ///< below
};

KeyPlace keyOf(const PicturePanel& panel, std::size_t width) {
  KeyPlace key;
  const std::size_t entry = longest(panel.series) * kLetter + kKeySample;
  key.below = panel.style == PicturePanel::Style::Stacked || entry > kSideKey ||
              panel.series.size() * kKeyRow > kPanelHeight;
  if (!key.below) return key;
  const std::size_t columns = std::max<std::size_t>(1, width / entry);
  key.rows = (panel.series.size() + columns - 1) / columns;
  return key;
}

/// Turns the labels of places that would run into one another.
const char* ticsOf(const PicturePanel& panel, std::size_t width) {
  const std::size_t room = width * 4 / 5 / std::max<std::size_t>(1, panel.places.size());
  return longest(panel.places) * kLetter < room ? "norotate" : "rotate by -45";
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

/// Returns how series `i` is drawn. Lines that coincide are told apart: a later one is thinner and
/// has smaller points of another form, so that the one below shows at its edges.
std::string drawn(const PicturePanel& panel, std::size_t i) {
  const std::size_t colour = i % kColours + 1;
  if (isBars(panel)) {
    const std::string fill = i < kColours ? "" : fmt::format(" fs pattern {}", i / kColours + 3);
    return fmt::format("{}:xtic(1) lc {}{}", i + 2, colour, fill);
  }
  const auto later = static_cast<double>(std::min<std::size_t>(panel.series.size() - i - 1, 6));
  return fmt::format("0:{}:xtic(1) with linespoints lc {} pt {} dt {} ps {:.2f} lw {:.1f}", i + 2,
                     colour, kPoints[i % kPointKinds], i / kColours + 1, 0.5 + 0.15 * later,
                     1.5 + 0.6 * later);
}

void addPanel(const PicturePanel& panel, std::size_t index, std::size_t width,
              std::string& script) {
  addData(panel, index, script);
  script += fmt::format("set title {}\nset xlabel {}\nset ylabel {}\nset xtics {}\n",
                        results::gnuplotText(panel.heading), results::gnuplotText(panel.axis),
                        results::gnuplotText(panel.unit), ticsOf(panel, width));
  const KeyPlace key = keyOf(panel, width);
  script += key.below
                ? fmt::format("set key bmargin left horizontal Left reverse maxrows {}\n", key.rows)
                : "set key outside right top vertical Right noreverse maxrows auto\n";
  if (isBars(panel)) {
    script += fmt::format(
        "set style data histogram\nset style histogram {}\nset style fill solid 1.0 noborder\n",
        panel.style == PicturePanel::Style::Stacked ? "rowstacked" : "clustered gap 1");
  }
  script += "plot ";
  if (panel.isFactor) script += "1 with lines lc rgb '#666666' lw 1 notitle, \\\n  ";
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    script += fmt::format("{}$panel{} using {} title {}", i == 0 ? "" : ", \\\n  ", index,
                          drawn(panel, i), results::gnuplotText(panel.series[i].name));
  script += '\n';
}

}  // namespace

std::string gnuplotScript(const std::string& name, const std::string& title,
                          const std::vector<PicturePanel>& panels) {
  std::size_t width = kLeastWidth;
  for (const PicturePanel& panel : panels) width = std::max(width, widthOf(panel));
  std::size_t rows = 0;  // of the largest key below
  for (const PicturePanel& panel : panels) rows = std::max(rows, keyOf(panel, width).rows);
  const std::size_t height = 60 + (kPanelHeight + kKeyRow * rows) * panels.size();
  std::string script =
      results::gnuplotHead("picture.gp", name, width, height, panels.size(), title);
  script += "set yrange [*<0:0<*]\n";
  for (std::size_t i = 0; i < panels.size(); ++i) addPanel(panels[i], i, width, script);
  return script + "unset multiplot\n";
}

}  // namespace fermata::platforms
