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

std::string lineOf(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    appendField(line, field);
  }
  line += '\n';
  return line;
}

template <class Record>
std::string header(const Columns<Record>& columns) {
  std::vector<std::string> names;
  for (const Column<Record>& column : columns) names.push_back(column.name);
  return lineOf(names);
}

template <class Record>
std::string row(const Columns<Record>& columns, const RunIdentity& run, const Record& record) {
  std::vector<std::string> cells;
  cells.reserve(columns.size());
  for (const Column<Record>& column : columns) cells.push_back(column.cell(run, record));
  return lineOf(cells);
}

template <class Record>
void appendSchema(std::string& out, std::string_view file, const Columns<Record>& columns) {
  for (const Column<Record>& column : columns) {
    out += lineOf({std::string(file), column.name, std::string(name(column.type)), column.unit,
                   column.description});
  }
}

std::filesystem::path created(const std::filesystem::path& directory, std::string_view file) {
  createDirectory(directory);
  return directory / file;
}

void requireConsistent(const RunRecord& run) {
  if (run.sharedAccesses() == run.degrees.accesses()) return;
  throw std::logic_error("run of " + run.identity.workload + ": " +
                         std::to_string(run.sharedAccesses()) + " shared accesses by kind but " +
                         std::to_string(run.degrees.accesses()) + " by degree");
}

}  // namespace

std::string schemaText(const WriterOptions& options) {
  std::string out = "file,column,type,unit,description\n";
  appendSchema(out, kRuns, runColumns(options));
  appendSchema(out, kInstructions, instructionColumns());
  appendSchema(out, kBanks, bankColumns());
  return out;
}

ResultWriter::ResultWriter(const std::filesystem::path& directory, const WriterOptions& options)
    : runColumns_(runColumns(options)),
      instructionColumns_(instructionColumns()),
      bankColumns_(bankColumns()),
      runs_(created(directory, kRuns)),
      instructions_(directory / kInstructions),
      banks_(directory / kBanks),
      schema_(directory / kSchema) {
  runs_.write(header(runColumns_));
  instructions_.write(header(instructionColumns_));
  banks_.write(header(bankColumns_));
  schema_.write(schemaText(options));
}

void ResultWriter::add(const RunRecord& run, const std::vector<InstructionRecord>& instructions,
                       const std::vector<BankRecord>& banks) {
  requireConsistent(run);
  runs_.write(row(runColumns_, run.identity, run));
  for (const auto& record : instructions) {
    instructions_.write(row(instructionColumns_, run.identity, record));
  }
  for (const auto& record : banks) banks_.write(row(bankColumns_, run.identity, record));
}

void ResultWriter::commit() {
  runs_.commit();
  instructions_.commit();
  banks_.commit();
  schema_.commit();
}

}  // namespace fermata::results
