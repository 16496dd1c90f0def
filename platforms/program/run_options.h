// Options shared by the commands that run workloads.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include <fermata/platforms/program/run_workloads.h>

namespace fermata::platforms {

/// Adds --platform (default gtx480), --param and --set.
void addRunOptions(CLI::App& command, RunRequest& request, std::vector<std::string>& parameters);

}  // namespace fermata::platforms
