// Tidy CSV of runs: runs.csv (a row a run), instructions.csv (a row a run and PC), banks.csv (a row
// a run and bank) and schema.csv (a row a column of these: type, unit, description). The same
// records give the same bytes: stable column order, no time, no path.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fermata/results/columns.h>
#include <fermata/results/output_file.h>
#include <fermata/results/records.h>

namespace fermata::results {

/// Rows are streamed to disk; the four files appear in the directory when commit() returns, each
/// whole. Without commit() nothing appears. Every member throws OutputError when the disk refuses.
class ResultWriter {
 public:
  /// Creates the directory where it is missing.
  explicit ResultWriter(const std::filesystem::path& directory, const WriterOptions& options = {});

  /// One run with its instructions and banks. Throws std::logic_error when the shared accesses
  /// counted by kind and by degree disagree: such figures would be wrong.
  void add(const RunRecord& run, const std::vector<InstructionRecord>& instructions,
           const std::vector<BankRecord>& banks);
  void commit();

 private:
  Columns<RunRecord> runColumns_;
  Columns<InstructionRecord> instructionColumns_;
  Columns<BankRecord> bankColumns_;
  OutputFile runs_;
  OutputFile instructions_;
  OutputFile banks_;
  OutputFile schema_;
};

/// The text of schema.csv.
std::string schemaText(const WriterOptions& options = {});

}  // namespace fermata::results
