// A self-contained HTML page: data, our script, and the library that draws.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace fermata::platforms {

/// Throws InputError if the drawing library is missing; the message says what to install.
void requireReportLibrary();

/// Returns the page. A browser reads no byte of `data` as HTML or script.
std::string reportHtml(const nlohmann::ordered_json& data);

/// Escapes JSON so that it may stand in a <script> element.
std::string jsonForScript(const nlohmann::ordered_json& data);

}  // namespace fermata::platforms
