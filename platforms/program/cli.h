// The commands of the program `fermata`. Each function registers one; main runs the command that
// the user typed. `connector` puts the platforms of runs together; null: built as configured.
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
/// Sets `exitCode` to that of the program that is run.
void addExecCommand(CLI::App& app, int& exitCode);
void addExplainCommand(CLI::App& app, Connector* connector);
/// Both set `exitCode` to 1: `sweep` if points failed, `check` if there are findings.
void addSweepCommand(CLI::App& app, Connector* connector, int& exitCode);
void addCheckCommand(CLI::App& app, Connector* connector, int& exitCode);
void addReportCommand(CLI::App& app, Connector* connector);
void addStudyCommands(CLI::App& app, Connector* connector);
/// Sets `exitCode` to that of the compiler.
void addCcCommand(CLI::App& app, int& exitCode);

}  // namespace fermata::platforms
