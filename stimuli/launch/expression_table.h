// A TOML table of a launch file: its values may be expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/toml/toml_table.h>

namespace fermata::launch {

class ExpressionTable : public TomlTable {
 public:
  /// `known` holds the names that expressions may use; it may grow between calls.
  ExpressionTable(TomlTable table, const Scope& known);

  // If the key is absent these return the default, or throw InputError if they have none.
  Expression expression(const std::string& key);
  Expression expression(const std::string& key, std::int64_t otherwise);
  std::optional<Expression> optionalExpression(const std::string& key);
  Number number(const std::string& key);
  /// A text with {expression} in it; patterns() takes a list of such texts.
  Text pattern(const std::string& key);
  std::vector<Text> patterns(const std::string& key);
  Number number(const std::string& key, std::int64_t otherwise);
  /// Returns one expression, or those of an array of one to `most`.
  std::vector<Expression> expressions(const std::string& key, std::size_t most);

  // Tables in this one, as a TomlTable gives them, with the same names.
  std::optional<ExpressionTable> table(const std::string& key, const std::string& what);
  std::vector<ExpressionTable> tables(const std::string& key, const std::string& what);

 private:
  Expression expressionOf(const toml::node& node, const std::string& key) const;
  Text patternOf(const toml::node& node, const std::string& key) const;
  Number numberOf(const toml::node& node, const std::string& key) const;

  const Scope* known_;
};

}  // namespace fermata::launch
