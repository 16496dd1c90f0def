// Lines of CSV from fields of any kind.
#pragma once

#include <fermata/results/csv.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fermata::platforms {

/// Returns the text of a field: a number with every digit, a flag as 0 or 1, no value as nothing.
inline std::string csvText(std::string_view text) {
  return std::string(text);
}
inline std::string csvText(double value) {
  return results::number(value);
}
template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
std::string csvText(Integer value) {
  return std::to_string(value);
}
template <class Value>
std::string csvText(const std::optional<Value>& value) {
  return value ? csvText(*value) : "";
}

/// Joins the fields to a line, with its line break.
inline std::string csvLine(const std::vector<std::string>& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) text += ',';
    results::appendField(text, fields[i]);
  }
  return text + '\n';
}
template <class... Fields>
std::string csvLine(const Fields&... fields) {
  return csvLine(std::vector<std::string>{csvText(fields)...});
}

}  // namespace fermata::platforms
