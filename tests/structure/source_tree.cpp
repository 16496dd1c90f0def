#include "tests/structure/source_tree.h"

namespace fermata::test {

namespace {

const char* const kFolders[] = {"models", "stimuli", "platforms", "results", "tests"};
const std::set<std::string> kEndings{".h", ".cpp", ".inl"};
const std::string kOurs = "fermata/";  // prefix of our headers in an #include
/// Headers for kernels and programs begin so; they are not C++ of ours.
const std::string kKernelHeaders[] = {"stimuli/cuda/fermata_cuda", "stimuli/cuda/include/"};

/// Returns the path that a line includes; empty if it includes none.
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

/// Adds the words of a comment that have the ending of a C++ file.
void readNames(const std::string& line, std::vector<std::string>& names) {
  const char* const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./";
  std::size_t begin = line.find("//");
  if (begin == std::string::npos) return;
  begin += 2;
  while ((begin = line.find_first_of(letters, begin)) != std::string::npos) {
    const std::size_t end = std::min(line.find_first_not_of(letters, begin), line.size());
    std::string word = line.substr(begin, end - begin);
    begin = end;
    while (!word.empty() && word.back() == '.') word.pop_back();
    if (kEndings.count(fs::path(word).extension().string()) != 0) names.push_back(word);
  }
}

bool isForKernels(const std::string& path) {
  return std::any_of(std::begin(kKernelHeaders), std::end(kKernelHeaders),
                     [&](const std::string& start) { return path.rfind(start, 0) == 0; });
}

SourceFile readFile(const fs::path& path) {
  SourceFile file;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line); ++file.lines) {
    const std::string include = includeOf(line);
    if (!include.empty()) file.includes.push_back(include);
    readNames(line, file.named);
  }
  return file;
}

}  // namespace

SourceTree readSourceTree(const fs::path& root) {
  SourceTree tree;
  for (const char* folder : kFolders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = fs::relative(entry.path(), root).generic_string();
      if (kEndings.count(entry.path().extension().string()) == 0 || isForKernels(path)) continue;
      tree[path] = readFile(entry.path());
    }
  }
  return tree;
}

}  // namespace fermata::test
