// The commands of the program `fermata`. Each registers itself; main runs what the user typed.
// `connector` puts the platforms of runs together; null: as they come.
#pragma once

#include <CLI/CLI.hpp>

namespace fermata::platforms {

class Connector;

void addRunCommand(CLI::App& app, Connector* connector);
void addSoftwareHashCommand(CLI::App& app);
void addSearchCommand(CLI::App& app, Connector* connector);
void addDemoCommand(CLI::App& app);
void addPlatformsCommand(CLI::App& app);
void addWorkloadsCommand(CLI::App& app);
void addShowCommand(CLI::App& app);
void addPricesCommand(CLI::App& app);
void addCostCommand(CLI::App& app);
/// The exit code is the program's.
void addExecCommand(CLI::App& app, int& exitCode);
void addExplainCommand(CLI::App& app, Connector* connector);
/// Findings, or points that failed, make `exitCode` 1.
void addSweepCommand(CLI::App& app, Connector* connector, int& exitCode);
void addCheckCommand(CLI::App& app, Connector* connector, int& exitCode);
void addReportCommand(CLI::App& app, Connector* connector);
void addStudyCommands(CLI::App& app, Connector* connector);
/// What its compiler ends with becomes `exitCode`.
void addCcCommand(CLI::App& app, int& exitCode);

}  // namespace fermata::platforms
