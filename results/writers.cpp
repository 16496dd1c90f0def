#include <fermata/results/writers.h>

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include <fermata/results/csv.h>

namespace fermata::results {
namespace {

constexpr std::string_view kRuns = "runs.csv";
constexpr std::string_view kInstructions = "instructions.csv";
constexpr std::string_view kBanks = "banks.csv";
constexpr std::string_view kSchema = "schema.csv";

std::string joined(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    appendField(line, field);
  }
  return line;
}

}  // namespace

std::string tableHeader(const std::vector<Column>& own) {
  std::vector<std::string> names;
  for (const Column& column : identityColumns()) names.push_back(column.name);
  for (const Column& column : own) names.push_back(column.name);
  return joined(names) + '\n';
}

std::string schemaHeader() {
  return "file,column,type,unit,description\n";
}

std::string schemaVersionRow() {
  return fmt::format("schema.csv,version,text,,{}: CHANGELOG.md says what changed\n",
                     kSchemaVersion);
}

std::string schemaRows(std::string_view file, const std::vector<Column>& columns) {
  std::string out;
  for (const Column& column : columns) {
    out += joined({std::string(file), column.name, std::string(name(column.type)), column.unit,
                   column.description});
    out += '\n';
  }
  return out;
}

namespace {

void appendRow(std::string& table, const std::string& identity, const Row& row,
               const Columns& columns) {
  if (row.columns() != columns) {
    throw std::logic_error("a row has not the columns that the result files were opened with");
  }
  table += identity;
  for (const Cell& cell : row.cells()) {
    table += ',';
    appendField(table, text(cell));
  }
  table += '\n';
}

files::OutputSet& withFolder(files::OutputSet& set, const std::filesystem::path& directory) {
  set.makeFolder(directory);
  return set;
}

}  // namespace

std::string rowsText(const RunIdentity& identity, const std::vector<Row>& rows) {
  const std::string run = joined(identityFields(identity));
  std::string lines;
  for (const Row& row : rows) appendRow(lines, run, row, row.columns());
  return lines;
}

std::string schemaText(const Schema& schema) {
  std::string out = schemaHeader();
  const auto append = [&](std::string_view file, const Columns& columns) {
    out += schemaRows(file, identityColumns()) + schemaRows(file, *columns);
  };
  append(kRuns, schema.runs);
  append(kInstructions, schema.instructions);
  append(kBanks, schema.banks);
  for (const Schema::Other& other : schema.others) append(other.file, other.columns);
  return out + schemaVersionRow();
}

void ResultTexts::add(const RunRecord& record) {
  const std::string identity = joined(identityFields(record.identity));
  appendRow(runs, identity, record.run, schema_.runs);
  for (const Row& row : record.instructions)
    appendRow(instructions, identity, row, schema_.instructions);
  for (const Row& row : record.banks) appendRow(banks, identity, row, schema_.banks);
}

ResultWriter::ResultWriter(const std::filesystem::path& directory, const Schema& schema)
    : ResultWriter(std::make_unique<files::OutputSet>(), directory, schema) {}

ResultWriter::ResultWriter(std::unique_ptr<files::OutputSet> own,
                           const std::filesystem::path& directory, const Schema& schema)
    : ResultWriter(*own, directory, schema) {
  own_ = std::move(own);
}

ResultWriter::ResultWriter(files::OutputSet& set, const std::filesystem::path& directory,
                           const Schema& schema)
    : set_(withFolder(set, directory)),
      schema_(schema),
      runs_(set.add(directory / kRuns)),
      instructions_(set.add(directory / kInstructions)),
      banks_(set.add(directory / kBanks)) {
  set.add(directory / kSchema).write(schemaText(schema));
  runs_.write(tableHeader(*schema.runs));
  instructions_.write(tableHeader(*schema.instructions));
  banks_.write(tableHeader(*schema.banks));
  for (const Schema::Other& other : schema.others) {
    others_.push_back(&set.add(directory / other.file));
    others_.back()->write(tableHeader(*other.columns));
  }
}

void ResultWriter::add(const RunRecord& record) {
  ResultTexts rows(schema_);
  rows.add(record);
  add(rows);
}

void ResultWriter::add(const ResultTexts& rows) {
  runs_.write(rows.runs);
  instructions_.write(rows.instructions);
  banks_.write(rows.banks);
}

void ResultWriter::add(std::size_t other, const RunIdentity& identity,
                       const std::vector<Row>& rows) {
  const std::string run = joined(identityFields(identity));
  std::string lines;
  for (const Row& row : rows) appendRow(lines, run, row, schema_.others.at(other).columns);
  others_.at(other)->write(lines);
}

}  // namespace fermata::results
