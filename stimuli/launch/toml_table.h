// Strict reading of one TOML table: every key must be asked for, every value must have its type,
// and every error says where. Only description_reader.cpp includes this (and with it the TOML
// library).
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

class TomlTable {
 public:
  /// `what` names the table in errors: "a launch". `known` holds the names that expressions may
  /// use.
  TomlTable(const toml::table& table, std::string path, std::string what, const Scope& known);

  /// Throws InputError at the first key that none of the calls below asked for.
  void refuseOtherKeys() const;
  bool has(const std::string& key);
  SourceLocation where() const { return locate(table_); }
  /// Place of the value of `key`, or of the table.
  SourceLocation where(const std::string& key) const;

  // Absent keys give the default, or an error when the call has none.
  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise);
  double real(const std::string& key, double otherwise);
  bool flag(const std::string& key, bool otherwise);
  Expression expression(const std::string& key);
  Expression expression(const std::string& key, std::int64_t otherwise);
  std::optional<Expression> optionalExpression(const std::string& key);
  Number number(const std::string& key);
  Number number(const std::string& key, std::int64_t otherwise);
  std::int64_t constant(const std::string& key, std::optional<std::int64_t> otherwise = {});
  std::vector<std::int64_t> constants(const std::string& key);
  /// One expression or an array of one to `most`.
  std::vector<Expression> expressions(const std::string& key, std::size_t most);

  /// A table; absent: an empty list.
  std::optional<TomlTable> table(const std::string& key, const std::string& what);
  /// An array of tables; absent: an empty list.
  std::vector<TomlTable> tables(const std::string& key, const std::string& what);
  /// Keys of this table in the order of the file; all count as asked for.
  std::vector<std::string> keys();
  /// The value of `key`, or nullptr.
  const toml::node* find(const std::string& key);

  const Scope& known() const { return *known_; }
  const std::string& path() const { return path_; }

 private:
  SourceLocation locate(const toml::node& node) const;
  const toml::node& require(const std::string& key);
  std::string textOf(const toml::node& node, const std::string& key) const;
  Expression expressionOf(const toml::node& node, const std::string& key) const;
  Number numberOf(const toml::node& node, const std::string& key) const;

  const toml::table& table_;
  std::string path_;
  std::string what_;
  const Scope* known_;
  std::set<std::string, std::less<>> asked_;
};

/// "an integer", "a table" ..: what a node is, for errors.
std::string describeType(const toml::node& node);

}  // namespace fermata::launch
