#include <fermata/stimuli/toml/toml_file.h>

#include <array>
#include <fstream>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/toml/key_depth.h>

namespace fermata {

namespace {

template <class Parser>
toml::table parsed(const std::string& file, const std::string& expected, Parser parser) {
  try {
    return parser();
  } catch (const toml::parse_error& error) {
    throw InputError(placeOf(file, error.source()),
                     std::string(error.description()) + "; expected " + expected);
  }
}

}  // namespace

toml::table parseToml(std::string_view text, const std::string& file, const std::string& expected) {
  checkKeyDepth(text, file);
  return parsed(file, expected, [&] { return toml::parse(text, file); });
}

toml::table parseTomlFile(const std::string& file, const std::string& expected) {
  return parseToml(readTextFile(file, "cannot be read; expected " + expected), file, expected);
}

std::string readTextFile(const std::string& file, const std::string& refusal) {
  const std::size_t expected = refusal.find("; expected ");
  refuseFolder(file, expected == std::string::npos ? "a file" : refusal.substr(expected + 11));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError({file}, refusal);
  std::string text;
  std::array<char, 1 << 16> bytes{};
  try {
    while (in.read(bytes.data(), bytes.size()), in.gcount() > 0) {
      text.append(bytes.data(), static_cast<std::size_t>(in.gcount()));
    }
  } catch (const std::ios_base::failure&) {
    throw InputError({file}, refusal);
  }
  if (in.bad()) throw InputError({file}, refusal);
  return text;
}

SourceLocation placeOf(const std::string& file, const toml::source_region& region) {
  return {file, region.begin.line, region.begin.column};
}

std::string describeType(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return node.is_array_of_tables() ? "an array of tables (double brackets)" : "an array";
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

}  // namespace fermata
