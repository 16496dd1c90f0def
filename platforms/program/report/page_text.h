// Texts of HTML pages that the program writes.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace fermata::platforms {

/// Returns the text with every `what` replaced by `by`.
std::string replaced(std::string text, std::string_view what, std::string_view by);

/// Escapes a text for HTML, also within an attribute in double quotes.
std::string forHtml(const std::string& text);

/// Replaces @NAME@ in the template. Inserted text is not searched again.
std::string filled(const std::string& page, const std::map<std::string, std::string>& parts);

/// Returns a part of a page, by its file in the data directory. Throws InputError.
std::string pagePart(const std::string& file);

}  // namespace fermata::platforms
