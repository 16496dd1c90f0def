// The commands of the program `fermata`. Each registers itself; main runs what the user typed.
#pragma once

#include <CLI/CLI.hpp>

namespace fermata::platforms {

void addRunCommand(CLI::App& app);
void addSoftwareHashCommand(CLI::App& app);
void addSearchCommand(CLI::App& app);
void addDemoCommand(CLI::App& app);
void addPlatformsCommand(CLI::App& app);
void addWorkloadsCommand(CLI::App& app);
void addShowCommand(CLI::App& app);
void addPricesCommand(CLI::App& app);
void addStudyCommands(CLI::App& app);

}  // namespace fermata::platforms
