#include <fermata/platforms/compose/platform_reader.h>

#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>

namespace fermata::platforms {

void PlatformReader::table(const toml::table& node, const std::string& prefix) {
  for (const auto& [key, value] : node) {
    const std::string path =
        prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
    if (const Field* field = findField(fields_, path)) {
      this->value(*field, value);
    } else if (const toml::table* inner = value.as_table(); inner != nullptr && isGroup(path)) {
      table(*inner, path);
    } else if (inner == nullptr && isGroup(path)) {
      refuse(placeOf(file_, key.source()), "'{0}' is {1}; expected a table: [{0}]", path,
             describeType(value));
    } else {
      throw InputError(placeOf(file_, key.source()), unknown(path));
    }
  }
}

bool PlatformReader::isGroup(const std::string& path) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const Field& f) {
    return f.path.size() > path.size() && f.path[path.size()] == '.' && f.path.rfind(path, 0) == 0;
  });
}

/// Builds the error for an unknown key; it lists the keys of the same group.
std::string PlatformReader::unknown(const std::string& path) const {
  const std::size_t dot = path.rfind('.');
  const std::string group = dot == std::string::npos ? "" : path.substr(0, dot + 1);
  std::string known;
  for (const Field& field : fields_) {
    if (!group.empty() && field.path.rfind(group, 0) != 0) continue;
    const std::string shown =
        group.empty() ? field.path.substr(0, field.path.find('.')) : field.path;
    if (known.size() >= shown.size() &&
        known.compare(known.size() - shown.size(), shown.size(), shown) == 0)
      continue;
    known += (known.empty() ? "" : ", ") + shown;
  }
  if (known.empty()) return fmt::format("unknown parameter '{}'", path);
  return fmt::format("unknown parameter '{}'; expected one of {}", path, known);
}

/// Reads `value` or `{ value = ..., source = "..." }`.
void PlatformReader::value(const Field& field, const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return plain(field, node, "");
  std::string source;
  for (const auto& [key, inner] : *table) {
    if (key.str() == "source" && inner.is_string()) {
      source = inner.as_string()->get();
    } else if (key.str() != "value") {
      refuse(placeOf(file_, key.source()),
             "unexpected '{}' in {}; expected value = ... and source = \"...\"",
             std::string(key.str()), field.path);
    }
  }
  const toml::node* given = table->get("value");
  if (given == nullptr) {
    throw InputError(placeOf(file_, node.source()),
                     field.path + " has no value; expected { value = ..., source = \"...\" }");
  }
  plain(field, *given, source);
}

void PlatformReader::plain(const Field& field, const toml::node& node, const std::string& source) {
  std::string wrong;
  if (const auto* integer = node.as_integer()) {
    wrong = field.assign(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    wrong = field.assign(real->get());
  } else if (const auto* text = node.as_string()) {
    wrong = field.assign(text->get());
  } else if (const auto* flag = node.as_boolean()) {
    wrong = field.assign(flag->get());
  } else {
    wrong = field.path + " has the wrong type; expected " + field.expected();
  }
  if (!wrong.empty()) throw InputError(placeOf(file_, node.source()), wrong);
  give_(field.path, source, placeOf(file_, node.source()));
}

}  // namespace fermata::platforms
