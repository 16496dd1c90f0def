#include <fermata/results/writers.h>

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

std::string header(const std::vector<Column>& own) {
  std::vector<std::string> names;
  for (const Column& column : identityColumns()) names.push_back(column.name);
  for (const Column& column : own) names.push_back(column.name);
  return joined(names) + '\n';
}

void appendSchema(std::string& out, std::string_view file, const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    out += joined({std::string(file), column.name, std::string(name(column.type)), column.unit,
                   column.description});
    out += '\n';
  }
}

std::filesystem::path created(const std::filesystem::path& directory, std::string_view file) {
  createDirectory(directory);
  return directory / file;
}

}  // namespace

std::string schemaText(const Schema& schema) {
  std::string out = "file,column,type,unit,description\n";
  const auto append = [&](std::string_view file, const Columns& columns) {
    appendSchema(out, file, identityColumns());
    appendSchema(out, file, *columns);
  };
  append(kRuns, schema.runs);
  append(kInstructions, schema.instructions);
  append(kBanks, schema.banks);
  return out;
}

ResultWriter::Table::Table(const std::filesystem::path& path, const Columns& itsColumns)
    : columns(itsColumns), file(path) {
  file.write(header(*columns));
}

void ResultWriter::Table::add(const std::string& identity, const Row& row) {
  if (row.columns() != columns) {
    throw std::logic_error("a row has not the columns that the result files were opened with");
  }
  std::string line = identity;
  for (const Cell& cell : row.cells()) {
    line += ',';
    appendField(line, text(cell));
  }
  line += '\n';
  file.write(line);
}

ResultWriter::ResultWriter(const std::filesystem::path& directory, const Schema& schema)
    : runs_(created(directory, kRuns), schema.runs),
      instructions_(directory / kInstructions, schema.instructions),
      banks_(directory / kBanks, schema.banks),
      schema_(directory / kSchema) {
  schema_.write(schemaText(schema));
}

void ResultWriter::add(const RunRecord& record) {
  const std::string identity = joined(identityFields(record.identity));
  runs_.add(identity, record.run);
  for (const Row& row : record.instructions) instructions_.add(identity, row);
  for (const Row& row : record.banks) banks_.add(identity, row);
}

void ResultWriter::commit() {
  runs_.file.commit();
  instructions_.file.commit();
  banks_.file.commit();
  schema_.commit();
}

}  // namespace fermata::results
