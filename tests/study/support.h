// Helpers that several tests of studies share.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fermata/platforms/program/study/study_run.h>

namespace fermata::platforms::test {

namespace fs = std::filesystem;

struct Folder {
  fs::path path;
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "study.XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path); }

  std::string file(const std::string& text, const std::string& name = "mine.toml") const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

inline std::string contents(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline const std::string kHead = "title = 't'\nsource = 's'\n";

/// Returns cells of two workloads, a baseline and one variant; the second workload has no
/// conflicts.
inline StudyCells someCells() {
  StudyCells cells(2, std::vector<std::optional<StudyCell>>(3));
  cells[0][0] = StudyCell{"", 100, 80, 1000, 500};
  cells[0][1] = StudyCell{"fixed-xor", 100, 20, 800, 550};
  cells[1][0] = StudyCell{"", 100, 0, 500, 300};
  cells[1][1] = StudyCell{"fixed-xor", 100, 0, 400, 300};
  return cells;
}

}  // namespace fermata::platforms::test
