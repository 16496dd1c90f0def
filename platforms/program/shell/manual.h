// Manual pages of the program and of each command, for man(1).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fermata::platforms {

/// Returns the page of the program: fermata(1).
std::string manualPage(const CLI::App& app, const std::string& version);

/// Returns the page of a command, such as fermata-run(1), with its subcommands.
std::string commandPage(const CLI::App& command, const std::string& version);

}  // namespace fermata::platforms
