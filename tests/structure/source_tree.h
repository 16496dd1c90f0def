// The source files of the tree, with the includes of each.
#pragma once

#include "tests/support/test.h"

namespace fermata::test {

struct SourceFile {
  std::size_t lines = 0;
  /// Paths in the tree of our headers ("models/vocabulary/workload.h"); other headers verbatim
  /// ("<systemc>").
  std::vector<std::string> includes;
  /// Files that its comments name: "workload.h", "vocabulary/workload.h".
  std::vector<std::string> named;
};

/// Source files by path in the tree.
using SourceTree = std::map<std::string, SourceFile>;

/// Reads our C++ files below `root`. CUDA files and the headers they are compiled with do not
/// count.
SourceTree readSourceTree(const std::filesystem::path& root);

}  // namespace fermata::test
