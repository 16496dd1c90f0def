// The commands of the program `fermata`. Each is a function in a file of its own, whose name begins
// with cli_; program.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>

namespace fermata::platforms {

class Connector;

/// Parts that the program hands to its commands, and the exit code that they hand back.
struct Invocation {
  Connector* connector = nullptr;  ///< puts platforms of runs together; null: built as configured
  /// Exit code of the program if no exception comes: 1 if points of a sweep failed or `check` found
  /// something; otherwise that of the program or compiler that the command ran.
  int exitCode = 0;
};

/// Registers a command, or several of one subject, which runs when the user typed it. `invocation`
/// lives until then.
using AddCommand = void(CLI::App& app, Invocation& invocation);

}  // namespace fermata::platforms
