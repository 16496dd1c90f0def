#include <fermata/results/columns.h>

#include <algorithm>
#include <stdexcept>

namespace fermata::results {

std::string_view name(ColumnType type) {
  switch (type) {
    case ColumnType::Integer:
      return "integer";
    case ColumnType::Real:
      return "real";
    case ColumnType::Text:
      break;
  }
  return "text";
}

std::size_t find(const std::vector<Column>& columns, std::string_view name) {
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const Column& column) { return column.name == name; });
  if (at == columns.end()) throw std::logic_error("no column '" + std::string(name) + "'");
  return static_cast<std::size_t>(at - columns.begin());
}

}  // namespace fermata::results
