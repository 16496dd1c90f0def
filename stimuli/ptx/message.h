// Texts of errors.
#pragma once

#include <fmt/core.h>
#include <string>
#include <string_view>

namespace fermata::ptx {

/// Returns the text as it is or, with arguments, formatted: message("{} bytes; expected {}", 3, 4).
inline std::string message(std::string_view text = {}) {
  return std::string(text);
}
template <class First, class... Rest>
std::string message(fmt::format_string<const First&, const Rest&...> format, const First& first,
                    const Rest&... rest) {
  return fmt::format(format, first, rest...);
}

}  // namespace fermata::ptx
