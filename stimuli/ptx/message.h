// Texts of errors.
#pragma once

#include <fmt/core.h>
#include <string>
#include <string_view>

#include <fermata/stimuli/input_error.h>

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

/// Throws InputError with the message() of `text`.
template <class... Text>
[[noreturn]] void refuse(const Text&... text) {
  throw InputError(message(text...));
}

}  // namespace fermata::ptx
