// Reads a parsed platform file into the fields of a configuration.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <fermata/platforms/compose/field.h>
#include <fermata/stimuli/toml/toml_file.h>

namespace fermata::platforms {

class PlatformReader {
 public:
  /// Receives each value: its path, its source (empty: none is given) and its place.
  using Give = std::function<void(const std::string& path, const std::string& source,
                                  const SourceLocation& where)>;

  /// `file` and `fields` must outlive the reader.
  PlatformReader(const std::string& file, const std::vector<Field>& fields, Give give)
      : file_(file), fields_(fields), give_(std::move(give)) {}

  /// Reads the table, whose keys stand behind `prefix`. Throws InputError.
  void table(const toml::table& node, const std::string& prefix);

 private:
  bool isGroup(const std::string& path) const;
  std::string unknown(const std::string& path) const;
  void value(const Field& field, const toml::node& node);
  void plain(const Field& field, const toml::node& node, const std::string& source);

  const std::string& file_;
  const std::vector<Field>& fields_;
  Give give_;
};

}  // namespace fermata::platforms
