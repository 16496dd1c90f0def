// Tidy CSV of runs: runs.csv (a row a run), instructions.csv (a row a run and PC), banks.csv (a row
// a run and bank), other tables that the schema names, and schema.csv (a row a column of these:
// type, unit, description). The same records give the same bytes: stable column order, no time, no
// path.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fermata/files/output_set.h>
#include <fermata/results/columns.h>
#include <fermata/results/records.h>

namespace fermata::results {

/// Rows of the three tables as text: what travels between processes.
class ResultTexts {
 public:
  explicit ResultTexts(Schema schema) : schema_(std::move(schema)) {}

  /// One run. Throws std::logic_error when a row is not one of the schema's columns.
  void add(const RunRecord& record);

  std::string runs;
  std::string instructions;
  std::string banks;

 private:
  Schema schema_;
};

/// Rows are streamed to disk; the files appear in the directory when commit() returns, all of
/// them or none. Without commit() nothing appears. Every member throws files::OutputError when the
/// disk refuses, files::OutputRefused when the directory is to blame.
class ResultWriter {
 public:
  /// Creates the directory where it is missing.
  ResultWriter(const std::filesystem::path& directory, const Schema& schema);
  /// The same as part of a larger set of files, which must outlive the writer: they appear with it.
  ResultWriter(files::OutputSet& set, const std::filesystem::path& directory, const Schema& schema);

  /// One run. Throws std::logic_error when a row is not one of the schema's columns.
  void add(const RunRecord& record);
  /// Rows that were made elsewhere, of the same schema.
  void add(const ResultTexts& rows);
  /// Rows of one run in a table of Schema::others, by its number there. Throws as the first.
  void add(std::size_t other, const RunIdentity& identity, const std::vector<Row>& rows);
  /// Of the whole set.
  void commit() { set_.commit(); }

 private:
  ResultWriter(std::unique_ptr<files::OutputSet> own, const std::filesystem::path& directory,
               const Schema& schema);
  std::unique_ptr<files::OutputSet> own_;  ///< nullptr: another's
  files::OutputSet& set_;
  Schema schema_;
  files::OutputFile& runs_;
  files::OutputFile& instructions_;
  files::OutputFile& banks_;
  std::vector<files::OutputFile*> others_;  ///< by their number in the schema
};

/// The text of schema.csv.
std::string schemaText(const Schema& schema);

// Parts of these, for tables that are put together of others.
/// The first line of a table: the identity's columns and its own.
std::string tableHeader(const std::vector<Column>& own);
/// Its next lines, of one run.
std::string rowsText(const RunIdentity& identity, const std::vector<Row>& rows);
std::string schemaHeader();
std::string schemaRows(std::string_view file, const std::vector<Column>& columns);

}  // namespace fermata::results
