// Reads a command's declaration for the help, the completion and the manual pages.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the name of an option's value: FILE, FOLDER, PLATFORM, UINT, or {1,2,4}; empty: a flag.
std::string placeholderOf(const CLI::Option& option);

/// Returns the names of an option, dashes included: "-o", "--out"; of a positional its name.
std::vector<std::string> namesOf(const CLI::Option& option);

/// Returns the commands that the help lists, in its order.
std::vector<const CLI::App*> commandsOf(const CLI::App& app);

/// Returns the options of a command that the help lists; or its positionals, in their order.
std::vector<const CLI::Option*> optionsOf(const CLI::App& command);
std::vector<const CLI::Option*> positionalsOf(const CLI::App& command);

}  // namespace fermata::platforms
