// Starts other programs, without a shell.
#pragma once

#include <string>
#include <vector>

namespace fermata::platforms {

struct CommandOutcome {
  int code = 0;        ///< exit code; 128 + the signal's number if a signal ended it
  std::string output;  ///< standard output
};

/// The program's standard error: passed on, discarded, or part of CommandOutcome::output.
enum class CommandErrors { Shown, Hidden, InOutput };

/// Runs a program from the PATH, without standard input, until it ends. Throws InputError if it
/// cannot be started: "NAME cannot be started: REASON; expected `needed`".
CommandOutcome runCommand(const std::vector<std::string>& words, CommandErrors errors,
                          const std::string& needed);

/// Quotes a text so that a POSIX shell reads it as one word.
std::string shellWord(const std::string& text);

}  // namespace fermata::platforms
