// Two whole numbers in one text: "100:200", "2/8".
#pragma once

#include <fermata/stimuli/input_error.h>

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata::platforms {

/// Parses digits, the separator, digits. Returns nothing for any other text.
inline std::optional<std::pair<std::uint64_t, std::uint64_t>> parseNumberPair(std::string_view text,
                                                                              char separator) {
  std::pair<std::uint64_t, std::uint64_t> pair;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, pair.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != separator) return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, pair.second);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  return pair;
}

/// Parses the cycles of a window, "100:200" for 100 to 199. Throws InputError that names `option`.
inline std::pair<std::uint64_t, std::uint64_t> parseCycles(const char* option,
                                                           const std::string& text) {
  const auto pair = parseNumberPair(text, ':');
  if (pair && pair->first < pair->second) return *pair;
  throw InputError(fmt::format(
      "{} '{}'; expected from:to, cycles of which the first is less: 100:200", option, text));
}

}  // namespace fermata::platforms
