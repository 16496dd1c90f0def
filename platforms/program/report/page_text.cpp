#include <fermata/platforms/program/report/page_text.h>

#include <filesystem>

#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/toml/toml_file.h>

namespace fermata::platforms {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string forHtml(const std::string& text) {
  const std::string plain = replaced(replaced(text, "&", "&amp;"), "<", "&lt;");
  return replaced(replaced(plain, ">", "&gt;"), "\"", "&quot;");
}

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

std::string pagePart(const std::string& file) {
  const auto path = std::filesystem::path(launch::dataDirectory()) / "report" / file;
  return readTextFile(path.string(), "cannot read a part of the page; expected a readable file");
}

}  // namespace fermata::platforms
