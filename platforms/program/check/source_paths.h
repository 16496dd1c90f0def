// Names of source files, as a code host and a compiler's reader expect them: relative to a folder.
#pragma once

#include <fermata/platforms/program/workloads.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the folders that the names of a workload's sources begin from: those of its kernel's
/// file and headers, and of its launch file or trace. Absolute.
std::vector<std::filesystem::path> sourceFolders(const OpenWorkload& open);

class SourcePaths {
 public:
  /// Names files relative to `root`; empty: the current folder.
  explicit SourcePaths(const std::string& root = {});

  /// Returns the file that a kernel calls `file`, as an absolute path; none: there is no such file.
  /// Looks in `folders`, in the current folder, and in the root.
  std::optional<std::filesystem::path> find(
      const std::string& file, const std::vector<std::filesystem::path>& folders) const;
  /// Returns the path of an absolute file from the root:
  ///   "/home/me/project/kernels/col.cu" -> "kernels/col.cu"
  std::string fromRoot(const std::filesystem::path& file) const;

 private:
  std::filesystem::path root_;  ///< absolute
};

}  // namespace fermata::platforms
