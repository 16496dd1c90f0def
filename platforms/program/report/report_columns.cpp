#include <fermata/platforms/program/report/report_columns.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace fermata::platforms {

namespace {

using nlohmann::ordered_json;

constexpr double kMostExact = 9e15;

struct ShownFigure {
  const char* name;     ///< name of the column
  const char* title;    ///< heading for a reader
  bool always = false;  ///< shown even if 0 in all rows
};

// Figures of runs.csv, in this order. A column that is missing or empty in all rows is not shown.
constexpr ShownFigure kFigures[] = {
    {"cycles", "cycles", true},
    {"energy_nj", "energy"},
    {"wavefronts_excessive", "conflict cycles", true},
    {"ipc", "IPC"},
    {"mean_passes", "mean passes"},
    {"max_passes", "max degree"},
    {"average_power_mw", "power"},
    {"energy_delay_nj_us", "energy x delay"},
    {"warp_instructions", "warp instructions"},
    {"shared_accesses", "shared accesses"},
    {"wavefronts", "wavefronts"},
    {"replays", "replays"},
    {"stall_scoreboard", "stalls: scoreboard"},
    {"stall_memory_port", "stalls: memory port"},
    {"stall_barrier", "stalls: barrier"},
    {"stall_pipeline", "stalls: pipeline"},
    {"l1_bank_conflict_cycles", "L1 conflict cycles"},
    {"lock_tries", "lock tries"},
    {"occupancy", "occupancy"},
};

/// Returns the codes of the cells if they take less room than the cells, otherwise nothing.
template <class Cells, class Json>
ordered_json encoded(const Cells& cells, Json toJson) {
  std::map<std::string, std::size_t> known;
  ordered_json levels = ordered_json::array();
  ordered_json codes = ordered_json::array();
  ordered_json values = ordered_json::array();
  for (const auto& cell : cells) {
    ordered_json value = toJson(cell);
    const auto [at, isNew] = known.try_emplace(
        value.dump(-1, ' ', false, ordered_json::error_handler_t::replace), levels.size());
    if (isNew) levels.push_back(value);
    codes.push_back(at->second);
    values.push_back(std::move(value));
  }
  if (known.size() * 4 > cells.size()) return {{"values", std::move(values)}};
  return {{"levels", std::move(levels)}, {"codes", std::move(codes)}};
}

bool allAlike(const std::vector<std::string>& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [&](const std::string& cell) { return cell == cells.front(); });
}

bool isAxis(const ReportInput& input, const std::vector<std::string>& cells) {
  return std::any_of(input.axes.begin(), input.axes.end(),
                     [&](const AxisColumn& axis) { return axis.values == cells; });
}

class Columns {
 public:
  Columns(const ReportInput& input, JsonColumns& out) : input_(input), out_(out) {}

  /// Adds an identity column. If all cells are equal, it is listed once under `same` instead,
  /// unless `always`.
  void identity(const std::string& name, const std::string& title,
                const std::vector<std::string>& cells, bool always = false) {
    if (!once(name)) return;
    if (!always && allAlike(cells)) {
      if (!cells.front().empty()) out_.same.push_back({{"title", title}, {"value", cells.front()}});
      return;
    }
    add(name, title, "", "", jsonCells(cells));
  }
  /// Adds a figure, unless it is empty or 0 in all rows.
  void figure(const ShownFigure& shown) {
    for (const ReportColumn& column : input_.points.columns()) {
      if (column.name != shown.name || !once(column.name)) continue;
      const std::string& first = column.cells.front();
      if (allAlike(column.cells) && (first.empty() || (first == "0" && !shown.always))) continue;
      add(column.name, shown.title, column.unit, column.description, jsonCells(column.cells));
    }
  }
  void add(const std::string& name, const std::string& title, const std::string& unit,
           const std::string& description, ordered_json cells) {
    ordered_json column{
        {"name", name}, {"title", title}, {"unit", unit}, {"description", description}};
    column.update(cells);
    out_.columns.push_back(std::move(column));
  }

 private:
  bool once(const std::string& name) {
    return std::find(names_.begin(), names_.end(), name) == names_.end() &&
           (names_.push_back(name), true);
  }

  const ReportInput& input_;
  JsonColumns& out_;
  std::vector<std::string> names_;
};

}  // namespace

ordered_json jsonNumber(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::fabs(value) < kMostExact)
    return static_cast<std::int64_t>(value);
  return std::stod(fmt::format("{:.7g}", value));
}

ordered_json jsonCells(const std::vector<std::string>& cells) {
  const bool numbers = std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
    return cell.empty() || numberIn(cell).has_value();
  });
  return encoded(cells, [&](const std::string& cell) -> ordered_json {
    if (cell.empty()) return nullptr;
    return numbers ? jsonNumber(*numberIn(cell)) : ordered_json(cell);
  });
}

ordered_json jsonNumbers(const std::vector<double>& values) {
  return encoded(values, jsonNumber);
}

JsonColumns pointColumns(const ReportInput& input, const MappingGates& gates) {
  JsonColumns out;
  Columns columns(input, out);
  const ReportTable& points = input.points;
  if (input.sweep) columns.identity("point", "point", points.texts("point"), true);
  for (const AxisColumn& axis : input.axes) columns.identity(axis.name, axis.name, axis.values);
  columns.identity("workload", "kernel", points.texts("workload"), !input.sweep);
  columns.identity("platform", "platform", points.texts("platform"));
  if (!isAxis(input, points.texts("indexer")))
    columns.identity("indexer", input.sweep ? "mapping in full" : "mapping",
                     points.texts("indexer"));
  columns.identity("parameters", "parameters", points.texts("parameters"));
  if (!input.sweep) columns.identity("changes", "changed of the platform", points.texts("changes"));
  const bool any = std::any_of(gates.gates.begin(), gates.gates.end(),
                               [](double value) { return !std::isnan(value); });
  for (const ShownFigure& shown : kFigures) {
    // Gates come right after cycles and energy.
    if (any && shown.name == std::string_view("wavefronts_excessive"))
      columns.add("gates", "gates", "NAND2",
                  "gate equivalents of the mapping's hardware, one lane: bank and row",
                  jsonNumbers(gates.gates));
    columns.figure(shown);
  }
  return out;
}

}  // namespace fermata::platforms
