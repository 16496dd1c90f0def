// NVIDIA's own headers, which makefiles and environments name. They are not for this compiler, and
// would be read in place of our replacements.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns whether a folder holds NVIDIA's headers.
bool isToolkit(const std::string& folder);
/// Removes such folders from the environment variables that compilers read.
void leaveToolkitsOfEnvironment();

}  // namespace fermata::platforms
