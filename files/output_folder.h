// A folder for files that are written.
#pragma once

#include <filesystem>
#include <vector>

#include <fermata/files/temporary.h>

namespace fermata::files {

/// Makes a folder, and its parents, where they are missing. Those it made go again with it, as far
/// as they are empty, until keep(): a run that fails leaves none.
class OutputFolder {
 public:
  /// Throws OutputRefused or OutputError: "cannot create folder PATH: reason".
  explicit OutputFolder(const std::filesystem::path& path);
  OutputFolder(OutputFolder&&) = default;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();

  void keep() noexcept { made_.clear(); }

 private:
  struct Made {
    std::filesystem::path path;
    Temporary known;
  };
  void make(const std::filesystem::path& path);
  void remove() noexcept;

  std::vector<Made> made_;
};

}  // namespace fermata::files
