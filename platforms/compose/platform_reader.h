// Reads a parsed platform file into the fields of a configuration.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fermata/platforms/compose/field.h>
#include <fermata/stimuli/toml/toml_file.h>

namespace fermata::platforms {

class PlatformReader {
 public:
  /// Told of each value, by its path.
  using Give = std::function<void(const std::string& path, const SourceLocation& where)>;

  PlatformReader(const std::string& file, std::vector<Field> fields,
                 std::map<std::string, std::string>& sources, Give give)
      : file_(file), fields_(std::move(fields)), sources_(sources), give_(std::move(give)) {}

  /// Reads the table, whose keys stand behind `prefix`. Throws InputError.
  void table(const toml::table& node, const std::string& prefix);

 private:
  const Field* find(const std::string& path) const;
  bool isGroup(const std::string& path) const;
  std::string unknown(const std::string& path) const;
  void value(const Field& field, const toml::node& node);
  void plain(const Field& field, const toml::node& node);

  const std::string& file_;
  std::vector<Field> fields_;
  std::map<std::string, std::string>& sources_;
  Give give_;
};

}  // namespace fermata::platforms
