#include "tests/structure/source_tree.h"

#include <fstream>
#include <set>

namespace fermata::test {

namespace {

namespace fs = std::filesystem;

const char* const kFolders[] = {"models", "stimuli", "platforms", "results", "tests"};
const std::set<std::string> kEndings{".h", ".cpp", ".inl"};
const std::string kOurs = "fermata/";  // as headers are included
const char* const kKernelHeader = "stimuli/cuda/fermata_cuda.h";

/// Of a line without an include: empty.
std::string includeOf(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return "";
  const std::size_t word = line.find("include", hash);
  if (word == std::string::npos) return "";
  const std::size_t open = line.find_first_of("<\"", word);
  if (open == std::string::npos) return "";
  const std::size_t close = line.find_first_of(">\"", open + 1);
  if (close == std::string::npos) return "";
  const std::string path = line.substr(open + 1, close - open - 1);
  if (line[open] == '"') return path;
  return path.compare(0, kOurs.size(), kOurs) == 0 ? path.substr(kOurs.size()) : '<' + path + '>';
}

SourceFile readFile(const fs::path& path) {
  SourceFile file;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line); ++file.lines) {
    const std::string include = includeOf(line);
    if (!include.empty()) file.includes.push_back(include);
  }
  return file;
}

}  // namespace

SourceTree readSourceTree(const fs::path& root) {
  SourceTree tree;
  for (const char* folder : kFolders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = fs::relative(entry.path(), root).generic_string();
      if (kEndings.count(entry.path().extension().string()) == 0 || path == kKernelHeader) continue;
      tree[path] = readFile(entry.path());
    }
  }
  return tree;
}

}  // namespace fermata::test
