#include <fermata/platforms/program/report/report_table.h>

#include <fermata/platforms/program/number_text.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/csv_rows.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace fermata::platforms {

std::optional<double> numberIn(const std::string& cell) {
  const auto value = parseNumber<double>(cell);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

ReportTable ReportTable::read(const std::string& file) {
  return read(traces::openInput(file), file);
}

ReportTable ReportTable::read(std::unique_ptr<std::istream> in, const std::string& file) {
  ReportTable table;
  table.file_ = file;
  traces::CsvRows rows(std::move(in), file);
  if (!rows.next()) refuse({file, 1, 0}, "an empty table; expected what Fermata writes there");
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].empty() || !names.insert(rows[i]).second)
      rows.fail(i, 0,
                fmt::format("column '{}' again, or without a name; expected other names", rows[i]));
    table.columns_.push_back({std::string(rows[i]), "", "", {}});
  }
  while (rows.next()) {
    if (rows.size() != table.columns_.size())
      rows.failLine(fmt::format("the row has {} fields; expected {}, as the header has",
                                rows.size(), table.columns_.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) table.columns_[i].cells.emplace_back(rows[i]);
    table.lines_.push_back(rows.line());
  }
  return table;
}

const ReportColumn* ReportTable::find(const std::string& column) const {
  const auto at = std::find_if(columns_.begin(), columns_.end(),
                               [&](const ReportColumn& one) { return one.name == column; });
  return at == columns_.end() ? nullptr : &*at;
}

const std::vector<std::string>& ReportTable::texts(const std::string& column) const {
  const ReportColumn* const found = find(column);
  if (found == nullptr)
    refuse({file_, 1, 0}, "no column '{}'; expected a table that this version of Fermata wrote",
           column);
  return found->cells;
}

std::vector<double> ReportTable::numbers(const std::string& column) const {
  const std::vector<std::string>& cells = texts(column);
  std::vector<double> values(cells.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const std::optional<double> value = numberIn(cells[i]);
    if (!value) refuse(where(i), "{} is '{}'; expected a number", column, cells[i]);
    values[i] = *value;
  }
  return values;
}

std::vector<double> ReportTable::counts(const std::string& column) const {
  std::vector<double> values = numbers(column);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0))
      refuse(where(i), "{} is '{}'; expected a number of 0 or more", column, texts(column)[i]);
  }
  return values;
}

void ReportTable::describe(const ReportTable& schema, const std::string& table) {
  const std::vector<std::string>& files = schema.texts("file");
  const std::vector<std::string>& names = schema.texts("column");
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i] != table) continue;
    for (ReportColumn& column : columns_) {
      if (column.name != names[i]) continue;
      column.unit = schema.texts("unit")[i];
      column.description = schema.texts("description")[i];
    }
  }
}

SourceLocation ReportTable::where(std::size_t row) const {
  return {file_, lines_[row], 0};
}

}  // namespace fermata::platforms
