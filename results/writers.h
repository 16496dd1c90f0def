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
  ResultWriter(const std::filesystem::path& directory, const Schema& schema);

  /// One run. Throws std::logic_error when a row is not one of the schema's columns.
  void add(const RunRecord& record);
  void commit();

 private:
  struct Table {
    Table(const std::filesystem::path& path, const Columns& itsColumns);
    /// `identity`: the fields of the run, as they begin each line.
    void add(const std::string& identity, const Row& row);

    Columns columns;
    OutputFile file;
  };

  Table runs_;
  Table instructions_;
  Table banks_;
  OutputFile schema_;
};

/// The text of schema.csv.
std::string schemaText(const Schema& schema);

}  // namespace fermata::results
