#include <fermata/stimuli/launch/toml_table.h>

#include <algorithm>
#include <utility>

namespace fermata::launch {

std::string describeType(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

TomlTable::TomlTable(const toml::table& table, std::string path, std::string what,
                     const Scope& known)
    : table_(table), path_(std::move(path)), what_(std::move(what)), known_(&known) {}

SourceLocation TomlTable::locate(const toml::node& node) const {
  return {path_, node.source().begin.line, node.source().begin.column};
}

SourceLocation TomlTable::where(const std::string& key) const {
  const toml::node* node = table_.get(key);
  return locate(node != nullptr ? *node : table_);
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
      {path_, first->source().begin.line, first->source().begin.column},
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
    throw InputError(locate(node),
                     "'" + key + "' is " + describeType(node) + "; expected a string");
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
  throw InputError(locate(*node),
                   "'" + key + "' is " + describeType(*node) + "; expected a number");
}

bool TomlTable::flag(const std::string& key, bool otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (node->is_boolean()) return node->as_boolean()->get();
  throw InputError(locate(*node),
                   "'" + key + "' is " + describeType(*node) + "; expected true or false");
}

Expression TomlTable::expressionOf(const toml::node& node, const std::string& key) const {
  if (node.is_integer()) return Expression(node.as_integer()->get(), locate(node));
  if (!node.is_string()) {
    throw InputError(locate(node), "'" + key + "' is " + describeType(node) +
                                       "; expected an integer or an expression in a string");
  }
  SourceLocation inside = locate(node);
  ++inside.column;  // behind the quote
  Expression expression = Expression::parse(node.as_string()->get(), inside);
  expression.requireNames(*known_);
  return expression;
}

Expression TomlTable::expression(const std::string& key) {
  return expressionOf(require(key), key);
}

Expression TomlTable::expression(const std::string& key, std::int64_t otherwise) {
  const toml::node* node = find(key);
  return node == nullptr ? Expression(otherwise, where()) : expressionOf(*node, key);
}

std::optional<Expression> TomlTable::optionalExpression(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return expressionOf(*node, key);
}

Number TomlTable::numberOf(const toml::node& node, const std::string& key) const {
  Number number;
  number.where = locate(node);
  if (node.is_floating_point()) {
    number.value = node.as_floating_point()->get();
  } else {
    number.value = expressionOf(node, key);
  }
  return number;
}

Number TomlTable::number(const std::string& key) {
  return numberOf(require(key), key);
}

Number TomlTable::number(const std::string& key, std::int64_t otherwise) {
  const toml::node* node = find(key);
  if (node != nullptr) return numberOf(*node, key);
  Number number;
  number.where = where();
  number.value = Expression(otherwise, number.where);
  return number;
}

std::int64_t TomlTable::constant(const std::string& key, std::optional<std::int64_t> otherwise) {
  const toml::node* node = otherwise ? find(key) : &require(key);
  if (node == nullptr) return *otherwise;
  if (!node->is_integer()) {
    throw InputError(locate(*node),
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
    throw InputError(locate(*node), "'" + key + "' is not a list; expected an array of integers");
  }
  for (const toml::node& element : *array) {
    if (!element.is_integer()) {
      throw InputError(locate(element),
                       "'" + key + "' holds " + describeType(element) + "; expected integers");
    }
    values.push_back(element.as_integer()->get());
  }
  return values;
}

std::vector<Expression> TomlTable::expressions(const std::string& key, std::size_t most) {
  const toml::node& node = require(key);
  const toml::array* array = node.as_array();
  if (array == nullptr) return {expressionOf(node, key)};
  if (array->empty() || array->size() > most) {
    throw InputError(locate(node), "'" + key + "' has " + std::to_string(array->size()) +
                                       " elements; expected 1 to " + std::to_string(most));
  }
  std::vector<Expression> values;
  for (const toml::node& element : *array) values.push_back(expressionOf(element, key));
  return values;
}

std::optional<TomlTable> TomlTable::table(const std::string& key, const std::string& what) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) {
    throw InputError(locate(*node),
                     "'" + key + "' is " + describeType(*node) + "; expected a table");
  }
  return TomlTable(*node->as_table(), path_, what, *known_);
}

std::vector<TomlTable> TomlTable::tables(const std::string& key, const std::string& what) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    throw InputError(locate(*node), "'" + key + "' is " + describeType(*node) +
                                        "; expected tables (in double brackets: [[" + key + "]])");
  }
  std::vector<TomlTable> result;
  for (const toml::node& element : *array) {
    if (!element.is_table()) {
      throw InputError(locate(element),
                       "'" + key + "' holds " + describeType(element) + "; expected tables");
    }
    result.emplace_back(*element.as_table(), path_, what, *known_);
  }
  return result;
}

}  // namespace fermata::launch
