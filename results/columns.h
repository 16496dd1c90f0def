// The columns of the result tables, each declared once: header, cells and schema come from here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/results/records.h>

namespace fermata::results {

/// What a column's cells are. Text and Flag are what they say; an empty cell: the figure is
/// undefined.
enum class ColumnType : std::uint8_t { Text, Integer, Real };
std::string_view name(ColumnType type);

struct WriterOptions {
  /// Adds the column wall_seconds to runs.csv; files are then not the same bytes from run to run.
  bool timing = false;
};

/// One column of a table whose rows are (run, Record).
template <class Record>
struct Column {
  std::string name;
  ColumnType type;
  std::string unit;  ///< empty for text
  std::string description;
  std::function<std::string(const RunIdentity&, const Record&)> cell;
};

template <class Record>
using Columns = std::vector<Column<Record>>;

Columns<RunRecord> runColumns(const WriterOptions& options);
Columns<InstructionRecord> instructionColumns();
Columns<BankRecord> bankColumns();

}  // namespace fermata::results
