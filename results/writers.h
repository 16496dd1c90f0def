// Tidy CSV of runs: runs.csv (one row per run), instructions.csv (one row per run and PC),
// banks.csv (one row per run and bank), other tables that the schema names, and schema.csv (one row
// per column of all tables: type, unit, description). Equal records give equal bytes: stable column
// order, no time, no path.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fermata/results/columns.h>
#include <fermata/results/files/output_set.h>
#include <fermata/results/records.h>

namespace fermata::results {

/// Version of the columns of all result files. It rises whenever a column comes, goes or changes
/// its name or meaning; CHANGELOG.md says how.
inline constexpr unsigned kSchemaVersion = 2;

/// Rows of the three tables as text, in which they travel between processes.
class ResultTexts {
 public:
  explicit ResultTexts(Schema schema) : schema_(std::move(schema)) {}

  /// Adds one run. Throws std::logic_error if a row does not have the schema's columns.
  void add(const RunRecord& record);

  std::string runs;
  std::string instructions;
  std::string banks;

 private:
  Schema schema_;
};

/// Streams rows to disk. The files appear in the directory when commit() returns, all or none;
/// without commit() nothing appears. Every member throws files::OutputError if the disk refuses,
/// files::OutputRefused if the directory is to blame.
class ResultWriter {
 public:
  /// Creates the directory if it is missing.
  ResultWriter(const std::filesystem::path& directory, const Schema& schema);
  /// Writes as part of a larger set of files, which must outlive the writer; the files appear with
  /// the set.
  ResultWriter(files::OutputSet& set, const std::filesystem::path& directory, const Schema& schema);

  /// Adds one run. Throws std::logic_error if a row does not have the schema's columns.
  void add(const RunRecord& record);
  /// Adds rows that were made elsewhere, with an equal schema.
  void add(const ResultTexts& rows);
  /// Adds rows of one run to a table of Schema::others, by its number there. Throws
  /// std::logic_error if a row does not have the table's columns.
  void add(std::size_t other, const RunIdentity& identity, const std::vector<Row>& rows);
  /// Commits the whole set.
  void commit() { set_.commit(); }

 private:
  ResultWriter(std::unique_ptr<files::OutputSet> own, const std::filesystem::path& directory,
               const Schema& schema);
  std::unique_ptr<files::OutputSet> own_;  ///< nullptr: the set is not owned
  files::OutputSet& set_;
  Schema schema_;
  files::OutputFile& runs_;
  files::OutputFile& instructions_;
  files::OutputFile& banks_;
  std::vector<files::OutputFile*> others_;  ///< by number in Schema::others
};

/// Returns the text of schema.csv.
std::string schemaText(const Schema& schema);

// Parts of these texts, for tables that are assembled from others.
/// Returns the first line of a table: the identity's columns and its own.
std::string tableHeader(const std::vector<Column>& own);
/// Returns the lines of one run.
std::string rowsText(const RunIdentity& identity, const std::vector<Row>& rows);
/// Returns the first line of schema.csv.
std::string schemaHeader();
/// Returns the last line of schema.csv, which says kSchemaVersion.
std::string schemaVersionRow();
std::string schemaRows(std::string_view file, const std::vector<Column>& columns);

}  // namespace fermata::results
