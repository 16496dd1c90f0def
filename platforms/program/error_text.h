// Messages for a person to read.
#pragma once

#include <string>

namespace fermata::platforms {

/// Shortens a message. An error may quote input of any length and content: overlong lines and words
/// without a blank lose their middle, and control characters become '?'.
std::string readable(const std::string& what);

/// Prints "fermata: warning: TEXT" on standard error, unless the text is empty.
void warn(const std::string& text);

}  // namespace fermata::platforms
