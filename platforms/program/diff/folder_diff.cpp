#include <fermata/platforms/program/diff/folder_diff.h>

#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/report/report_input.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace fermata::platforms {

namespace {

constexpr const char* kConflicts = "wavefronts_excessive";
constexpr const char* kEnergy = "energy_nj";
const std::vector<std::string> kRun{"workload", "parameters", "platform", "changes", "indexer",
                                    "launch",   "kernel",     "grid",     "block"};
const std::vector<std::string> kLine{"source_file", "line", "opcode"};
const std::vector<std::string> kLineFigures{"executions",   "wavefronts", kConflicts,
                                            "stall_cycles", "replays",    "energy_nominal_fj"};

/// Returns the columns that tell the runs of either folder apart.
std::vector<std::string> identityOf(const ReportInput& a, const ReportInput& b) {
  std::vector<std::string> identity = kRun;
  for (const ReportInput* input : {&a, &b}) {
    for (const AxisColumn& axis : input->axes) identity.push_back(axis.name);
  }
  return identity;
}

/// Returns a number as a person reads it: counts whole, others with four digits.
std::string shown(const std::optional<double>& value) {
  if (!value) return "-";
  const double size = std::abs(*value);
  if (size != std::floor(size) || size >= 1e15) return fmt::format("{:.4g}", *value);
  return (*value < 0 ? "-" : "") + results::grouped(static_cast<std::uint64_t>(size));
}

std::string shownChange(const FigurePair& pair) {
  const auto percent = pair.percent();
  return percent ? fmt::format("{:+.1f}%", *percent) : pair.differs() ? "new" : "-";
}

std::string shownDifference(const FigurePair& pair) {
  return (pair.difference() > 0 ? "+" : "") + shown(pair.difference());
}

/// Returns the places of the keys that a reader needs to tell the pairs apart, and where the lines
/// are; the first where there is one pair.
std::vector<std::size_t> tellingKeys(const TableDiff& diff) {
  std::vector<std::size_t> telling;
  std::size_t told = diff.pairs.empty() ? 0 : 1;  // how many the keys so far tell apart
  const auto countWith = [&](std::size_t key) {
    std::set<std::vector<std::string>> seen;
    for (const RowPair& pair : diff.pairs) {
      std::vector<std::string> cells{pair.key[key]};
      for (const std::size_t i : telling) cells.push_back(pair.key[i]);
      seen.insert(std::move(cells));
    }
    return seen.size();
  };
  for (std::size_t i = 0; i < diff.keys.size(); ++i) {
    const std::size_t now = countWith(i);
    const bool isPlace = std::find(kLine.begin(), kLine.end(), diff.keys[i]) != kLine.end();
    if (now == told && !isPlace) continue;
    telling.push_back(i);
    told = now;
  }
  if (telling.empty() && !diff.keys.empty()) telling.push_back(0);
  return telling;
}

/// A table whose rows begin with what tells the pairs apart.
class ViewOfPairs {
 public:
  ViewOfPairs(std::string title, const TableDiff& diff, std::size_t most)
      : telling_(tellingKeys(diff)), most_(most) {
    view_.title = std::move(title);
    for (const std::size_t i : telling_) view_.columns.push_back({diff.keys[i], true});
  }
  void column(const std::string& heading, bool isText = false) {
    view_.columns.push_back({heading, isText});
  }
  void row(const RowPair& pair, const std::vector<std::string>& cells) {
    if (view_.rows.size() == most_) {
      ++view_.left;
      return;
    }
    std::vector<std::string> row;
    for (const std::size_t i : telling_) row.push_back(pair.key[i]);
    row.insert(row.end(), cells.begin(), cells.end());
    view_.rows.push_back(std::move(row));
  }
  DiffView take() { return std::move(view_); }

 private:
  std::vector<std::size_t> telling_;
  std::size_t most_;
  DiffView view_;
};

void append(std::vector<std::string>& cells, const FigurePair& figure) {
  cells.insert(cells.end(), {shown(figure.a), shown(figure.b), shownChange(figure)});
}

DiffView runsView(const TableDiff& runs, std::size_t most) {
  ViewOfPairs view("Runs", runs, most);
  std::vector<std::string> figures;
  for (const auto& [name, heading] :
       {std::pair("cycles", "cycles"), std::pair(kConflicts, "conflict cycles"),
        std::pair(kEnergy, "energy nJ")}) {
    if (!runs.figure(name)) continue;
    figures.emplace_back(name);
    view.column(fmt::format("{} A", heading));
    view.column("B");
    view.column("change");
  }
  for (const RowPair& pair : runs.pairs) {
    std::vector<std::string> cells;
    for (const std::string& name : figures) append(cells, runs.of(pair, name));
    view.row(pair, cells);
  }
  return view.take();
}

struct Stall {
  const RowPair* pair;
  std::size_t figure;
  double difference;
};

DiffView stallsView(const TableDiff& runs, std::size_t most) {
  std::vector<Stall> stalls;
  for (const RowPair& pair : runs.pairs) {
    for (std::size_t i = 0; i < runs.figures.size(); ++i) {
      const double difference = pair.figures[i].difference();
      if (runs.figures[i].rfind("stall_", 0) == 0 && difference != 0)
        stalls.push_back({&pair, i, difference});
    }
  }
  std::stable_sort(stalls.begin(), stalls.end(), [](const Stall& one, const Stall& other) {
    return std::abs(one.difference) > std::abs(other.difference);
  });
  ViewOfPairs view("Stalls, in issue slots", runs, most);
  view.column("stall", true);
  for (const char* heading : {"A", "B", "difference"}) view.column(heading);
  for (const Stall& stall : stalls) {
    const FigurePair& figure = stall.pair->figures[stall.figure];
    view.row(*stall.pair, {runs.figures[stall.figure], shown(figure.a), shown(figure.b),
                           shownDifference(figure)});
  }
  return view.take();
}

DiffView linesView(const TableDiff& lines, std::size_t most) {
  ViewOfPairs view("Lines, by their conflict cycles and by the cycles that warps waited at them",
                   lines, most);
  for (const char* heading :
       {"conflict cycles A", "B", "difference", "stall cycles A", "B", "difference"})
    view.column(heading);
  for (const RowPair& pair : lines.pairs) {
    const FigurePair conflicts = lines.of(pair, kConflicts);
    const FigurePair stalls = lines.of(pair, "stall_cycles");
    if (conflicts.difference() == 0 && stalls.difference() == 0) continue;
    view.row(pair, {shown(conflicts.a), shown(conflicts.b), shownDifference(conflicts),
                    shown(stalls.a), shown(stalls.b), shownDifference(stalls)});
  }
  return view.take();
}

void appendCsv(const char* table, const TableDiff& diff, std::string& text) {
  for (const RowPair& pair : diff.pairs) {
    std::string row;
    for (std::size_t i = 0; i < diff.keys.size(); ++i) {
      if (!pair.key[i].empty())
        row += fmt::format("{}{}={}", row.empty() ? "" : ";", diff.keys[i], pair.key[i]);
    }
    for (std::size_t i = 0; i < diff.figures.size(); ++i) {
      const FigurePair& figure = pair.figures[i];
      if (figure.differs())
        text += csvLine(table, row, diff.figures[i], diff.units[i], figure.a, figure.b,
                        figure.difference(), figure.percent());
    }
  }
}

}  // namespace

FolderDiff diffFolders(const std::filesystem::path& a, const std::filesystem::path& b) {
  const ReportInput left = readReportInput(a);
  const ReportInput right = readReportInput(b);
  const std::vector<std::string> identity = identityOf(left, right);
  FolderDiff diff{a.string(), b.string(), diffOf(left.points, right.points, identity), {}};
  if (diff.runs.pairs.empty())
    refuse(
        "no run of '{}' has a partner in '{}'; expected runs that agree in {}, where more than "
        "one thing was changed between the folders",
        diff.nameA, diff.nameB, fmt::format("{}", fmt::join(diff.runs.keys, ", ")));
  diff.runs.sortBy("cycles");
  if (left.files && right.files) {
    std::vector<std::string> lineIdentity = identity;
    lineIdentity.insert(lineIdentity.end(), kLine.begin(), kLine.end());
    diff.lines =
        diffOf(left.files->instructions, right.files->instructions, lineIdentity, kLineFigures);
    diff.lines->sortBy("stall_cycles");
    diff.lines->sortBy(kConflicts);
  }
  return diff;
}

std::vector<DiffView> viewsOf(const FolderDiff& diff, std::size_t most) {
  std::vector<DiffView> views{runsView(diff.runs, most), stallsView(diff.runs, most)};
  if (diff.lines) views.push_back(linesView(*diff.lines, most));
  views.erase(std::remove_if(views.begin(), views.end(),
                             [](const DiffView& view) { return view.rows.empty(); }),
              views.end());
  return views;
}

std::string diffCsv(const FolderDiff& diff) {
  std::string text = csvLine("table", "row", "figure", "unit", "a", "b", "difference", "percent");
  appendCsv("runs", diff.runs, text);
  if (diff.lines) appendCsv("lines", *diff.lines, text);
  return text;
}

}  // namespace fermata::platforms
