// Messages for a person to read.
#pragma once

#include <string>

namespace fermata::platforms {

/// Shortens a message. An error may quote input of any length and content: overlong lines and words
/// without a blank lose their middle, and control characters become '?'.
std::string readable(const std::string& what);

/// Colour of a word on a terminal.
enum class Ink { Error, Warning };

/// Returns the word in colour if `descriptor` is a terminal with colours and NO_COLOR is unset or
/// empty (no-color.org); otherwise as it is.
std::string inked(const std::string& word, Ink ink, int descriptor);

/// Prints "fermata: warning: TEXT" on standard error, unless the text is empty.
void warn(const std::string& text);

}  // namespace fermata::platforms
