// Refuses an input with a formatted text.
#pragma once

#include <fmt/format.h>

#include <utility>

#include <fermata/stimuli/input_error.h>

namespace fermata {

/// Throws InputError at `where` with the text of fmt::format(text, values...).
template <class... Values>
[[noreturn]] void refuse(const SourceLocation& where, fmt::format_string<Values...> text,
                         Values&&... values) {
  throw InputError(where, fmt::format(text, std::forward<Values>(values)...));
}

/// Throws InputError without a place. `text` is no fmt::format_string, which `{path}` would match
/// instead of a SourceLocation.
template <class... Values>
[[noreturn]] void refuse(const char* text, Values&&... values) {
  throw InputError(fmt::format(fmt::runtime(text), std::forward<Values>(values)...));
}

}  // namespace fermata
