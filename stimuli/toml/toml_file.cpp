#include <fermata/stimuli/toml/toml_file.h>

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
  return parsed(file, expected, [&] { return toml::parse(text, file); });
}

toml::table parseTomlFile(const std::string& file, const std::string& expected) {
  return parsed(file, expected, [&] { return toml::parse_file(file); });
}

SourceLocation placeOf(const std::string& file, const toml::source_region& region) {
  return {file, region.begin.line, region.begin.column};
}

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

}  // namespace fermata
