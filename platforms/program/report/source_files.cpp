#include <fermata/platforms/program/report/source_files.h>

#include <fermata/platforms/compose/figure_table.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/toml/toml_file.h>
#include <fermata/stimuli/traces/content_hash.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

const FigureTable<SourceFile>& table() {
  static const FigureTable<SourceFile> all = [] {
    FigureTable<SourceFile> made;
    made.add(Figures<SourceFile>{
        {"source_file", "", "source file without its folder",
         [](const SourceFile& source) { return source.name; }},
        {"xxh3_128", "", "XXH3-128 of the file when the run began, in hexadecimal digits",
         [](const SourceFile& source) { return source.hash; }}});
    return made;
  }();
  return all;
}

/// Returns the folders with files from which the kernel may have been compiled.
std::vector<fs::path> foldersOf(const launch::LaunchWorkload& kernel) {
  const fs::path own = (fs::path(kernel.description().folder) / kernel.plan().kernelFile)
                           .lexically_normal()
                           .parent_path();
  std::vector<fs::path> folders{own / "."};
  for (const auto& include : kernel.plan().compile.includes) folders.emplace_back(include.text);
  const fs::path data = launch::dataDirectory();
  std::error_code unknown;
  if (fs::equivalent(own, data / "cuda", unknown)) folders.push_back(data / "sources");
  return folders;
}

/// Returns the source names of all instructions, cut to the file name if they lead out of a folder.
std::set<fs::path> namedFiles(const Workload& workload) {
  std::set<fs::path> names;
  for (std::uint32_t program = 0; program < workload.programCount(); ++program) {
    for (std::uint32_t pc = 0; pc < workload.instructionCount(program); ++pc) {
      const fs::path file = workload.instructionText(program, pc).file;
      const bool leaves = file.is_absolute() || std::count(file.begin(), file.end(), "..") != 0;
      names.insert(leaves ? file.filename() : file);
    }
  }
  names.erase("");
  return names;
}

}  // namespace

std::string sourceHash(std::string_view bytes) {
  traces::ContentHasher hasher;
  hasher.add(bytes.data(), bytes.size());
  const traces::ContentHash hash = hasher.hash();
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

std::vector<SourceFile> sourcesOf(const launch::LaunchWorkload& kernel) {
  std::set<std::pair<std::string, std::string>> found;
  const std::vector<fs::path> folders = foldersOf(kernel);
  for (const fs::path& name : namedFiles(kernel)) {
    for (const fs::path& folder : folders) {
      std::error_code unknown;
      if (!fs::is_regular_file(folder / name, unknown)) continue;
      const std::string bytes = readTextFile((folder / name).string(), "cannot be read");
      found.emplace(name.filename().string(), sourceHash(bytes));
    }
  }
  std::vector<SourceFile> sources;
  for (const auto& [name, hash] : found) sources.push_back({name, hash});
  return sources;
}

results::Columns sourceColumns() {
  return table().columns();
}

std::vector<results::Row> sourceRows(const std::vector<SourceFile>& sources) {
  std::vector<results::Row> rows;
  rows.reserve(sources.size());
  for (const SourceFile& source : sources) rows.push_back(table().row(source));
  return rows;
}

}  // namespace fermata::platforms
