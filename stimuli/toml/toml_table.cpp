#include <fermata/stimuli/toml/toml_table.h>

#include <algorithm>
#include <utility>

namespace fermata {

TomlTable::TomlTable(const toml::table& table, std::string file, std::string what)
    : table_(table), file_(std::move(file)), what_(std::move(what)) {}

SourceLocation TomlTable::where() const {
  return row_ != nullptr ? where(*row_) : where(table_);
}

SourceLocation TomlTable::where(const std::string& key) const {
  const toml::node* node = valueOf(key);
  return node != nullptr ? where(*node) : where();
}

const toml::node* TomlTable::valueOf(const std::string& key) const {
  const auto cell = cells_.find(key);
  return cell != cells_.end() ? cell->second : table_.get(key);
}

bool TomlTable::has(const std::string& key) {
  return find(key) != nullptr;
}

const toml::node* TomlTable::find(const std::string& key) {
  asked_.insert(key);
  return valueOf(key);
}

const toml::node& TomlTable::require(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) throw InputError(where(), what_ + " lacks '" + key + "'; expected this key");
  return *node;
}

void TomlTable::refuseOtherKeys() const {
  const toml::key* first = nullptr;
  for (const auto& [key, node] : table_) {
    if (asked_.count(key.str()) != 0) continue;
    if (first == nullptr || key.source().begin < first->source().begin) first = &key;
  }
  const auto refuse = [&](const std::string& key, const SourceLocation& where) {
    std::string list;
    for (const std::string& one : asked_) list += (list.empty() ? "" : ", ") + one;
    throw InputError(where, "unknown key '" + key + "' in " + what_ + "; expected one of " + list);
  };
  if (first != nullptr) refuse(std::string(first->str()), placeOf(file_, first->source()));
  for (const auto& [column, cell] : cells_) {
    if (asked_.count(column) == 0) refuse(column, where("columns"));
  }
}

std::vector<std::string> TomlTable::keys() {
  std::vector<const toml::key*> ordered;
  for (const auto& [key, node] : table_) ordered.push_back(&key);
  std::sort(ordered.begin(), ordered.end(), [](const toml::key* a, const toml::key* b) {
    return a->source().begin < b->source().begin;
  });
  std::vector<std::string> names;
  for (const toml::key* key : ordered) {
    names.emplace_back(key->str());
    asked_.insert(names.back());
  }
  return names;
}

std::string TomlTable::textOf(const toml::node& node, const std::string& key) const {
  if (!node.is_string()) {
    throw InputError(where(node), "'" + key + "' is " + describeType(node) + "; expected a string");
  }
  return node.as_string()->get();
}

std::string TomlTable::text(const std::string& key) {
  return textOf(require(key), key);
}

std::string TomlTable::text(const std::string& key, const std::string& otherwise) {
  const toml::node* node = find(key);
  return node == nullptr ? otherwise : textOf(*node, key);
}

double TomlTable::real(const std::string& key, double otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (node->is_floating_point()) return node->as_floating_point()->get();
  if (node->is_integer()) return static_cast<double>(node->as_integer()->get());
  throw InputError(where(*node), "'" + key + "' is " + describeType(*node) + "; expected a number");
}

bool TomlTable::flag(const std::string& key, bool otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (node->is_boolean()) return node->as_boolean()->get();
  throw InputError(where(*node),
                   "'" + key + "' is " + describeType(*node) + "; expected true or false");
}

std::int64_t TomlTable::constant(const std::string& key, std::optional<std::int64_t> otherwise) {
  const toml::node* node = otherwise ? find(key) : &require(key);
  if (node == nullptr) return *otherwise;
  if (!node->is_integer()) {
    throw InputError(where(*node),
                     "'" + key + "' is " + describeType(*node) + "; expected an integer");
  }
  return node->as_integer()->get();
}

std::vector<std::int64_t> TomlTable::constants(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  std::vector<std::int64_t> values;
  const toml::array* array = node->as_array();
  if (array == nullptr || array->empty()) {
    throw InputError(where(*node), "'" + key + "' is not a list; expected an array of integers");
  }
  for (const toml::node& element : *array) {
    if (!element.is_integer()) {
      throw InputError(where(element),
                       "'" + key + "' holds " + describeType(element) + "; expected integers");
    }
    values.push_back(element.as_integer()->get());
  }
  return values;
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    throw InputError(where(*node), "'" + key + "' is no array; expected an array of texts");
  }
  std::vector<std::string> values;
  for (const toml::node& element : *array) {
    if (!element.is_string()) {
      throw InputError(where(*node), "'" + key +
                                         "' holds something that is no text; expected "
                                         "an array of texts");
    }
    values.push_back(element.as_string()->get());
  }
  return values;
}

std::optional<TomlTable> TomlTable::table(const std::string& key, const std::string& what) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) {
    throw InputError(where(*node), "'" + key + "' is " + describeType(*node) +
                                       "; expected a table: [" + key + "] or " + key + " = { .. }");
  }
  return TomlTable(*node->as_table(), file_, what);
}

std::vector<TomlTable> TomlTable::tables(const std::string& key, const std::string& what) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    throw InputError(where(*node), "'" + key + "' is " + describeType(*node) +
                                       "; expected tables (in double brackets: [[" + key + "]])");
  }
  std::vector<TomlTable> result;
  for (const toml::node& element : *array) {
    if (!element.is_table()) {
      throw InputError(where(element),
                       "'" + key + "' holds " + describeType(element) + "; expected tables");
    }
    result.emplace_back(*element.as_table(), file_, what);
  }
  return result;
}

std::vector<TomlTable> TomlTable::tablesOrRows(const std::string& key, const std::string& what) {
  std::vector<TomlTable> result;
  for (TomlTable& table : tables(key, what)) {
    if (!table.has("columns") && !table.has("rows")) {
      result.push_back(std::move(table));
      continue;
    }
    const std::vector<std::string> columns = table.columnNames();
    const toml::array* rows = table.require("rows").as_array();
    if (rows == nullptr || rows->empty()) {
      throw InputError(table.where("rows"), "'rows' is no list; expected an array of rows");
    }
    for (const toml::node& row : *rows) result.push_back(table.rowOf(row, columns));
  }
  return result;
}

/// Refuses a column that stands twice or beside a key of its name: one value would be lost.
std::vector<std::string> TomlTable::columnNames() {
  require("columns");
  const std::vector<std::string> names = texts("columns");
  for (const std::string& name : names) {
    if (std::count(names.begin(), names.end(), name) == 1 && !table_.contains(name)) continue;
    throw InputError(where("columns"), "'columns' names '" + name +
                                           "', which has another value; expected each key "
                                           "once, as a column or beside the rows");
  }
  return names;
}

TomlTable TomlTable::rowOf(const toml::node& row, const std::vector<std::string>& columns) const {
  const toml::array* cells = row.as_array();
  if (cells == nullptr || cells->size() > columns.size()) {
    throw InputError(where(row), "'rows' holds " + describeType(row) + " that does not fit; " +
                                     "expected an array of up to " +
                                     std::to_string(columns.size()) + " values, one per column");
  }
  TomlTable table(*this);
  table.row_ = &row;
  for (std::size_t i = 0; i < cells->size(); ++i) {
    const toml::node& cell = *cells->get(i);
    const toml::value<std::string>* text = cell.as_string();
    if (text == nullptr || !text->get().empty()) table.cells_[columns[i]] = &cell;
  }
  return table;
}

}  // namespace fermata
