#include <fermata/stimuli/launch/expression_table.h>

#include <utility>

#include <fermata/stimuli/refuse.h>

namespace fermata::launch {

ExpressionTable::ExpressionTable(TomlTable table, const Scope& known)
    : TomlTable(std::move(table)), known_(&known) {}

Expression ExpressionTable::expressionOf(const toml::node& node, const std::string& key) const {
  if (node.is_integer()) return Expression(node.as_integer()->get(), where(node));
  if (!node.is_string()) {
    refuse(where(node), "'{}' is {}; expected an integer or an expression in a string", key,
           describeType(node));
  }
  SourceLocation inside = where(node);
  ++inside.column;  // the text starts behind the quote
  Expression expression = Expression::parse(node.as_string()->get(), inside);
  expression.requireNames(*known_);
  return expression;
}

Expression ExpressionTable::expression(const std::string& key) {
  return expressionOf(require(key), key);
}

Expression ExpressionTable::expression(const std::string& key, std::int64_t otherwise) {
  const toml::node* node = find(key);
  return node == nullptr ? Expression(otherwise, where()) : expressionOf(*node, key);
}

std::optional<Expression> ExpressionTable::optionalExpression(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return expressionOf(*node, key);
}

Number ExpressionTable::numberOf(const toml::node& node, const std::string& key) const {
  Number number;
  number.where = where(node);
  if (node.is_floating_point()) {
    number.value = node.as_floating_point()->get();
  } else {
    number.value = expressionOf(node, key);
  }
  return number;
}

Number ExpressionTable::number(const std::string& key) {
  return numberOf(require(key), key);
}

Number ExpressionTable::number(const std::string& key, std::int64_t otherwise) {
  const toml::node* node = find(key);
  if (node != nullptr) return numberOf(*node, key);
  Number number;
  number.where = where();
  number.value = Expression(otherwise, number.where);
  return number;
}

Text ExpressionTable::patternOf(const toml::node& node, const std::string& key) const {
  if (!node.is_string())
    refuse(where(node), "'{}' is {}; expected a string", key, describeType(node));
  Text text{node.as_string()->get(), where(node)};
  text.check(*known_);
  return text;
}

Text ExpressionTable::pattern(const std::string& key) {
  return patternOf(require(key), key);
}

std::vector<Text> ExpressionTable::patterns(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    refuse(where(*node), "'{}' is {}; expected a list of strings: {} = [\"..\"]", key,
           describeType(*node), key);
  }
  std::vector<Text> texts;
  for (const toml::node& element : *array) texts.push_back(patternOf(element, key));
  return texts;
}

std::vector<Expression> ExpressionTable::expressions(const std::string& key, std::size_t most) {
  const toml::node& node = require(key);
  const toml::array* array = node.as_array();
  if (array == nullptr) return {expressionOf(node, key)};
  if (array->empty() || array->size() > most)
    refuse(where(node), "'{}' has {} elements; expected 1 to {}", key, array->size(), most);
  std::vector<Expression> values;
  for (const toml::node& element : *array) values.push_back(expressionOf(element, key));
  return values;
}

std::optional<ExpressionTable> ExpressionTable::table(const std::string& key,
                                                      const std::string& what) {
  std::optional<TomlTable> inner = TomlTable::table(key, what);
  if (!inner) return std::nullopt;
  return ExpressionTable(std::move(*inner), *known_);
}

std::vector<ExpressionTable> ExpressionTable::tables(const std::string& key,
                                                     const std::string& what) {
  std::vector<ExpressionTable> result;
  for (TomlTable& inner : TomlTable::tables(key, what)) {
    result.emplace_back(std::move(inner), *known_);
  }
  return result;
}

}  // namespace fermata::launch
