#include <fermata/platforms/program/study/claims.h>

#include <algorithm>
#include <filesystem>

#include <fermata/platforms/program/number_text.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/csv_rows.h>

namespace fermata::platforms {

double Claim::number() const {
  if (const auto number = parseNumber<double>(value)) return *number;
  refuse("the claim '{}' says '{}'; expected one number", id, value);
}

std::string Claim::numberText(std::size_t part) const {
  const std::vector<std::string> parts = split(value, '/');
  std::string text = part <= parts.size() ? parts[part - 1] : "";
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  if (parseNumber<double>(text)) return text;
  refuse("the claim '{}' says '{}'; expected a number {} in it", id, value, part);
}

std::size_t PublishedTable::column(const std::string& name) const {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end())
    refuse({file, 1, 0}, "no column '{}'; expected it in the header", name);
  return static_cast<std::size_t>(found - header.begin());
}

PublishedTable readPublished(const std::string& fileName) {
  const std::string path =
      (std::filesystem::path(launch::dataDirectory()) / "published" / fileName).string();
  traces::CsvRows rows(traces::openInput(path), path);
  PublishedTable table;
  table.file = path;
  while (rows.next()) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < rows.size(); ++i) cells.emplace_back(rows[i]);
    if (table.header.empty()) {
      table.header = std::move(cells);
    } else if (cells.size() != table.header.size()) {
      rows.failLine("the row has " + std::to_string(cells.size()) + " fields; expected " +
                    std::to_string(table.header.size()) + ", as the header");
    } else {
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

Claims readClaims(const std::string& file) {
  const PublishedTable table = readPublished(file);
  const std::size_t id = table.column("id");
  const std::size_t seed = table.column("seed");
  const std::size_t place = table.column("where");
  const std::size_t quantity = table.column("quantity");
  const std::size_t subject = table.column("subject");
  const std::size_t value = table.column("value");
  const std::size_t unit = table.column("unit");
  const std::size_t note = table.column("note");
  const std::size_t notCompared = table.column("not_compared");
  Claims claims;
  for (const auto& row : table.rows) {
    if (row[seed].empty() || row[place].empty())
      refuse(SourceLocation{table.file},
             "the claim '{}' has no source; expected a paper in 'seed' and a place in 'where'",
             row[id]);
    const Claim claim{row[id],   row[place], row[quantity], row[subject],    row[value],
                      row[unit], row[note],  row[seed],     row[notCompared]};
    if (!claims.emplace(row[id], claim).second)
      refuse(SourceLocation{table.file}, "the claim '{}' stands twice", row[id]);
  }
  return claims;
}

}  // namespace fermata::platforms
