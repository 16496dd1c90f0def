// Design rules of the source tree. Each rule returns its violations, one sentence each.
#pragma once

#include "tests/structure/source_tree.h"

namespace fermata::test {

using Findings = std::vector<std::string>;

/// Finds files that include each other in a circle.
Findings circles(const SourceTree& tree);
/// Finds files that include a file of a room that their own room must not know.
Findings againstTheArrows(const SourceTree& tree);
/// Finds files that reach a library, directly or not, that their room must not know.
Findings foreignLibraries(const SourceTree& tree);
/// Finds files of more than 400 lines.
Findings tooLong(const SourceTree& tree);
/// Finds comments that name a file that does not exist.
Findings falseNames(const SourceTree& tree);
/// Finds installed headers that include a header that is not installed. `installed`: paths in the
/// tree.
Findings notInstalled(const SourceTree& tree, const std::set<std::string>& installed);

}  // namespace fermata::test
