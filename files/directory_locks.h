// Folders of which one writer at a time gives files their names.
#pragma once

#include <filesystem>
#include <vector>

namespace fermata::files {

/// Locks each folder once, in one order for all processes, and waits where another has one. Where a
/// file system has no locks there are none.
class DirectoryLocks {
 public:
  explicit DirectoryLocks(const std::vector<std::filesystem::path>& folders);
  ~DirectoryLocks();
  DirectoryLocks(const DirectoryLocks&) = delete;
  DirectoryLocks& operator=(const DirectoryLocks&) = delete;

 private:
  std::vector<int> descriptors_;
};

}  // namespace fermata::files
