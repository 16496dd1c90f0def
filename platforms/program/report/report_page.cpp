#include <fermata/platforms/program/report/report_page.h>

#include <fermata/platforms/program/report/page_text.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/refuse.h>

#include <filesystem>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary[] = {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"};
constexpr const char* kLicences = "licences.txt";
constexpr const char* kScripts[] = {"data.js", "tables.js", "charts.js", "bounds.js", "page.js"};

/// Escapes text that would end the <script> element or begin a comment in it. Such text occurs in
/// string literals and patterns only.
std::string forScript(const std::string& script) {
  return replaced(replaced(script, "</script", "<\\/script"), "<!--", "\\x3c!--");
}

}  // namespace

std::string jsonForScript(const nlohmann::ordered_json& data) {
  const std::string text =
      data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return replaced(text, "<", "\\u003c");  // safe: JSON has < in texts only
}

void requireReportLibrary() {
  const fs::path folder = fs::path(launch::dataDirectory()) / "report";
  for (const char* const name : kLibrary) {
    std::error_code unknown;
    if (fs::is_regular_file(folder / name, unknown)) continue;
    refuse(
        "{}: not there, and a report draws with it; expected a build that found it: './fermata' "
        "does, or 'npm ci --ignore-scripts --prefix platforms/program/report' and then cmake "
        "(Debian: apt-get install npm)",
        (folder / name).string());
  }
}

std::string reportHtml(const nlohmann::ordered_json& data) {
  std::string library;
  for (const char* const name : kLibrary)
    library += "<script>" + forScript(pagePart(name)) + "</script>\n";
  std::string scripts;
  for (const char* const name : kScripts) scripts += forScript(pagePart(name));
  return filled(pagePart("page.html"), {{"title", forHtml(data.at("name").get<std::string>())},
                                        {"style", pagePart("page.css")},
                                        {"data", jsonForScript(data)},
                                        {"library", library},
                                        {"scripts", scripts},
                                        {"licences", forHtml(pagePart(kLicences))}});
}

}  // namespace fermata::platforms
