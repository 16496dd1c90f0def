// A folder for output files.
#pragma once

#include <filesystem>
#include <vector>

#include <fermata/results/files/temporary.h>

namespace fermata::files {

/// Makes a folder and its missing parents. The destructor removes the folders that it made, as far
/// as they are empty, unless keep() was called: a run that fails leaves none.
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
