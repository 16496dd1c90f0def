// The source files of the tree and what each includes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace fermata::test {

struct SourceFile {
  std::size_t lines = 0;
  /// Of ours: path in the tree, "models/core/workload.h". Of others: as it stands, "<systemc>".
  std::vector<std::string> includes;
  /// Files that its comments name: "workload.h", "core/workload.h".
  std::vector<std::string> named;
};

/// By path in the tree.
using SourceTree = std::map<std::string, SourceFile>;

/// Reads the C++ files of ours below `root`. CUDA and the header it compiles with are not C++ of
/// ours.
SourceTree readSourceTree(const std::filesystem::path& root);

}  // namespace fermata::test
