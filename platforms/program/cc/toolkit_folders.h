// NVIDIA's own headers, which makefiles and environments name: they are not for this compiler, and
// would be read in place of those that stand in for them.
#pragma once

#include <string>

namespace fermata::platforms {

/// Is it a folder of them?
bool isToolkit(const std::string& folder);
/// Takes such folders out of the variables that compilers read.
void leaveToolkitsOfEnvironment();

}  // namespace fermata::platforms
