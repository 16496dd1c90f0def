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

/// Of one table: shared with its rows, so that a row can be read by the name of a column.
using Columns = std::shared_ptr<const std::vector<Column>>;

/// Number of the column of that name. Throws std::logic_error when there is none.
std::size_t find(const std::vector<Column>& columns, std::string_view name);

/// The tables of a run: their columns after those of its identity. None is null.
struct Schema {
  /// One beside the three that every run has; its rows come one by one.
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
