#include <fermata/stimuli/launch/compile_cache.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <fermata/results/files/output_file.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "fermata compile 1";
constexpr std::string_view kSourceFolder = "@";  ///< stands for the source's folder in a key
constexpr const char* kEnding = ".made";

std::string hashOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::optional<std::string> contentsOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return std::nullopt;
  return text;
}

bool isThere(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

fs::path defaultFolder() {
  const auto variable = [](const char* name) -> std::string {
    const char* const text = std::getenv(name);
    return text == nullptr ? "" : text;
  };
  const std::string own = variable("FERMATA_CACHE");
  if (own == "off") return {};
  fs::path folder;
  if (!own.empty()) {
    folder = own;
  } else if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) {
    folder = fs::path(cache) / "fermata";
  } else if (const std::string home = variable("HOME"); !home.empty()) {
    folder = fs::path(home) / ".cache" / "fermata";
  }
  return folder.empty() ? folder : folder / "compiled";
}

/// Returns what tells a compiler from its next version: the file behind its name on the PATH.
std::string identityOf(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / program;
    struct stat facts {};
    if (::access(file.c_str(), X_OK) != 0 || ::stat(file.c_str(), &facts) != 0) continue;
    return fmt::format("{} {} {}.{:09}", fs::canonical(file).string(), facts.st_size,
                       facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  }
  return {};
}

/// Names files so that an entry of one folder serves another one with equal files.
class CachedNames {
 public:
  explicit CachedNames(const CompileJob& job)
      : folder_(job.anyFolder ? fs::absolute(job.source).parent_path().string() + "/" : "") {}

  /// Returns the text with the source's folder replaced.
  std::string inKey(std::string text) const {
    if (folder_.empty()) return text;
    for (std::size_t at = text.find(folder_); at != std::string::npos;
         at = text.find(folder_, at + 1))
      text.replace(at, folder_.size(), std::string(kSourceFolder) + "/");
    return text;
  }
  std::string shortened(const std::string& path) const {
    const bool inside = !folder_.empty() && path.rfind(folder_, 0) == 0;
    return inside ? std::string(kSourceFolder) + "/" + path.substr(folder_.size()) : path;
  }
  fs::path whole(const std::string& path) const {
    return path.rfind(std::string(kSourceFolder) + "/", 0) == 0 && !folder_.empty()
               ? folder_ + path.substr(kSourceFolder.size() + 1)
               : path;
  }

 private:
  std::string folder_;
};

/// Returns the key of a job; empty: it has none.
std::string keyOf(const CompileJob& job, const CachedNames& names) {
  const std::string compiler = identityOf(job.words.front());
  const auto source = contentsOf(job.source);
  if (compiler.empty() || !source) return {};
  std::string text = compiler + '\0';
  for (const std::string& word : job.words) text += names.inKey(word) + '\0';
  if (!job.anyFolder) text += fs::current_path().string() + '\0';
  // Variables that change what clang does.
  for (const char* variable : {"CPATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"}) {
    const char* const value = std::getenv(variable);
    text += std::string(value == nullptr ? "" : value) + '\0';
  }
  return hashOf(text + *source);
}

/// Reads a rule of make: the files behind the colon, with blanks escaped.
std::vector<fs::path> readRule(const std::string& text) {
  std::vector<fs::path> files;
  std::size_t at = text.find(": ");
  if (at == std::string::npos) throw std::runtime_error("no rule");
  std::string word;
  const auto end = [&] {
    if (!word.empty()) files.emplace_back(word);
    word.clear();
  };
  for (at += 2; at < text.size(); ++at) {
    const char c = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\n';
    if (c == '\\' && (next == '\n' || next == '\r')) continue;
    if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      word += next;
      ++at;
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      end();
    } else {
      word += c;
    }
  }
  end();
  return files;
}

/// Returns the folders that the command searches for headers.
std::set<fs::path> foldersOf(const CompileJob& job) {
  std::set<fs::path> folders{fs::absolute(job.source).parent_path()};
  for (std::size_t i = 0; i < job.words.size(); ++i) {
    const std::string& word = job.words[i];
    const bool apart =
        word == "-I" || word == "-isystem" || word == "-iquote" || word == "-idirafter";
    if (apart && i + 1 < job.words.size()) folders.insert(fs::absolute(job.words[i + 1]));
    if (!apart && word.rfind("-I", 0) == 0) folders.insert(fs::absolute(word.substr(2)));
  }
  return folders;
}

/// True for headers of the compiler and of the C++ library, which ask whether other libraries are
/// there. These come by packages.
bool isOfSystem(const fs::path& file) {
  return file.lexically_normal().string().rfind("/usr/", 0) == 0;
}

/// True if the text's meaning depends on more than the files that the compiler reads.
bool asksForMore(std::string_view text, bool ofSystem) {
  for (const char* word : {"__DATE__", "__TIME__", "__TIMESTAMP__"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return !ofSystem && text.find("__has_include") != std::string_view::npos;
}

/// Returns the part of a path behind a folder; empty: it does not lie in it.
std::string behind(const fs::path& path, const fs::path& folder) {
  const std::string start = folder.lexically_normal().string() + "/";
  const std::string text = path.lexically_normal().string();
  return text.rfind(start, 0) == 0 ? text.substr(start.size()) : "";
}

/// Returns one line for each file that must be absent: those that would stand before a file that
/// was read, in another order of the folders.
std::string absentFiles(const std::set<fs::path>& read, const std::set<fs::path>& folders,
                        const CachedNames& names) {
  std::set<std::string> absent;
  for (const fs::path& file : read) {
    for (const fs::path& folder : folders) {
      const std::string name = behind(file, folder);
      if (name.empty()) continue;
      for (const fs::path& other : folders) {
        if (!isThere(other / name)) absent.insert(names.shortened((other / name).string()));
      }
    }
  }
  std::string lines;
  for (const std::string& path : absent) lines += "- " + path + '\n';
  return lines;
}

/// Returns the lines of an entry that say which files it holds for: a hash and a path of each that
/// the compiler read, then those that must be absent. Nothing if no entry can be kept.
std::optional<std::string> filesOf(const CompileJob& job, const CachedNames& names,
                                   const std::string& rule) {
  std::string lines;
  std::set<fs::path> read;
  std::set<fs::path> folders = foldersOf(job);
  for (const fs::path& file : readRule(rule)) {
    const fs::path whole = fs::absolute(file);
    if (!read.insert(whole).second) continue;
    folders.insert(whole.parent_path());
    const auto text = contentsOf(whole);
    if (!text || asksForMore(*text, isOfSystem(whole))) return std::nullopt;
    lines += hashOf(*text) + ' ' + names.shortened(whole.string()) + '\n';
  }
  return lines + absentFiles(read, folders, names);
}

/// Returns true if the line of an entry still holds.
bool holds(const std::string& line, const CachedNames& names) {
  if (line[0] == '-') return !isThere(names.whole(line.substr(2)));
  const std::size_t blank = line.find(' ');
  const auto now = contentsOf(names.whole(line.substr(blank + 1)));
  return now && hashOf(*now) == line.substr(0, blank);
}

/// Returns the output that an entry holds; nothing if a file has changed, or the entry is damaged.
std::optional<std::string> outputOf(const std::string& entry, const CachedNames& names) {
  std::istringstream lines(entry);
  std::string line, wanted;
  if (!std::getline(lines, line) || line != kFirstLine) return std::nullopt;
  if (!std::getline(lines, wanted)) return std::nullopt;
  while (std::getline(lines, line) && !line.empty()) {
    if (!holds(line, names)) return std::nullopt;
  }
  const auto begin = lines.tellg();
  if (begin < 0) return std::nullopt;
  std::string output = entry.substr(static_cast<std::size_t>(begin));
  if (hashOf(output) != wanted) return std::nullopt;
  return output;
}

}  // namespace

CompileCache::CompileCache() : CompileCache(defaultFolder()) {}

CompileCache::CompileCache(fs::path folder, std::uintmax_t mostBytes)
    : folder_(std::move(folder)), mostBytes_(mostBytes) {}

std::optional<std::string> CompileCache::find(const CompileJob& job) const noexcept {
  try {
    if (!isOn()) return std::nullopt;
    const CachedNames names(job);
    const std::string key = keyOf(job, names);
    if (key.empty()) return std::nullopt;
    const fs::path path = folder_ / key.substr(0, 2) / (key + kEnding);
    const auto entry = contentsOf(path);
    auto output = entry ? outputOf(*entry, names) : std::nullopt;
    std::error_code ignored;
    if (output) fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return output;
  } catch (...) {
    return std::nullopt;
  }
}

void CompileCache::keep(const CompileJob& job, const std::string& output,
                        const fs::path& dependencies) const noexcept {
  try {
    if (!isOn()) return;
    const CachedNames names(job);
    const std::string key = keyOf(job, names);
    const auto rule = contentsOf(dependencies);
    if (key.empty() || !rule) return;
    const auto files = filesOf(job, names, *rule);
    if (!files) return;
    const fs::path folder = folder_ / key.substr(0, 2);
    fs::create_directories(folder);
    files::OutputFile file(folder / (key + kEnding));
    file.write(fmt::format("{}\n{}\n{}\n", kFirstLine, hashOf(output), *files));
    file.write(output);
    file.commit();
    shrink();
  } catch (...) {  // a full disk, a folder that cannot be written: the next call compiles again
  }
}

void CompileCache::shrink() const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t all = 0;
  std::error_code unknown;
  for (const auto& one : fs::recursive_directory_iterator(folder_, unknown)) {
    if (!one.is_regular_file(unknown)) continue;
    Entry entry{one.last_write_time(unknown), one.file_size(unknown), one.path()};
    if (unknown) continue;  // another process removed it
    all += entry.bytes;
    entries.push_back(std::move(entry));
  }
  if (all <= mostBytes_) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (all <= mostBytes_ / 4 * 3) break;
    fs::remove(entry.path, unknown);
    all -= entry.bytes;
  }
}

}  // namespace fermata::launch
