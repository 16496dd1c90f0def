#include <fermata/stimuli/toml/toml_table.h>

#include <algorithm>
#include <utility>

namespace fermata {

TomlTable::TomlTable(const toml::table& table, std::string file, std::string what)
    : table_(table), file_(std::move(file)), what_(std::move(what)) {}

SourceLocation TomlTable::where(const std::string& key) const {
  const toml::node* node = table_.get(key);
  return where(node != nullptr ? *node : table_);
}

bool TomlTable::has(const std::string& key) {
  return find(key) != nullptr;
}

const toml::node* TomlTable::find(const std::string& key) {
  asked_.insert(key);
  return table_.get(key);
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
  if (first == nullptr) return;
  std::string list;
  for (const std::string& key : asked_) list += (list.empty() ? "" : ", ") + key;
  throw InputError(
      placeOf(file_, first->source()),
      "unknown key '" + std::string(first->str()) + "' in " + what_ + "; expected one of " + list);
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

}  // namespace fermata
