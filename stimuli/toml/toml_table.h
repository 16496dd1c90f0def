// Strict reading of one TOML table: every key must be asked for, every value must have its type,
// and every error names its place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fermata/stimuli/toml/toml_file.h>

namespace fermata {

class TomlTable {
 public:
  /// `what` names the table in errors: "a launch". `table` must outlive this object.
  TomlTable(const toml::table& table, std::string file, std::string what);

  /// Throws InputError at the first key that no call below asked for.
  void refuseOtherKeys() const;
  bool has(const std::string& key);
  /// Returns the place of the table, or of its row.
  SourceLocation where() const;
  /// Returns the place of the value of `key`, or of the table if it lacks the key.
  SourceLocation where(const std::string& key) const;
  SourceLocation where(const toml::node& node) const { return placeOf(file_, node.source()); }

  // If the key is absent these return the default, or throw InputError if they have none.
  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise);
  double real(const std::string& key, double otherwise);
  bool flag(const std::string& key, bool otherwise);
  std::int64_t constant(const std::string& key, std::optional<std::int64_t> otherwise = {});

  // These return an empty list if the key is absent.
  std::vector<std::int64_t> constants(const std::string& key);
  std::vector<std::string> texts(const std::string& key);
  /// Returns the tables of an array of tables.
  std::vector<TomlTable> tables(const std::string& key, const std::string& what);
  /// Returns tables(), but one table per row of a table that has `columns` and `rows`:
  ///   kind = "bus"                       two tables: kind = "bus", line = 2, to = "Delft"
  ///   columns = ["line", "to"]                       kind = "bus", line = 7
  ///   rows = [[2, "Delft"], [7]]
  /// A cell "" leaves its key out, and so does a row that ends before it.
  std::vector<TomlTable> tablesOrRows(const std::string& key, const std::string& what);
  /// Returns a table, or nothing if the key is absent.
  std::optional<TomlTable> table(const std::string& key, const std::string& what);

  /// Returns the keys of this table in the order of the file; all then count as asked for.
  std::vector<std::string> keys();
  /// Returns the value of `key`, or nullptr.
  const toml::node* find(const std::string& key);
  /// Returns the value of `key`. Throws InputError if it is absent.
  const toml::node& require(const std::string& key);

 private:
  std::string textOf(const toml::node& node, const std::string& key) const;
  /// Returns the value of `key` in the row or in the table, or nullptr.
  const toml::node* valueOf(const std::string& key) const;
  std::vector<std::string> columnNames();
  TomlTable rowOf(const toml::node& row, const std::vector<std::string>& columns) const;

  const toml::table& table_;
  const toml::node* row_ = nullptr;                 ///< one of `rows`; null: the table has none
  std::map<std::string, const toml::node*> cells_;  ///< of the row, by column
  std::string file_;
  std::string what_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace fermata
