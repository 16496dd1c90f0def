#include <fermata/platforms/program/row_output.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include <fermata/platforms/program/report/report_table.h>

namespace fermata::platforms {

void RowOutput::print(const std::string& rows, std::ostream& out) const {
  out << (json ? jsonOfCsv(rows) : rows);
}

void RowOutput::print(const results::Table& table, std::ostream& out) const {
  if (isAsked())
    print(table.csv(), out);
  else
    table.print(out);
}

void addRowOutput(CLI::App& command, RowOutput& output, const std::string& columns) {
  CLI::Option* const csv =
      command.add_flag("--csv", output.csv, "Prints " + columns + " as CSV, for other programs");
  command
      .add_flag("--json", output.json,
                "Prints the rows of --csv as JSON: an array with one object per row")
      ->excludes(csv);
}

std::string jsonOfCsv(const std::string& csv) {
  using Json = nlohmann::ordered_json;
  if (csv.empty()) return "[]\n";
  const ReportTable table =
      ReportTable::read(std::make_unique<std::istringstream>(csv), "standard output");
  Json all = Json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) all.push_back(Json::object());
  for (const ReportColumn& column : table.columns()) {
    const auto& cells = column.cells;
    const bool empty =
        std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.empty(); });
    const bool numeric = !empty && std::all_of(cells.begin(), cells.end(), [](const auto& cell) {
      return cell.empty() || (numberIn(cell) && Json::accept(cell));
    });
    for (std::size_t row = 0; row < cells.size(); ++row) {
      Json value = cells[row];
      if (numeric) value = cells[row].empty() ? Json() : Json::parse(cells[row]);
      all[row][column.name] = std::move(value);
    }
  }
  return all.dump(2) + '\n';
}

}  // namespace fermata::platforms
