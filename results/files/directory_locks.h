// Locks on folders: one writer at a time gives files in a folder their names.
#pragma once

#include <filesystem>
#include <vector>

namespace fermata::files {

/// Locks each folder once, in one order for all processes, and waits while another process holds
/// the lock. Locks nothing on a file system without locks.
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
