#include <fermata/platforms/program/option_checks.h>

#include <fmt/format.h>

#include <charconv>

namespace fermata::platforms {

CLI::Validator notEmpty(const std::string& what) {
  const auto check = [what](const std::string& text) {
    return text.empty() ? "it is empty; expected " + what : std::string();
  };
  return {check, ""};
}

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, wrong] = std::from_chars(text.data(), end, number);
    if (wrong != std::errc() || stop != end || number < least || number > most)
      return fmt::format("it is '{}'; expected a whole number from {} to {}", text, least, most);
    text = std::to_string(number);  // drops leading zeros, which would make it octal
    return std::string();
  };
  return {check, ""};
}

CLI::Validator realNumber(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, wrong] = std::from_chars(text.data(), end, number);
    const bool inside = number >= least && number <= most;  // false for NaN
    if (wrong == std::errc() && stop == end && inside) return std::string();
    return fmt::format("it is '{}'; expected a number from {:g} to {:g}", text, least, most);
  };
  return {check, ""};
}

}  // namespace fermata::platforms
