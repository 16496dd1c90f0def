#include <fermata/platforms/program/report/report_page.h>

#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>

#include <map>
#include <string_view>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary[] = {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"};
constexpr const char* kLicences = "licences.txt";
constexpr const char* kScripts[] = {"data.js", "tables.js", "charts.js", "page.js"};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string forHtml(const std::string& text) {
  return replaced(replaced(replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

/// Escapes text that would end the <script> element or begin a comment in it. Such text occurs in
/// string literals and patterns only.
std::string forScript(const std::string& script) {
  return replaced(replaced(script, "</script", "<\\/script"), "<!--", "\\x3c!--");
}

/// Replaces @NAME@ in the template. Inserted text is not searched again.
std::string filled(const std::string& page, const std::map<std::string, std::string>& parts) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t begin = page.find('@', at);
    const std::size_t end = begin == std::string::npos ? begin : page.find('@', begin + 1);
    if (end == std::string::npos) return out + page.substr(at);
    const auto part = parts.find(page.substr(begin + 1, end - begin - 1));
    out += page.substr(at, begin - at);
    if (part == parts.end()) {
      out += '@';
      at = begin + 1;
    } else {
      out += part->second;
      at = end + 1;
    }
  }
}

}  // namespace

std::string jsonForScript(const nlohmann::ordered_json& data) {
  const std::string text =
      data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return replaced(text, "<", "\\u003c");  // safe: JSON has < in texts only
}

ReportPage::ReportPage() : folder_(fs::path(launch::dataDirectory()) / "report") {
  for (const char* const name : kLibrary) {
    std::error_code unknown;
    if (fs::is_regular_file(folder_ / name, unknown)) continue;
    refuse(
        "{}: not there, and a report draws with it; expected a build that found it: './fermata' "
        "does, or 'npm ci --ignore-scripts --prefix platforms/program/report' and then cmake "
        "(Debian: apt-get install npm)",
        (folder_ / name).string());
  }
}

std::string ReportPage::part(const std::string& name) const {
  return readTextFile((folder_ / name).string(),
                      "cannot read a part of the page; expected a readable file");
}

std::string ReportPage::html(const nlohmann::ordered_json& data) const {
  std::string library;
  for (const char* const name : kLibrary)
    library += "<script>" + forScript(part(name)) + "</script>\n";
  std::string scripts;
  for (const char* const name : kScripts) scripts += forScript(part(name));
  return filled(part("page.html"), {{"title", forHtml(data.at("name").get<std::string>())},
                                    {"style", part("page.css")},
                                    {"data", jsonForScript(data)},
                                    {"library", library},
                                    {"scripts", scripts},
                                    {"licences", forHtml(part(kLicences))}});
}

}  // namespace fermata::platforms
