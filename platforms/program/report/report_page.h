// A self-contained HTML page: data, our script, and the library that draws.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace fermata::platforms {

/// The fixed parts of every page, read from the data that come with the program.
class ReportPage {
 public:
  /// Throws InputError if the drawing library is missing; the message says what to install.
  ReportPage();

  /// Returns the page. A browser reads no byte of `data` as HTML or script.
  std::string html(const nlohmann::ordered_json& data) const;

 private:
  std::string part(const std::string& name) const;

  std::filesystem::path folder_;
};

/// Escapes JSON so that it may stand in a <script> element.
std::string jsonForScript(const nlohmann::ordered_json& data);

}  // namespace fermata::platforms
