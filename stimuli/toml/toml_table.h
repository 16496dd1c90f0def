// Strict reading of one TOML table: every key must be asked for, every value must have its type,
// and every error says where.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fermata/stimuli/toml/toml_file.h>

namespace fermata {

class TomlTable {
 public:
  /// `what` names the table in errors: "a launch". It must not outlive `table`.
  TomlTable(const toml::table& table, std::string file, std::string what);

  /// Throws InputError at the first key that none of the calls below asked for.
  void refuseOtherKeys() const;
  bool has(const std::string& key);
  SourceLocation where() const { return where(table_); }
  /// Place of the value of `key`, or of the table.
  SourceLocation where(const std::string& key) const;
  SourceLocation where(const toml::node& node) const { return placeOf(file_, node.source()); }

  // Absent keys give the default, or an error when the call has none.
  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise);
  double real(const std::string& key, double otherwise);
  bool flag(const std::string& key, bool otherwise);
  std::int64_t constant(const std::string& key, std::optional<std::int64_t> otherwise = {});

  // Absent: an empty list.
  std::vector<std::int64_t> constants(const std::string& key);
  std::vector<std::string> texts(const std::string& key);
  /// An array of tables.
  std::vector<TomlTable> tables(const std::string& key, const std::string& what);
  /// A table; absent: nothing.
  std::optional<TomlTable> table(const std::string& key, const std::string& what);

  /// Keys of this table in the order of the file; all count as asked for.
  std::vector<std::string> keys();
  /// The value of `key`, or nullptr.
  const toml::node* find(const std::string& key);
  /// The value of `key`, which must be there.
  const toml::node& require(const std::string& key);

 private:
  std::string textOf(const toml::node& node, const std::string& key) const;

  const toml::table& table_;
  std::string file_;
  std::string what_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace fermata
