#include <fermata/platforms/program/cc/source_overlay.h>

#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include <fermata/platforms/program/cc/source_constexpr.h>
#include <fermata/platforms/program/cc/source_overloads.h>
#include <fermata/platforms/program/cc/source_text.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Returns the folders of -I and -isystem, given as one word or two.
std::vector<fs::path> foldersOf(const std::vector<std::string>& options) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string option : {"-I", "-isystem"}) {
      if (options[i].compare(0, option.size(), option) != 0) continue;
      if (options[i].size() > option.size())
        folders.push_back(options[i].substr(option.size()));
      else if (i + 1 < options.size())
        folders.push_back(options[i + 1]);
    }
  }
  return folders;
}

fs::path absoluteOf(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

/// Returns the file that a name in an `#include` of `includer` stands for; empty: none is found.
fs::path foundFile(const std::string& name, const fs::path& includer,
                   const std::vector<fs::path>& folders) {
  std::error_code error;
  const fs::path beside = includer.parent_path() / name;
  if (fs::is_regular_file(beside, error)) return absoluteOf(beside);
  for (const fs::path& folder : folders) {
    if (fs::is_regular_file(folder / name, error)) return absoluteOf(folder / name);
  }
  return {};
}

}  // namespace

SourceOverlay::SourceOverlay(const fs::path& source, const std::vector<std::string>& options,
                             bool relaxed, const fs::path& folder, const std::string& name) {
  const std::vector<fs::path> folders = foldersOf(options);
  std::vector<std::pair<fs::path, std::string>> texts;
  std::set<FirstParameter> packs;
  std::set<std::string> macros;
  std::vector<fs::path> waiting = {absoluteOf(source)};
  std::set<fs::path> seen(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    const fs::path path = waiting.back();
    waiting.pop_back();
    const std::string& text = texts.emplace_back(path, textOf(path)).second;
    hasLaunchSizes_ = hasLaunchSizes_ || platforms::hasLaunchSizes(text);
    hasFloat16_ = hasFloat16_ || text.find("_Float16") != std::string::npos;
    hasAlignas_ = hasAlignas_ || hasAlignasBehindShared(text);
    packs.merge(packOverloads(text));
    if (relaxed) macros.merge(deviceMacros(text));
    for (const std::string& included : includedNames(text)) {
      const fs::path found = foundFile(included, path, folders);
      if (!found.empty() && seen.insert(found).second) waiting.push_back(found);
    }
  }
  nlohmann::json roots = nlohmann::json::array();
  for (const auto& [path, text] : texts) {
    const std::string marked = withOverloadsMarked(text, packs);
    const std::string changed = clangText(relaxed ? withSharedConstexpr(marked, macros) : marked);
    if (changed == text) continue;
    const fs::path copy = folder / (name + "." + std::to_string(roots.size()) + ".text");
    std::ofstream(copy, std::ios::binary) << changed;
    roots.push_back({{"name", path.string()},
                     {"type", "file"},
                     {"external-contents", fs::absolute(copy).string()}});
  }
  if (roots.empty()) return;
  list_ = folder / (name + ".overlay");
  std::ofstream(list_) << nlohmann::json{
      {"version", 0}, {"use-external-names", false}, {"roots", roots}};
}

std::vector<std::string> SourceOverlay::words() const {
  std::vector<std::string> words;
  if (!list_.empty()) words = {"-ivfsoverlay", list_.string()};
  if (hasAlignas_) words.emplace_back("-DFERMATA_SHARED_ALIGNAS");
  if (hasFloat16_) words.emplace_back("-DFERMATA_FLOAT16");
  return words;
}

}  // namespace fermata::platforms
