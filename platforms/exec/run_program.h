// A program that somebody made, run to its end.
#pragma once

#include <string>
#include <vector>

namespace fermata::exec {

/// Runs `command`, the program and its arguments, without a shell, found on the PATH as a shell
/// finds it. Returns its exit code; 128 and the number of a signal that ended it, which standard
/// error is told. `quietOutput`: what it prints goes to standard error. Throws InputError where it
/// cannot be started.
int runProgram(const std::vector<std::string>& command, bool quietOutput = false);

}  // namespace fermata::exec
