#include <fermata/platforms/program/option_checks.h>

#include <fermata/platforms/program/number_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace fermata::platforms {

namespace {

/// Returns the name of a value in the help: FOLDER for "a folder", MAPPING for "a mapping such as".
std::string placeholderOf(const std::string& what) {
  std::string name = what.substr(what.rfind("a ", 0) == 0 ? 2 : 0);
  name.resize(std::min(name.find(' '), name.size()));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return name;
}

}  // namespace

CLI::Validator notEmpty(const std::string& what) {
  const auto check = [what](const std::string& text) {
    return text.empty() ? "it is empty; expected " + what : std::string();
  };
  return {check, placeholderOf(what)};
}

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](std::string& text) {
    const auto number = parseNumber<std::uint64_t>(text);
    if (!number || *number < least || *number > most)
      return fmt::format("it is '{}'; expected a whole number from {} to {}", text, least, most);
    text = std::to_string(*number);  // drops leading zeros, which would make it octal
    return std::string();
  };
  return {check, ""};
}

CLI::Validator realNumber(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto number = parseNumber<double>(text);
    if (number && *number >= least && *number <= most) return std::string();  // false for NaN
    return fmt::format("it is '{}'; expected a number from {:g} to {:g}", text, least, most);
  };
  return {check, ""};
}

}  // namespace fermata::platforms
