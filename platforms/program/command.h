// Other programs, started without a shell.
#pragma once

#include <string>
#include <vector>

namespace fermata::platforms {

struct CommandOutcome {
  int code = 0;  ///< exit code; of one that a signal ended 128 and the signal, as shells count
  std::string output;  ///< standard output
};

enum class CommandErrors { Shown, Hidden };  ///< its standard error: ours, or nowhere

/// Runs a program from the PATH, without standard input, until it ends. Throws InputError where it
/// cannot be started: "NAME cannot be started: REASON; expected `needed`".
CommandOutcome runCommand(const std::vector<std::string>& words, CommandErrors errors,
                          const std::string& needed);

/// A word as a POSIX shell reads it, whatever is in it.
std::string shellWord(const std::string& text);

}  // namespace fermata::platforms
