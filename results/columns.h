// The columns of a result table, as schema.csv describes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::results {

enum class ColumnType : std::uint8_t { Text, Integer, Real };
std::string_view name(ColumnType type);

struct Column {
  std::string name;
  ColumnType type = ColumnType::Text;
  std::string unit;  ///< empty for text, and for numbers that are names
  std::string description;
};

/// Columns of one table, shared with its rows, so that a row can be read by the name of a column.
using Columns = std::shared_ptr<const std::vector<Column>>;

/// Returns the number of the column called `name`. Throws std::logic_error if there is none.
std::size_t find(const std::vector<Column>& columns, std::string_view name);

/// The tables of a run. Holds the columns that follow those of the run's identity. No pointer is
/// null.
struct Schema {
  /// A table beside the three that every run has; its rows come one by one.
  struct Other {
    std::string file;  ///< "energy.csv"
    Columns columns;
  };
  Columns runs;
  Columns instructions;
  Columns banks;
  std::vector<Other> others = {};
};

}  // namespace fermata::results
