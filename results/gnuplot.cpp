#include <fermata/results/gnuplot.h>

namespace fermata::results {

std::string gnuplotText(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '`') out += '\\';  // `command` would be run
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

std::string gnuplotHead(const std::string& file, const std::string& name, const PictureSize& size,
                        const PanelGrid& grid, const std::string& title) {
  return "# Draws " + name + ".svg: gnuplot " + file + "\nset terminal svg size " +
         std::to_string(size.width) + "," + std::to_string(size.height) +
         " font 'DejaVu Sans,Arial,sans-serif," + std::to_string(size.font) +
         "' noenhanced background '#ffffff'\nset output " + gnuplotText(name + ".svg") +
         "\nset datafile missing '?'\n"
         "set linetype 1 lc rgb '#0072b2'\nset linetype 2 lc rgb '#e69f00'\n"
         "set linetype 3 lc rgb '#009e73'\nset linetype 4 lc rgb '#cc79a7'\n"
         "set linetype 5 lc rgb '#56b4e9'\nset linetype 6 lc rgb '#d55e00'\n"  // Okabe and Ito
         "set linetype 7 lc rgb '#000000'\nset linetype 8 lc rgb '#999999'\n"
         "set border 3 lc '#666666'\nset grid ytics lc '#dddddd' lt 1\n"
         "set xtics nomirror rotate by -45 noenhanced\nset ytics nomirror\n"
         "set yrange [0:*]\nset key outside right top noenhanced\nset multiplot layout " +
         std::to_string(grid.rows) + "," + std::to_string(grid.columns) + " title " +
         gnuplotText(title) + "\n";
}

}  // namespace fermata::results
