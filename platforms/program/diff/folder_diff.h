// Two folders of results beside each other, as `fermata diff` shows them.
#pragma once

#include <fermata/platforms/program/diff/table_diff.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

struct FolderDiff {
  std::string nameA;  ///< as the user gave the folders
  std::string nameB;
  TableDiff runs;                  ///< runs.csv, the greatest difference of cycles first
  std::optional<TableDiff> lines;  ///< instructions.csv by source line; a sweep has none
};

/// A table for a reader.
struct DiffView {
  struct Column {
    std::string heading;
    bool isText = false;
  };
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::size_t left = 0;  ///< rows that differ and are not shown
};

/// Reads both. Throws InputError for a folder that is neither a sweep's nor of runs, and where no
/// run of one has a partner in the other.
FolderDiff diffFolders(const std::filesystem::path& a, const std::filesystem::path& b);

/// Returns the tables of runs, of stalls, and of lines, of at most `most` rows each.
std::vector<DiffView> viewsOf(const FolderDiff& diff, std::size_t most);

/// Returns every figure that differs, one row each: table, row, figure, unit, a, b, difference,
/// percent.
std::string diffCsv(const FolderDiff& diff);

}  // namespace fermata::platforms
