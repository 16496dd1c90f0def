// A page of HTML with all that it needs in it: data, our script, the library that draws.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace fermata::platforms {

/// The parts of every page, of the data that come with the program.
class ReportPage {
 public:
  /// Throws InputError where the library is not there: what to install.
  ReportPage();

  /// No byte of `data` is read as HTML or script by a browser.
  std::string html(const nlohmann::ordered_json& data) const;

 private:
  std::string part(const std::string& name) const;

  std::filesystem::path folder_;
};

/// JSON as it may stand in an element <script>.
std::string jsonForScript(const nlohmann::ordered_json& data);

}  // namespace fermata::platforms
