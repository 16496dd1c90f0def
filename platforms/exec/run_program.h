// Runs a user's program to its end.
#pragma once

#include <string>
#include <vector>

namespace fermata::exec {

/// Runs `command`, the program and its arguments, without a shell; finds it on the PATH as a shell
/// does. Returns its exit code, or 128 plus the number of the signal that ended it, which is also
/// reported on standard error. `quietOutput`: its standard output goes to standard error. Throws
/// InputError if it cannot be started.
int runProgram(const std::vector<std::string>& command, bool quietOutput = false);

}  // namespace fermata::exec
