// The commands of the program `fermata`. Each is a function in cli_NAME.cpp; program.cpp lists
// them.
#pragma once

#include <CLI/CLI.hpp>

namespace fermata::platforms {

class Connector;

/// What commands take from the program, and give back to it.
struct Invocation {
  Connector* connector = nullptr;  ///< puts platforms of runs together; null: built as configured
  /// Of the program, unless an exception says otherwise: 1 if points of a sweep failed or `check`
  /// found something, and that of a program or compiler that the command ran.
  int exitCode = 0;
};

/// Registers a command, or several of one subject, which runs when the user typed it. `invocation`
/// lives until then.
using AddCommand = void(CLI::App& app, Invocation& invocation);

}  // namespace fermata::platforms
