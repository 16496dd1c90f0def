// What the design says of the source tree. Each rule returns what breaks it, a sentence each.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace fermata::test {

using Findings = std::vector<std::string>;

/// Files that include each other in a circle.
Findings circles(const SourceTree& tree);
/// A file of a room that includes one of a room it must not know.
Findings againstTheArrows(const SourceTree& tree);
/// A file whose room must not know a library, and which includes it, directly or not.
Findings foreignLibraries(const SourceTree& tree);
/// Files of more than 400 lines.
Findings tooLong(const SourceTree& tree);
/// Comments that name a file which there is not.
Findings falseNames(const SourceTree& tree);
/// Installed headers that include one which is not. `installed`: paths in the tree.
Findings notInstalled(const SourceTree& tree, const std::set<std::string>& installed);

}  // namespace fermata::test
