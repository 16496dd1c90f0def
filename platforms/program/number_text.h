// Numbers that are a whole text: "100", "0.5", or two of them: "100:200", "2/8".
#pragma once

#include <fermata/stimuli/refuse.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata::platforms {

/// Parses a text that is one number, decimal and without blanks. Returns nothing for any other.
template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// Parses digits, the separator, digits. Returns nothing for any other text.
inline std::optional<std::pair<std::uint64_t, std::uint64_t>> parseNumberPair(std::string_view text,
                                                                              char separator) {
  const std::size_t end = text.find(separator);
  if (end == std::string_view::npos) return std::nullopt;
  const auto first = parseNumber<std::uint64_t>(text.substr(0, end));
  const auto second = parseNumber<std::uint64_t>(text.substr(end + 1));
  if (!first || !second) return std::nullopt;
  return std::make_pair(*first, *second);
}

/// Parses the cycles of a window, "100:200" for 100 to 199. Throws InputError that names `option`.
inline std::pair<std::uint64_t, std::uint64_t> parseCycles(const char* option,
                                                           const std::string& text) {
  const auto pair = parseNumberPair(text, ':');
  if (pair && pair->first < pair->second) return *pair;
  refuse("{} '{}'; expected from:to, cycles of which the first is less: 100:200", option, text);
}

}  // namespace fermata::platforms
